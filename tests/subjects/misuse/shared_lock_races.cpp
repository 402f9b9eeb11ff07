// What is written under a shared lock, or before and after one: readers of a lock do not order each other.
#include <atomic>
#include <muster/scenario.hpp>
#include <mutex>
#include <shared_mutex>
#include <thread>

int plain;  // nobody reads it here, so it must be visible elsewhere for its writes to be made

namespace {

std::shared_mutex lock;
std::mutex mutex;
std::atomic<int> flag;

template <class First, class Second>
void run(First first, Second second) {
  std::thread a(first), b(second);
  a.join();
  b.join();
}

void read_lock() { const std::shared_lock held(lock); }
void write_lock() { const std::unique_lock held(lock); }
void write_under_read_lock() {
  const std::shared_lock held(lock);
  plain = 2;
}
void exchange_flag() {
  int expected = 1;
  flag.compare_exchange_strong(expected, 1);
}

}  // namespace

MUSTER_SCENARIO(readers_write) { run(write_under_read_lock, write_under_read_lock); }

MUSTER_SCENARIO(reader_writes_afterwards) {
  run([] { write_under_read_lock(), write_lock(); }, [] { read_lock(), plain = 1; });
}

MUSTER_SCENARIO(reader_writes_under_mutex) {
  run([] { write_under_read_lock(), write_lock(); },
      [] {
        read_lock();
        const std::scoped_lock held(mutex);
        plain = 1;
      });
}

MUSTER_SCENARIO(reader_writes_twice) {
  run([] { write_under_read_lock(), flag = 1, write_lock(); },
      [] { read_lock(), plain = 1, exchange_flag(), write_under_read_lock(); });
}

MUSTER_SCENARIO(writes_before_writer) {
  run([] { plain = 2, write_lock(); }, [] { read_lock(), plain = 1; });
}

MUSTER_SCENARIO(writes_beside_mutex) {
  const auto take_turn = [] { const std::scoped_lock held(mutex); };
  run([=] { plain = 2, take_turn(); }, [=] { take_turn(), plain = 1; });
}

MUSTER_SCENARIO(writes_before_reader) {
  run([] { plain = 2, read_lock(); }, [] { write_lock(), plain = 1; });
}

MUSTER_SCENARIO(readers_write_among_writers) {
  run([] { write_under_read_lock(), flag = 1, write_lock(), write_lock(); },
      [] {
        read_lock(), plain = 2, exchange_flag(), write_under_read_lock(), flag.load();
        const std::shared_lock held(lock);
        flag = 1;
      });
}

MUSTER_SCENARIO(readers_are_counted) {
  std::shared_mutex guard;
  int data = 1, readers = 0;
  const auto read = [&] {
    const std::shared_lock held(guard);
    ++readers;
    MUSTER_REQUIRE(data >= 1);
  };
  run(read, read);
  MUSTER_REQUIRE(readers >= 1);
}

MUSTER_SCENARIO(readers_fill_a_cache) {
  struct Cache {
    std::shared_mutex guard;
    int* value = nullptr;
    int get() {
      const std::shared_lock held(guard);
      if (!value) value = new int(7);
      return *value;
    }
    ~Cache() { delete value; }
  } cache;
  const auto get = [&] { MUSTER_REQUIRE(cache.get() == 7); };
  run(get, get);
}

/// What a writer did is seen by readers, and what readers did by the next writer.
MUSTER_SCENARIO(writer_after_readers) {
  std::shared_mutex guard;
  int seen[2] = {}, value = 0;
  const auto reader = [&](int& mine) {
    return [&] {
      const std::shared_lock held(guard);
      mine = value;
    };
  };
  std::thread writer([&] {
    const std::unique_lock held(guard);
    value = 1 + seen[0] + seen[1];
  });
  run(reader(seen[0]), reader(seen[1]));
  writer.join();
  MUSTER_REQUIRE(value == 1);
}
