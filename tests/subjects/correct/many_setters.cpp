// Several threads offer goods, each at its price; one looks. What it sees must belong together.

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include "muster/scenario.hpp"

MUSTER_SCENARIO(many_setters) {
  std::mutex mutex;
  std::atomic<int> stock{0}, price{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      std::unique_lock lock(mutex);
      stock = 1;
      price = 7;
    });
  }
  threads.emplace_back([&] {
    const std::lock_guard lock(mutex);
    const int seen = stock, at = price;
    MUSTER_REQUIRE((seen == 0 && at == 0) || (seen == 1 && at == 7));
  });
  for (std::thread& thread : threads) thread.join();
}
