// An atomic that is larger than any instruction: libatomic's functions do the work. Adding is a compare-exchange loop.
#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

namespace {

struct Totals {
  long deposits = 0, withdrawals = 0, count = 0;
};

void add(std::atomic<Totals>& totals, long amount) {
  Totals seen = totals.load();
  for (;;) {
    Totals next{seen.deposits + amount, seen.withdrawals, seen.count + 1};
    if (totals.compare_exchange_strong(seen, next)) return;
  }
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
