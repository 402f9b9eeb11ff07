// Library: xenium 0.0.2 (libxenium-dev)
// Place: xenium/seqlock.hpp:175, seqlock::load
// Known: not to us
//
// With two slots, a reader that begins while a store is under way (an odd sequence number) copies the slot before it.
// The store after next writes that slot, and the number has then grown by 2: less than `2 * slots - 1`, so that the mix
// is taken for a value. The bound is right for even numbers alone.
#include <muster/check.hpp>
#include <xenium/seqlock.hpp>

namespace {

struct Pair {
  long a, b;
};

class Cell {
 public:
  void store(int value) { lock_.store(Pair{value, value}); }
  int load() {
    const Pair pair = lock_.load();
    return static_cast<int>(pair.a * 10 + pair.b);
  }

 private:
  xenium::seqlock<Pair, xenium::policy::slots<2>> lock_{Pair{0, 0}};
};

}  // namespace

MUSTER_CHECK(xenium_seqlock) {
  auto cell = check.object<Cell>();
  cell.operation("store", &Cell::store).with(1).with(2);
  cell.operation("load", &Cell::load);
}
