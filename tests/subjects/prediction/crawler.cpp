// A web crawler's pool: workers note in a shared table, under a lock, who fetched a page last. A worker asks whether it
// fetched a page itself and notes that it does in two critical sections, so that two may fetch the same page. With
// `correct` it asks and notes at once.
//
//   crawler [correct]

#include <array>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include <muster/transaction.hpp>

namespace {

constexpr int pages = 3, workers = 3;

std::mutex visited_mutex;
std::array<int, pages> visited{};  // by which worker, from 1
std::mutex count_mutex;
int fetched = 0;

bool was_visited(int page, int worker) {
  const std::lock_guard lock(visited_mutex);
  return visited[static_cast<std::size_t>(page)] == worker;
}

void mark(int page, int worker) {
  const std::lock_guard lock(visited_mutex);
  visited[static_cast<std::size_t>(page)] = worker;
}

[[gnu::noinline]] void count() {
  const std::lock_guard lock(count_mutex);
  ++fetched;
}

void visit(int page, int worker) {
  const muster::Transaction atomic;
  if (was_visited(page, worker)) return;
  mark(page, worker);
  count();
}

void visit_atomically(int page, int worker) {
  const muster::Transaction atomic;
  {
    const std::lock_guard lock(visited_mutex);
    if (visited[static_cast<std::size_t>(page)] == worker) return;
    visited[static_cast<std::size_t>(page)] = worker;
  }
  count();
}

}  // namespace

int main(int argc, char** argv) {
  const bool correct = argc > 1 && std::strcmp(argv[1], "correct") == 0;
  std::vector<std::thread> running;
  for (int worker = 1; worker <= workers; ++worker) {
    running.emplace_back([=] {
      for (int step = 0; step < 2; ++step) (correct ? visit_atomically : visit)((worker + step) % pages, worker);
    });
  }
  for (std::thread& worker : running) worker.join();
}
