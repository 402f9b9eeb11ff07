// Both threads take and release a lock again and again and change nothing: one until the other is done, the other a
// number of times that only it knows. However often they meet at the same places, they do not go round for ever.
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
    for (int rounds = 0; rounds < 3 && !look(); ++rounds) {
    }
    const std::lock_guard lock{mutex};
    done = true;
  }};
  while (!look()) {
  }
  worker.join();
}
