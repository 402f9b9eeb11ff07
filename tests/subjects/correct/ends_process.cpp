// A worker that finds nothing to do goes home.
#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

MUSTER_SCENARIO(ends_process) {
  std::atomic<int> jobs{0};
  std::thread maker{[&] { jobs = 1; }};
  std::thread worker{[&] {
    if (jobs.load() == 0) return;
    jobs = 0;
  }};
  maker.join();
  worker.join();
}
