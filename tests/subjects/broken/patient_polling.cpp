// The worker leaves after its rounds and does not say that it is done: the other one asks for ever.
#include <muster/scenario.hpp>
#include <mutex>
#include <thread>

MUSTER_SCENARIO(patient_polling) {
  std::mutex mutex;
  bool done = false;
  const auto look = [&] {
    const std::lock_guard lock{mutex};
    return done;
  };
  std::thread worker{[&] {
    for (int rounds = 0; rounds < 3; ++rounds) {
      if (look()) return;
    }
  }};
  while (!look()) {
  }
  worker.join();
}
