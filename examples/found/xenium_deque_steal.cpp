// Library: xenium 0.0.2 (libxenium-dev)
// Place: xenium/detail/growing_circular_array.hpp:31, get
// Known: not to us
//
// A thief of `chase_work_stealing_deque` gets the wrong item while the owner makes the array larger. It reads the
// capacity, then the entry. In between, the owner doubles the capacity and pushes an item whose new entry is the one
// where the thief's item was. The exchange on `top` succeeds all the same: one item is taken twice, and one is lost.
// Right arithmetic in `grow` would not help: the item pushed last belongs into that entry by it, too.
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
    deque.try_steal(stolen);
    MUSTER_REQUIRE(stolen != &items[2 * capacity], "pushed last, and others are left");
  }};
  deque.try_push(&items[2 * capacity]);
  thief.join();
}
