// A bounded travelling-salesman search: each worker completes partial tours of its own, and all keep the best length
// under a lock. A worker compares its tour with the best and replaces it in two critical sections, so that a worse tour
// may overwrite a better one. With `correct` the comparison is repeated under the lock of the update.
//
//   tsp [correct]

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include <muster/transaction.hpp>

namespace {

constexpr int cities = 5, workers = 3;

constexpr int distance(int a, int b) { return 1 + (a * 7 + b * 7 + (a * b) % 5) % 11; }

std::mutex best_mutex;
int best = 1'000'000;

/// The shortest tour that begins in city 0 and goes on to `second`.
int solve(int second) {
  std::array<int, cities - 2> rest{};
  for (int i = 0, city = 1; city < cities; ++city) {
    if (city != second) rest[static_cast<std::size_t>(i++)] = city;
  }
  int shortest = 1'000'000;
  do {
    int length = distance(0, second), last = second;
    for (const int city : rest) {
      length += distance(last, city);
      last = city;
    }
    shortest = std::min(shortest, length + distance(last, 0));
  } while (std::next_permutation(rest.begin(), rest.end()));
  return shortest;
}

int best_so_far() {
  const std::lock_guard lock(best_mutex);
  return best;
}

void set_best(int length) {
  const std::lock_guard lock(best_mutex);
  best = length;
}

void update_best(int length) {
  const muster::Transaction atomic;
  if (length < best_so_far()) set_best(length);
}

void update_best_atomically(int length) {
  const muster::Transaction atomic;
  const std::lock_guard lock(best_mutex);
  if (length < best) best = length;
}

}  // namespace

int main(int argc, char** argv) {
  const bool correct = argc > 1 && std::strcmp(argv[1], "correct") == 0;
  std::vector<std::thread> running;
  for (int i = 0; i < workers; ++i) {
    running.emplace_back([=] {
      const int second = 1 + i;
      // Every tour counts as shorter than the ones before, so that all of them are tried as the best.
      (correct ? update_best_atomically : update_best)(solve(second) - 100 * second);
    });
  }
  for (std::thread& worker : running) worker.join();
}
