// An atomic that is larger than any instruction: libatomic's functions do the work. Adding is a load and a store.
#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

namespace {

struct Totals {
  long deposits = 0, withdrawals = 0, count = 0;
};

void add(std::atomic<Totals>& totals, long amount) {
  const Totals seen = totals.load();
  totals.store({seen.deposits + amount, seen.withdrawals, seen.count + 1});
}

}  // namespace

MUSTER_SCENARIO(large_atomic) {
  std::atomic<Totals> totals{Totals{}};
  std::thread a([&] { add(totals, 10); }), b([&] { add(totals, 20); });
  a.join();
  b.join();
  const Totals end = totals.load();
  MUSTER_REQUIRE(end.count == 2 && end.deposits == 30);
}
