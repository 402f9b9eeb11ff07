// Loops that look at what nobody changes, or what somebody will, and are left for another reason: what they count,
// draw, read or follow.
#include <immintrin.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <memory>
#include <muster/scenario.hpp>
#include <mutex>
#include <random>
#include <thread>

#include "two_threads.hpp"

namespace {

/// Looks in vain until `leaves` says so.
template <class Leaves>
void look_until(Leaves leaves) {
  std::atomic<bool> never{false};
  in_a_thread([&] {
    while (!never.load()) {
      if (leaves()) break;
    }
  });
}

}  // namespace

MUSTER_SCENARIO(left_by_rand) {
  look_until([] { return rand() % 100 == 7; });
}

MUSTER_SCENARIO(left_by_random_after_yields) {
  look_until([] {
    std::this_thread::yield();
    return random() % 100 == 7;
  });
}

MUSTER_SCENARIO(left_by_fractions) {
  look_until([] { return drand48() < 0.02; });
}

MUSTER_SCENARIO(left_by_random_device) {
  std::random_device device;
  look_until([&] { return device() % 50 == 7; });
}

MUSTER_SCENARIO(left_by_numbers_of_its_own) {
  unsigned state = 1;
  look_until([&] {
    state = state * 1103515245u + 12345u;
    return (state >> 16) % 97 == 3;
  });
}

MUSTER_SCENARIO(left_at_the_end_of_a_text) {
  static std::array<char, 200> text;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) text[i] = i % 2 == 0 ? 'a' : ' ';
  MUSTER_REQUIRE(strtok(text.data(), " ") != nullptr);
  look_until([] { return strtok(nullptr, " ") == nullptr; });
}

MUSTER_SCENARIO(left_at_the_end_of_a_file) {
  static std::array<char, 64> text;
  text.fill('a');
  FILE* const file = fmemopen(text.data(), text.size(), "r");
  look_until([&] { return fgetc(file) == EOF; });
  fclose(file);
}

MUSTER_SCENARIO(left_by_a_count_on_the_heap) {
  const auto count = std::make_unique<int>(0);
  look_until([&] { return ++*count == 100; });
}

MUSTER_SCENARIO(left_by_a_count_of_the_thread) {
  static thread_local int count;
  look_until([] { return ++count == 100; });
}

MUSTER_SCENARIO(left_by_a_count_that_stays) {
  struct Node {
    std::atomic<Node*> next{nullptr};
  };
  std::array<Node, 3> ring;
  for (std::size_t i = 0; i < ring.size(); ++i) ring[i].next = &ring[(i + 1) % ring.size()];
  in_a_thread([&] {
    int count = 0;
    for (Node* at = &ring[0];;) {
      at = at->next.load();
      if (count < 40) ++count;
      if (count == 40 && at == &ring[2]) break;
    }
  });
}

MUSTER_SCENARIO(ring_that_another_opens) {
  struct Node {
    std::atomic<Node*> next{nullptr};
  };
  std::array<Node, 3> ring;
  for (std::size_t i = 0; i < ring.size(); ++i) ring[i].next = &ring[(i + 1) % ring.size()];
  in_two_threads(
      [&] {
        for (Node* at = &ring[0]; at != nullptr; at = at->next.load()) {
        }
      },
      [&] { ring[1].next = nullptr; });
}

MUSTER_SCENARIO(some_attempts_of_some_looks) {
  std::atomic<bool> open{false};
  const auto opens_soon = [&] {
    for (int looks = 0; looks < 3; ++looks) {
      if (open.load()) return true;
      std::this_thread::yield();
    }
    return false;
  };
  in_two_threads(
      [&] {
        for (int attempts = 0; attempts < 10 && !opens_soon(); ++attempts) {
        }
      },
      [&] { open.load(); });
}

MUSTER_SCENARIO(longer_and_longer_pauses) {
  std::atomic<bool> taken{false};
  int count = 0;
  const auto add = [&] {
    for (int pauses = 1; taken.exchange(true); pauses = std::min(2 * pauses, 8)) {
      for (int i = 0; i < pauses; ++i) _mm_pause();
    }
    ++count;
    taken = false;
  };
  in_two_threads(add, add);
  MUSTER_REQUIRE(count == 2);
}

MUSTER_SCENARIO(pauses_by_place_in_the_queue) {
  std::atomic<int> next{0}, served{0};
  int count = 0;
  const auto add = [&] {
    const int mine = next.fetch_add(1);
    for (int away = mine - served.load(); away != 0; away = mine - served.load()) {
      while (away-- > 0) std::this_thread::yield();
    }
    ++count;
    served.fetch_add(1);
  };
  in_two_threads(add, add);
  MUSTER_REQUIRE(count == 2);
}

MUSTER_SCENARIO(waits_for_a_sum) {
  std::array<std::atomic<int>, 3> parts{};
  in_two_threads(
      [&] {
        const auto sum = [&] { return parts[0].load() + parts[1].load() + parts[2].load(); };
        while (sum() != 2) std::this_thread::yield();
      },
      [&] {
        parts[0] = 1;
        parts[2] = 1;
      });
}
