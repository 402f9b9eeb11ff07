// Library: xenium 0.0.2 (libxenium-dev)
// Place: xenium/detail/growing_circular_array.hpp:31, get
// Known: not to us
//
// A thief of `chase_work_stealing_deque` gets the wrong item while the owner makes the array larger. It reads the
// capacity, then the entry. In between, the owner doubles the capacity and writes other items where the thief's item is
// by the old one. The exchange on `top` succeeds all the same: one item is taken twice, and one is lost.
#include <muster/scenario.hpp>
#include <thread>
#include <xenium/chase_work_stealing_deque.hpp>

MUSTER_SCENARIO(xenium_deque_steal) {
  constexpr int capacity = 128;  // that the deque begins with
  static int items[2 * capacity + 1];
  xenium::chase_work_stealing_deque<int> deque;
  int* taken = nullptr;
  for (int i = 0; i < capacity; ++i) {
    deque.try_push(&items[i]);
    deque.try_steal(taken);
  }
  for (int i = capacity; i < 2 * capacity; ++i) deque.try_push(&items[i]);
  std::thread thief{[&] {
    int* stolen = nullptr;
    if (deque.try_steal(stolen)) MUSTER_REQUIRE(stolen - items == capacity, "the oldest item");
  }};
  deque.try_push(&items[2 * capacity]);
  thief.join();
}
