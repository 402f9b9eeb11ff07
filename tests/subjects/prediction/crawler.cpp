// A web crawler's pool: workers take addresses from a shared list, and mark what they visited in a shared table, both under locks. A worker
// asks whether a page was visited and marks it in two critical sections, so that two may fetch the same page. With `correct` it asks and
// marks at once.
//
//   crawler [correct]

#include <array>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include <muster/transaction.hpp>

namespace {

constexpr int pages = 6, workers = 3;

std::mutex visited_mutex;
std::array<bool, pages> visited{};
std::mutex count_mutex;
int fetched = 0;

bool was_visited(int page) {
  const std::lock_guard lock(visited_mutex);
  return visited[static_cast<std::size_t>(page)];
}

void mark(int page) {
  const std::lock_guard lock(visited_mutex);
  visited[static_cast<std::size_t>(page)] = true;
}

void count() {
  const std::lock_guard lock(count_mutex);
  ++fetched;
}

void visit(int page) {
  const muster::Transaction atomic;
  if (was_visited(page)) return;
  mark(page);
  count();
}

void visit_atomically(int page) {
  const muster::Transaction atomic;
  {
    const std::lock_guard lock(visited_mutex);
    if (visited[static_cast<std::size_t>(page)]) return;
    visited[static_cast<std::size_t>(page)] = true;
  }
  count();
}

/// The links of a page.
int link(int page, int i) { return (page * 2 + i + 1) % pages; }

}  // namespace

int main(int argc, char** argv) {
  const bool correct = argc > 1 && std::strcmp(argv[1], "correct") == 0;
  std::vector<std::thread> running;
  for (int worker = 0; worker < workers; ++worker) {
    running.emplace_back([=] {
      int page = worker;
      for (int step = 0; step < 3; ++step) {
        (correct ? visit_atomically : visit)(page);
        page = link(page, worker);
      }
    });
  }
  for (std::thread& worker : running) worker.join();
}
