// Each thread takes what its neighbour has, and adds one. Once all have had their turn in order, the last has one more
// than the first for each step between.

#include <array>
#include <atomic>
#include <thread>
#include <vector>

#include "muster/scenario.hpp"

MUSTER_SCENARIO(token_ring) {
  constexpr int size = 4;
  std::array<std::atomic<int>, size> tokens{};
  std::array<std::atomic<bool>, size> passed{};
  const auto pass = [&](int i) {
    (void)passed;
    tokens[i] = i == 0 ? 1 : tokens[i - 1] + 1;
    passed[i] = true;
    passed[i].notify_all();
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < size; ++i) threads.emplace_back(pass, i);
  for (std::thread& thread : threads) thread.join();
  MUSTER_REQUIRE(tokens[size - 1] == size);
}
