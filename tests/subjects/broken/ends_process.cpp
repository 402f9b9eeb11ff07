// A worker that finds nothing to do ends the process, whatever the others are doing, without saying so to anybody.
#include <atomic>
#include <cstdlib>
#include <muster/scenario.hpp>
#include <thread>

MUSTER_SCENARIO(ends_process) {
  std::atomic<int> jobs{0};
  std::thread maker{[&] { jobs = 1; }};
  std::thread worker{[&] {
    if (jobs.load() == 0) std::_Exit(0);
    jobs = 0;
  }};
  maker.join();
  worker.join();
}
