// The render farm of a ray tracer: n threads each add their lines' checksums to a total. Each looks at the total and
// writes it back in two critical sections, so that for every ordered pair of threads the second may come between the
// two of the first: n(n-1) violations. With `correct` the two are one.
//
//   raytracer [threads [correct]]

#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include <muster/transaction.hpp>

namespace {

std::mutex mutex;
long checksum = 0;

long render(int line) {
  long value = 17 * line + 3;
  for (int i = 0; i < 5; ++i) value = value * 31 % 1009;
  return value;
}

void add_checksum(long value) {
  const muster::Transaction atomic;
  long total;
  {
    const std::lock_guard lock(mutex);
    total = checksum;
  }
  const std::lock_guard lock(mutex);
  checksum = total + value;
}

void add_checksum_atomically(long value) {
  const muster::Transaction atomic;
  const std::lock_guard lock(mutex);
  checksum += value;
}

}  // namespace

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 4;
  const bool correct = argc > 2 && std::strcmp(argv[2], "correct") == 0;
  std::vector<std::thread> renderers;
  for (int i = 0; i < threads; ++i)
    renderers.emplace_back([=] { (correct ? add_checksum_atomically : add_checksum)(render(i)); });
  for (std::thread& renderer : renderers) renderer.join();
}
