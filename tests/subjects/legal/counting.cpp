// Semaphores, latches, barriers: what counts.
#include <atomic>
#include <barrier>
#include <chrono>
#include <latch>
#include <memory>
#include <muster/scenario.hpp>
#include <optional>
#include <semaphore>
#include <thread>

#include "two_threads.hpp"

using namespace std::chrono_literals;

// Two semaphores that hand a slot to and fro.
MUSTER_SCENARIO(semaphores_to_and_fro) {
  std::binary_semaphore empty(1), full(0);
  int slot = 0;
  std::thread producer([&] {
    for (int i = 1; i <= 2; ++i) {
      empty.acquire();
      slot = i;
      full.release();
    }
  });
  for (int i = 1; i <= 2; ++i) {
    full.acquire();
    MUSTER_REQUIRE(slot == i);
    empty.release();
  }
  producer.join();
}

MUSTER_SCENARIO(semaphore_filled_to_its_maximum) {
  std::counting_semaphore<3> slots(0);
  static_assert(std::counting_semaphore<3>::max() >= 3);
  std::atomic<int> inside{0};
  const auto use = [&] {
    if (!slots.try_acquire()) return;
    MUSTER_REQUIRE(++inside <= 3);
    --inside;
    slots.release();
  };
  slots.release(3);
  in_two_threads(use, use);
  slots.acquire();
  slots.acquire();
  slots.acquire();
}

MUSTER_SCENARIO(semaphore_that_nobody_releases) {
  std::binary_semaphore never(0);
  in_a_thread([&] {
    MUSTER_REQUIRE(!never.try_acquire_for(2ms));
    MUSTER_REQUIRE(!never.try_acquire_until(std::chrono::steady_clock::now() - 1s));
    MUSTER_REQUIRE(!never.try_acquire());
  });
}

// The semaphore lies in what the one who was waiting frees.
MUSTER_SCENARIO(semaphore_in_a_request) {
  struct Request {
    int question = 20, answer = 0;
    std::binary_semaphore answered{0};
  };
  auto request = std::make_shared<Request>();
  std::thread server([request] {
    request->answer = request->question + 1;
    request->answered.release();
  });
  request->answered.acquire();
  MUSTER_REQUIRE(request->answer == 21);
  request.reset();
  server.join();
}

MUSTER_SCENARIO(latch_polled) {
  std::latch done(2);
  int first = 0, second = 0;
  std::thread a([&] {
    first = 1;
    done.count_down();
  });
  std::thread b([&] {
    second = 1;
    done.count_down(1);
  });
  while (!done.try_wait()) std::this_thread::yield();
  MUSTER_REQUIRE(first + second == 2);
  a.join();
  b.join();
}

// What the completion does lies between the phases: no thread is in either.
MUSTER_SCENARIO(barrier_swaps_buffers) {
  int front = 1, back = 0;
  const auto swap = [&]() noexcept { std::swap(front, back); };
  std::barrier<decltype(swap)> turn(2, swap);
  std::thread writer([&] {
    back = front + 1;
    turn.arrive_and_wait();
  });
  turn.arrive_and_wait();
  MUSTER_REQUIRE(front == 2 && back == 1);
  writer.join();
}

// One leaves the group; the other goes on alone.
MUSTER_SCENARIO(barrier_that_one_leaves) {
  std::barrier<> turn(2);
  int value = 0;
  std::thread leaver([&] {
    value = 1;
    turn.arrive_and_drop();
  });
  turn.arrive_and_wait();
  MUSTER_REQUIRE(value == 1);
  turn.arrive_and_wait();
  leaver.join();
}

// Arrival and wait apart, with work in between.
MUSTER_SCENARIO(barrier_with_a_token) {
  std::barrier<> turn(2);
  int left = 0, right = 0, own = 0;
  std::thread other([&] {
    right = 1;
    auto token = turn.arrive();
    turn.wait(std::move(token));
    MUSTER_REQUIRE(left == 1);
  });
  left = 1;
  auto token = turn.arrive();
  own = 1;
  turn.wait(std::move(token));
  MUSTER_REQUIRE(right + own == 2);
  other.join();
}

// The last phase is over for everybody who has left it, so the barrier ends with its scope.
MUSTER_SCENARIO(barriers_one_after_another) {
  int total = 0;
  for (int i = 0; i < 2; ++i) {
    std::barrier<> turn(2);
    int value = 0;
    std::thread other([&] {
      value = 1;
      turn.arrive_and_wait();
    });
    turn.arrive_and_wait();
    total += value;
    other.join();
  }
  MUSTER_REQUIRE(total == 2);
}
