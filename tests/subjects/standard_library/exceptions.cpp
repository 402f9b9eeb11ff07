// Exceptions that several threads hold. The library counts who does, out of sight; what is not counted is the program's
// affair.
#include <atomic>
#include <exception>
#include <filesystem>
#include <future>
#include <memory>
#include <muster/scenario.hpp>
#include <stdexcept>
#include <string>
#include <thread>

#include "by_two.hpp"

MUSTER_SCENARIO(promise_drops_exception) {  // who reads what() may be the last to hold it, or not
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread other([promise = std::move(promise)]() mutable {
    promise.set_exception(std::make_exception_ptr(std::runtime_error("text")));
  });
  bool caught = false;
  try {
    future.get();
  } catch (const std::runtime_error& error) {
    caught = std::string(error.what()) == "text";
  }
  MUSTER_REQUIRE(caught);
  other.join();
}
MUSTER_SCENARIO(exception_of_two_holders) {
  std::exception_ptr held = std::make_exception_ptr(std::runtime_error("text"));
  std::thread other([held] {
    try {
      std::rethrow_exception(held);
    } catch (const std::runtime_error& error) {
      MUSTER_REQUIRE(error.what()[0] == 't');
    }
  });
  held = nullptr;
  other.join();
}
MUSTER_SCENARIO(task_throws) {
  std::packaged_task<int()> task([]() -> int { throw std::runtime_error("text"); });
  std::future<int> future = task.get_future();
  std::thread other([task = std::move(task)]() mutable { task(); });
  try {
    future.get();
  } catch (const std::runtime_error& error) {
    MUSTER_REQUIRE(error.what()[0] == 't');
  }
  other.join();
}
MUSTER_SCENARIO(ready_at_thread_exit) {
  std::packaged_task<int()> task([]() -> int { return 3; });
  std::future<int> future = task.get_future();
  std::thread other([&task] { task.make_ready_at_thread_exit(); });
  MUSTER_REQUIRE(future.get() == 3);
  other.join();
}
MUSTER_SCENARIO(copies_of_a_message) {  // which threads share, until the last of them is destroyed
  const auto first = std::make_unique<std::runtime_error>("a text that is long enough to lie on the heap");
  auto second = std::make_unique<std::runtime_error>(*first);
  std::thread other([copy = std::move(second)]() mutable {
    MUSTER_REQUIRE(copy->what()[0] == 'a');
    copy.reset();
  });
  MUSTER_REQUIRE(first->what()[0] == 'a');
  other.join();
}
MUSTER_SCENARIO(copies_of_a_filesystem_error) {
  const std::filesystem::filesystem_error made("text", "a path that is long enough to lie on the heap",
                                               std::error_code());
  auto first = std::make_unique<std::filesystem::filesystem_error>(made),
       second = std::make_unique<std::filesystem::filesystem_error>(made);
  std::thread other([copy = std::move(second)]() mutable {
    MUSTER_REQUIRE(copy->path1().native()[0] == 'a');
    copy.reset();
  });
  MUSTER_REQUIRE(first->path1().native()[0] == 'a');
  first.reset();
  other.join();
}
MUSTER_SCENARIO(assigned_messages) {
  std::logic_error first("a text that is long enough to lie on the heap");
  std::logic_error second(first);
  Unprotected()([&] { first = std::logic_error("another"); },
                [&] { MUSTER_REQUIRE(second.what()[0] == 'a'), second = std::logic_error("another"); });
}
MUSTER_SCENARIO(exception_kept_by_handler) {
  std::exception_ptr kept;
  std::atomic<bool> ready{false};
  std::thread other([&] {
    try {
      throw std::out_of_range("text");
    } catch (...) {
      kept = std::current_exception();
      ready = true;
      ready.notify_one();
    }  // here it gives up its share
  });
  ready.wait(false);
  try {
    std::rethrow_exception(std::move(kept));
  } catch (const std::out_of_range& error) {
    MUSTER_REQUIRE(error.what()[0] == 't');
  }
  other.join();
}

// The pointer to an exception, or the exception itself, is an object like any other.
BY_TWO(exception_pointer) {
  std::exception_ptr held = std::make_exception_ptr(1);
  by_two([&] { held = nullptr; }, [&] { std::exception_ptr copy = held; });
}
BY_TWO(exception_assigned) {
  std::runtime_error error("one");
  const std::runtime_error other("two");
  by_two([&] { error = other; }, [&] { (void)std::runtime_error(error); });
}
MUSTER_SCENARIO(result_before_thread_exit) {  // takes for written what is written after the result
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  int more = 0;
  std::thread other([&] {
    promise.set_value(3);
    more = 4;
  });
  future.get();
  const int seen = more;
  other.join();
  MUSTER_REQUIRE(seen == 0 || seen == 4);
}
