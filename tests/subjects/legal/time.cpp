// Time that passes, and what is done at a time.
#include <sys/time.h>
#include <time.h>

#include <atomic>
#include <chrono>
#include <muster/scenario.hpp>
#include <thread>

#include "two_threads.hpp"

using namespace std::chrono_literals;

MUSTER_SCENARIO(sleeps_are_long_enough) {
  const auto sleep = [](auto clock, auto duration) {
    const auto begin = clock();
    std::this_thread::sleep_for(duration);
    MUSTER_REQUIRE(clock() >= begin + duration);
  };
  in_two_threads([=] { sleep(std::chrono::steady_clock::now, 2ms); },
                 [=] { sleep(std::chrono::system_clock::now, 1500us); });
}

MUSTER_SCENARIO(sleeps_until_a_time) {
  const auto end = std::chrono::steady_clock::now() + 1s;
  const auto sleep = [=] {
    std::this_thread::sleep_until(end);
    MUSTER_REQUIRE(std::chrono::steady_clock::now() >= end);
    std::this_thread::sleep_until(end - 1h);
    std::this_thread::sleep_for(-1s);
    std::this_thread::sleep_for(0s);
  };
  in_two_threads(sleep, sleep);
}

// No clock goes backwards, for nobody.
MUSTER_SCENARIO(clocks_go_on) {
  std::atomic<std::int64_t> latest{0};
  const auto look = [&] {
    const std::int64_t before = latest.load();
    const std::int64_t now = std::chrono::steady_clock::now().time_since_epoch().count();
    MUSTER_REQUIRE(now >= before);
    latest.store(now);
    timespec wall;
    timeval also;
    clock_gettime(CLOCK_REALTIME, &wall);
    gettimeofday(&also, nullptr);
    MUSTER_REQUIRE(also.tv_sec >= wall.tv_sec);
  };
  in_two_threads(look, look);
}

// Polls until the time is over, which it will be.
MUSTER_SCENARIO(waits_for_the_clock_in_a_loop) {
  std::atomic<bool> ready{false};
  std::thread poller([&] {
    const auto end = std::chrono::steady_clock::now() + 10us;
    while (!ready && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(1us);
  });
  ready = true;
  poller.join();
}

MUSTER_SCENARIO(sleeps_between_looks) {
  std::atomic<bool> ready{false};
  int data = 0;
  std::thread poller([&] {
    auto pause = 1us;
    while (!ready.load(std::memory_order_acquire)) std::this_thread::sleep_for(pause *= 2);
    MUSTER_REQUIRE(data == 1);
  });
  data = 1;
  ready.store(true, std::memory_order_release);
  poller.join();
}
