// How threads begin, end, hand over and leave: std::thread, std::jthread, thread-locals, statics and exceptions.
#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <muster/scenario.hpp>
#include <mutex>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "two_threads.hpp"

// The handle goes through three owners, the last of which is a thread itself.
MUSTER_SCENARIO(thread_joined_by_another) {
  int value = 0;
  std::thread worker([&] { value = 1; });
  std::vector<std::thread> handles;
  handles.push_back(std::move(worker));
  std::thread joiner([&value, handle = std::move(handles.front())]() mutable {
    handle.join();
    ++value;
  });
  joiner.join();
  MUSTER_REQUIRE(value == 2);
}

MUSTER_SCENARIO(threads_of_a_thread) {
  int inner = 0, outer = 0;
  in_a_thread([&] {
    in_two_threads([&] { inner = 1; }, [&] { outer = 2; });
    outer += inner;
  });
  MUSTER_REQUIRE(outer == 3);
}

// What the detached thread reads is its own; it says by its last atomic access that it needs nothing of ours any more.
MUSTER_SCENARIO(detached_says_that_it_is_done) {
  auto done = std::make_shared<std::atomic<bool>>(false);
  auto text = std::make_unique<std::string>("a text that is too long for its object");
  std::thread([done, &text] {
    *text += '!';
    done->store(true, std::memory_order_release);
  }).detach();
  while (!done->load(std::memory_order_acquire)) std::this_thread::yield();
  MUSTER_REQUIRE(text->back() == '!');
}

// Nobody waits for it: what it uses is shared with it or lives for ever.
MUSTER_SCENARIO(detached_outlives_its_maker) {
  static std::atomic<int> finished;
  auto shared = std::make_shared<int>(1);
  in_a_thread([&] {
    std::thread([shared] {
      MUSTER_REQUIRE(*shared == 1);
      finished = 1;
    }).detach();
  });
  MUSTER_REQUIRE(*shared == 1 && finished <= 1);
}

namespace {

std::atomic<int> destroyed;

struct Counted {
  std::string name = "the name of a thread-local object";
  ~Counted() { destroyed += name.size() > 3 ? 1 : 100; }
};

thread_local Counted counted;
thread_local int uses = [] { return 40; }();

void use_thread_locals() {
  MUSTER_REQUIRE(uses == 40);
  counted.name += std::to_string(++uses);
}

}  // namespace

// Each thread makes its own and destroys it before a join returns.
MUSTER_SCENARIO(thread_locals_are_destroyed_before_the_join) {
  in_two_threads(use_thread_locals, use_thread_locals);
  MUSTER_REQUIRE(destroyed == 2);
  in_a_thread([] {});  // which makes none
  MUSTER_REQUIRE(destroyed == 2);
}

// A pointer to a thread-local is as good as any other while its thread lives.
MUSTER_SCENARIO(thread_local_lent_to_another) {
  static thread_local int own = 0;
  own = 5;
  in_a_thread([mine = &own] {
    MUSTER_REQUIRE(&own != mine && own == 0);
    ++*mine;
  });
  MUSTER_REQUIRE(own == 6);
}

// The destructor of one thread-local makes another one.
MUSTER_SCENARIO(thread_local_made_at_the_end) {
  static std::atomic<int> ended{0};
  struct Late {
    int value = 1;
    ~Late() { ended += value; }
  };
  struct Early {
    ~Early() {
      static thread_local Late late;
      ended += late.value;
    }
  };
  in_a_thread([] {
    static thread_local Early early;
    (void)&early;
  });
  MUSTER_REQUIRE(ended == 2);
}

// The first one who tries fails, the next one who comes tries again.
MUSTER_SCENARIO(static_whose_first_initialisation_throws) {
  static std::atomic<int> attempts{0};
  const auto use = [] {
    struct Sometimes {
      int value = 0;
      Sometimes() {
        if (++attempts == 1) throw std::runtime_error("not yet");
        value = 7;
      }
    };
    const auto get = []() -> int {
      static Sometimes object;
      return object.value;
    };
    try {
      MUSTER_REQUIRE(get() == 7);
    } catch (const std::runtime_error&) {
      MUSTER_REQUIRE(get() == 7);
    }
  };
  in_two_threads(use, use);
  MUSTER_REQUIRE(attempts == 2);
}

// One static is made while another one is being made.
MUSTER_SCENARIO(static_within_a_static) {
  static const auto inner = [] {
    static const std::string text(40, 'i');
    return &text;
  };
  static const auto outer = [] {
    static const std::string text = *inner() + "outer";
    return &text;
  };
  in_two_threads([] { MUSTER_REQUIRE(outer()->size() == 45); }, [] { MUSTER_REQUIRE(inner()->size() == 40); });
}

MUSTER_SCENARIO(exception_rethrown_by_two) {
  std::exception_ptr error;
  in_a_thread([&] {
    try {
      try {
        throw std::out_of_range("inner");
      } catch (...) {
        std::throw_with_nested(std::runtime_error("outer"));
      }
    } catch (...) {
      error = std::current_exception();
    }
  });
  const auto look = [error] {
    try {
      std::rethrow_exception(error);
    } catch (const std::exception& outer) {
      MUSTER_REQUIRE(outer.what()[0] == 'o');
      try {
        std::rethrow_if_nested(outer);
      } catch (const std::out_of_range& inner) {
        MUSTER_REQUIRE(inner.what()[0] == 'i');
      }
    }
  };
  error = nullptr;
  in_two_threads(look, look);
}

// Switches in the middle of unwinding: each thread has its own exceptions under way.
MUSTER_SCENARIO(lock_released_by_unwinding) {
  std::mutex mutex;
  int caught = 0;
  const auto fail = [&](int what) {
    try {
      const std::lock_guard lock(mutex);
      throw what;
    } catch (int number) {
      MUSTER_REQUIRE(number == what && std::uncaught_exceptions() == 0);
      const std::lock_guard lock(mutex);
      ++caught;
    }
  };
  in_two_threads([&] { fail(1); }, [&] { fail(2); });
  MUSTER_REQUIRE(caught == 2);
}

MUSTER_SCENARIO(function_handed_over) {
  std::mutex mutex;
  std::function<int()> task;
  std::thread taker([&] {
    for (bool done = false; !done; std::this_thread::yield()) {
      std::function<int()> mine;
      {
        const std::lock_guard lock(mutex);
        mine.swap(task);
      }
      if (mine) done = mine() == 10;
    }
  });
  {
    const std::lock_guard lock(mutex);
    task = [numbers = std::vector<int>{1, 2, 3, 4}] { return numbers[0] + numbers[1] + numbers[2] + numbers[3]; };
  }
  taker.join();
}

// The callback ends its own registration, in the thread that asks for the stop.
MUSTER_SCENARIO(stop_callback_ends_itself) {
  std::stop_source source;
  int calls = 0;
  using Callback = std::stop_callback<std::function<void()>>;
  std::unique_ptr<Callback> callback;
  callback = std::make_unique<Callback>(source.get_token(), [&] {
    ++calls;
    callback.reset();
  });
  std::jthread other([&] { source.request_stop(); });
  other.join();
  MUSTER_REQUIRE(calls == 1 && !callback);
}

// The destructor of a callback waits until the callback has returned in another thread.
MUSTER_SCENARIO(stop_callback_is_waited_for) {
  std::stop_source source;
  int state = 0;
  std::thread other([&] { source.request_stop(); });
  {
    const std::stop_callback callback(source.get_token(), [&] { state = 1; });
  }
  const bool called = state == 1;
  other.join();
  MUSTER_REQUIRE(called == (state == 1));
}

MUSTER_SCENARIO(jthread_asked_to_stop_by_two) {
  std::atomic<int> first{0};
  std::jthread worker([](std::stop_token stop) {
    while (!stop.stop_requested()) std::this_thread::yield();
  });
  const auto ask = [&] { first += worker.request_stop(); };
  in_two_threads(ask, ask);
  MUSTER_REQUIRE(first == 1);
}

// Identities of threads: equal for one thread, different for two that live at once.
MUSTER_SCENARIO(identities) {
  const std::thread::id mine = std::this_thread::get_id();
  std::thread a([mine] { MUSTER_REQUIRE(std::this_thread::get_id() != mine); });
  std::thread b([mine, other = a.get_id()] {
    MUSTER_REQUIRE(std::this_thread::get_id() != mine && std::this_thread::get_id() != other);
  });
  a.join();
  MUSTER_REQUIRE(!a.joinable() && a.get_id() == std::thread::id());
  b.join();
}
