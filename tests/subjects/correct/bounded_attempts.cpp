// As in the livelock, each thread takes its own lock and tries the other's; but each counts its attempts, where nobody
// else sees it, and gives up in the end: memory goes round in circles for long, and the execution does not.
#include <muster/scenario.hpp>
#include <mutex>
#include <thread>

MUSTER_SCENARIO(bounded_attempts) {
  std::mutex mutexes[2];
  const auto attempt = [&](std::mutex& mine, std::mutex& theirs) {
    for (int attempts = 0; attempts < 40; ++attempts) {
      const std::lock_guard first{mine};
      if (!theirs.try_lock()) continue;
      theirs.unlock();
      return;
    }
  };
  std::thread a{[&] { attempt(mutexes[0], mutexes[1]); }};
  std::thread b{[&] { attempt(mutexes[1], mutexes[0]); }};
  a.join();
  b.join();
}
