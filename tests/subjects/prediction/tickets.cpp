// A ticket office that keeps its books as one record and copies it in and out, each time under the lock. Nothing in the
// code says what is meant to be atomic: `muster record --atomic sell` does. With `correct` a sale holds the lock
// throughout.
//
//   tickets [correct]

#include <cstring>
#include <mutex>
#include <thread>

struct Books {
  int sold = 0;
  char note[252] = {};
};

std::mutex mutex;
Books books;

[[gnu::noinline]] void fetch(Books& into) { std::memcpy(&into, &books, sizeof books); }
[[gnu::noinline]] void store(const Books& from) { std::memcpy(&books, &from, sizeof books); }

[[gnu::noinline]] void sell(bool correct) {
  Books mine;
  std::unique_lock lock(mutex);
  fetch(mine);
  if (!correct) lock.unlock();
  ++mine.sold;
  if (!correct) lock.lock();
  store(mine);
}

int main(int argc, char** argv) {
  const bool correct = argc > 1 && std::strcmp(argv[1], "correct") == 0;
  std::thread first(sell, correct), second(sell, correct);
  first.join();
  second.join();
}
