// What a library that is not watched may order is a possible race; what it cannot order is one.
#include <dlfcn.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "muster/describe.hpp"
#include "muster/scenario.hpp"
#include "unwatched/unwatched.hpp"

namespace {

template <class First, class Second>
void two(First first, Second second) {
  std::thread a(first), b(second);
  a.join();
  b.join();
}

}  // namespace

MUSTER_SCENARIO(unwatched_lock) {
  int lock = 0, counter = 0;
  const auto count = [&] {
    unwatched::lock(&lock);  // in a library: an atomic exchange in a loop
    ++counter;
    unwatched::unlock(&lock);
  };
  two(count, count);
  MUSTER_REQUIRE(counter == 2);
}

MUSTER_SCENARIO(unwatched_lock_forgotten) {
  int lock = 0, counter = 0;
  two(
      [&] {
        unwatched::lock(&lock);
        ++counter;
        unwatched::unlock(&lock);
      },
      [&] { ++counter; });
}

MUSTER_SCENARIO(unwatched_lock_left_too_early) {
  int lock = 0, counter = 0;
  const auto count = [&] {
    unwatched::lock(&lock);
    unwatched::unlock(&lock);
    ++counter;
  };
  two(count, count);
}

MUSTER_SCENARIO(unwatched_flag) {
  int flag = 0, message = 0;
  two(
      [&] {
        message = 1;
        unwatched::set(&flag);
      },
      [&] {
        if (unwatched::is_set(&flag)) MUSTER_REQUIRE(message == 1);
      });
}

MUSTER_SCENARIO(unwatched_flag_set_too_early) {
  int flag = 0, message = 0;
  two(
      [&] {
        unwatched::set(&flag);
        message = 1;
      },
      [&] {
        if (unwatched::is_set(&flag)) MUSTER_REQUIRE(message < 2);
      });
}

MUSTER_SCENARIO(unwatched_await) {
  int flag = 0, message = 0;
  two(
      [&] {
        unwatched::await(&flag);
        MUSTER_REQUIRE(message == 1);
      },
      [&] {
        message = 1;
        unwatched::set(&flag);
      });
}

// An atomic of the program's own, which the library reads or writes.
MUSTER_SCENARIO(unwatched_reader) {
  std::atomic<int> flag = 0;
  int message = 0;
  two(
      [&] {
        message = 1;
        flag = 1;
      },
      [&] {
        if (unwatched::load(flag)) MUSTER_REQUIRE(message == 1);
      });
}
MUSTER_SCENARIO(unwatched_writer) {
  std::atomic<int> flag = 0;
  int message = 0;
  two(
      [&] {
        message = 1;
        unwatched::store(flag, 1);
      },
      [&] {
        if (flag) MUSTER_REQUIRE(message == 1);
      });
}

// No stub sees these calls: they are seen when what was found is run again.
MUSTER_SCENARIO(unwatched_pointers) {
  const unwatched::Operations* const with = unwatched::operations();
  int lock = 0, counter = 0;
  const auto count = [&] {
    with->lock(&lock);
    ++counter;
    with->unlock(&lock);
  };
  two(count, count);
}
MUSTER_SCENARIO(unwatched_pointers_let_go_too_early) {
  const unwatched::Operations* const with = unwatched::operations();
  int lock = 0, counter = 0;
  const auto count = [&] {
    with->lock(&lock);
    with->unlock(&lock);
    ++counter;
  };
  two(count, count);
}
MUSTER_SCENARIO(unwatched_hidden_class) {
  const std::unique_ptr<unwatched::Lock> lock(unwatched::make_lock());
  int counter = 0;
  const auto count = [&] {
    lock->lock();
    ++counter;
    lock->unlock();
  };
  two(count, count);
}
MUSTER_SCENARIO(unwatched_looked_up) {
  const auto look_up = [](const char* name) { return reinterpret_cast<void (*)(int*)>(dlsym(RTLD_DEFAULT, name)); };
  const auto take = look_up("_ZN9unwatched4lockEPi"), give = look_up("_ZN9unwatched6unlockEPi");
  int lock = 0, counter = 0;
  const auto count = [&] {
    take(&lock);
    ++counter;
    give(&lock);
  };
  two(count, count);
}

// The threads share nothing, and no stub sees what they call.
MUSTER_SCENARIO(unwatched_looked_up_apart) {
  const auto take = reinterpret_cast<void (*)(int*)>(dlsym(RTLD_DEFAULT, "_ZN9unwatched4lockEPi"));
  const auto use = [&] {
    int lock = 0;
    take(&lock);
    MUSTER_REQUIRE(lock != 0);
  };
  two(use, use);
}

MUSTER_SCENARIO(unwatched_shared_text) {
  auto text = unwatched::make_text();
  std::thread other([copy = text]() mutable {
    MUSTER_REQUIRE(copy->size() > 3);
    unwatched::drop(std::move(copy));
  });
  MUSTER_REQUIRE(text->size() > 3);
  text.reset();
  other.join();
}

MUSTER_SCENARIO(unwatched_callback) {
  int lock = 0, counter = 0;
  const auto count = [&] {
    unwatched::with_lock(
        &lock, [](void* number) { ++*static_cast<int*>(number); }, &counter);
  };
  two(count, count);
  MUSTER_REQUIRE(counter == 2);
}

MUSTER_SCENARIO(unwatched_worker) {
  int message = 0;
  const unwatched::Worker worker([](void* number) { *static_cast<int*>(number) = 1; }, &message);
  worker.wait();
  MUSTER_REQUIRE(message == 1);
}

MUSTER_SCENARIO(unwatched_worker_not_waited_for) {
  int message = 0;
  const unwatched::Worker worker([](void* number) { *static_cast<int*>(number) = 1; }, &message);
  MUSTER_REQUIRE(message < 2);
}

MUSTER_DESCRIBE(R"(
  library libunwatched
  unwatched::lock_described: locks argument 1, is not called
  unwatched::unlock_described: unlocks argument 1, is not called
)")

MUSTER_SCENARIO(described_in_the_program) {
  int lock = 0, counter = 0;
  const auto count = [&] {
    unwatched::lock_described(&lock);
    ++counter;
    unwatched::unlock_described(&lock);
  };
  two(count, count);
  MUSTER_REQUIRE(counter == 2);
}

// Nobody sees what is copied, unless it is described.
MUSTER_SCENARIO(unwatched_copies) {
  long from = 1, to = 0;
  const auto copy = [&] { unwatched::copy(&to, &from, sizeof to); };
  two(copy, copy);
}

// The second thread is concerned with the last of four items only.
MUSTER_SCENARIO(unwatched_fill) {
  short items[4] = {};
  two([&] { MUSTER_REQUIRE(unwatched::fill(items, 4, sizeof *items) == 8); }, [&] { items[3] = 2; });
}

// Calls that order nothing, on top of what does.
MUSTER_SCENARIO(unwatched_beside_threads) {
  int counter = unwatched::nothing(0);
  std::thread other([&] { counter += unwatched::nothing(1); });
  other.join();
  MUSTER_REQUIRE(counter + unwatched::nothing(1) == 2);
}

MUSTER_SCENARIO(unwatched_arguments) {
  const unwatched::Large large = unwatched::large_of(1, 2);
  MUSTER_REQUIRE(large.numbers[39] == 79);
  MUSTER_REQUIRE(unwatched::sum(1, 2, 3, 4, 5, 6, 7, 8, 1.5, 2.5, large, 9) == 36 + 4 + 1600 + 9);
  MUSTER_REQUIRE(unwatched::sum_of(10, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0) == 55);
  const unwatched::Pair pair = unwatched::pair_of(2.5, 7);
  MUSTER_REQUIRE(pair.first == 2.5 && pair.second == 7);
  MUSTER_REQUIRE(unwatched::half(3) == 1.5L);
}

MUSTER_SCENARIO(unwatched_exception) {
  int caught = 0;
  std::thread other([&] {
    try {
      unwatched::throw_number(3);
    } catch (const int number) {
      caught = number;
    }
  });
  other.join();
  MUSTER_REQUIRE(caught == 3);
}
