// Each thread takes what its neighbour has, and adds one, when it is its turn. Once all have had it, the last has one
// more than the first for each step between.

#include <array>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "muster/scenario.hpp"

MUSTER_SCENARIO(token_ring) {
  constexpr int size = 3;
  std::array<int, size> tokens{};
  std::mutex mutex;
  std::condition_variable changed;
  int turn = 0;
  const auto pass = [&](int i) {
    std::unique_lock lock(mutex);
    while (turn != i) changed.wait(lock);
    tokens[i] = i == 0 ? 1 : tokens[i - 1] + 1;
    turn = i + 1;
    changed.notify_all();
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < size; ++i) threads.emplace_back(pass, i);
  for (std::thread& thread : threads) thread.join();
  MUSTER_REQUIRE(tokens[size - 1] == size);
}
