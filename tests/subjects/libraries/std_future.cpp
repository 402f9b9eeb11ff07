// std::promise, std::shared_future, std::packaged_task and std::async: values and exceptions cross threads once.
#include <future>
#include <muster/scenario.hpp>
#include <stdexcept>
#include <thread>

MUSTER_SCENARIO(std_promise) {
  std::promise<int> promise;
  const std::shared_future<int> future = promise.get_future().share();
  std::thread a{[future] { MUSTER_REQUIRE(future.get() == 3); }};
  std::thread b{[&] { promise.set_value(3); }};
  MUSTER_REQUIRE(future.get() == 3);
  a.join();
  b.join();
}

MUSTER_SCENARIO(std_packaged_task) {
  std::packaged_task<int(int)> task{[](int value) {
    if (value > 1) throw std::out_of_range("too large");
    return value;
  }};
  std::future<int> future = task.get_future();
  std::thread a{std::move(task), 2};
  bool thrown = false;
  try {
    future.get();
  } catch (const std::out_of_range&) {
    thrown = true;
  }
  a.join();
  MUSTER_REQUIRE(thrown);
}

MUSTER_SCENARIO(std_async) {
  auto doubled = std::async(std::launch::async, [] { return 2; });
  auto deferred = std::async(std::launch::deferred, [&] { return doubled.get() + 1; });
  MUSTER_REQUIRE(deferred.get() == 3);
}
