// std::jthread and std::stop_token: a stop callback runs exactly once, and before the request returns if it was
// registered.
#include <atomic>
#include <muster/scenario.hpp>
#include <stop_token>
#include <thread>

MUSTER_SCENARIO(std_jthread) {
  std::atomic<int> rounds{0};
  {
    const std::jthread worker{[&](std::stop_token stop) {
      ++rounds;
      while (!stop.stop_requested()) std::this_thread::yield();
    }};
  }
  MUSTER_REQUIRE(rounds == 1);
}

MUSTER_SCENARIO(std_stop_callback) {
  std::stop_source source;
  std::atomic<int> called{0};
  std::thread a{[&] { source.request_stop(); }};
  {
    const std::stop_callback callback{source.get_token(), [&] { ++called; }};
    source.request_stop();
  }
  a.join();
  MUSTER_REQUIRE(called == 1);
}
