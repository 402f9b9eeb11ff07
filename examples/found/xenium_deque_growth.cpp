// Library: xenium 0.0.2 (libxenium-dev)
// Place: xenium/detail/growing_circular_array.hpp:107, grow
// Known: not to us
//
// An array that grows takes `i % new_mod_mask` for the new place of an item, where it should be `i & new_mod_mask`.
// Item 255 of a deque that grows from 128 to 256 entries is copied to entry 0, and what is popped as item 255 was never
// written. One thread is enough: no schedule comes out right.
#include <muster/scenario.hpp>
#include <xenium/chase_work_stealing_deque.hpp>

MUSTER_SCENARIO(xenium_deque_growth) {
  constexpr int capacity = 128;  // that the deque begins with
  static int items[2 * capacity + 1];
  xenium::chase_work_stealing_deque<int> deque;
  int* taken = nullptr;
  for (int i = 0; i < capacity; ++i) {
    deque.try_push(&items[i]);
    deque.try_steal(taken);
  }
  for (int i = capacity; i <= 2 * capacity; ++i) deque.try_push(&items[i]);
  deque.try_pop(taken);
  MUSTER_REQUIRE(taken == &items[2 * capacity]);
  deque.try_pop(taken);
  MUSTER_REQUIRE(taken == &items[2 * capacity - 1], "pushed before it");
}
