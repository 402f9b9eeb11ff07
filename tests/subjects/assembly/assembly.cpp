// Instructions that no hook tells of: atomic ones in inline assembly, and the time stamp counter.
#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

namespace {

[[gnu::noinline]] void increment(int* number) { asm volatile("lock; incl %0" : "+m"(*number)); }

[[gnu::noinline]] bool is_odd_time() { return __builtin_ia32_rdtsc() >> 6 & 1; }

}  // namespace

MUSTER_SCENARIO(assembly_counts) {
  int number = 0;
  std::thread a([&] { increment(&number); }), b([&] { increment(&number); });
  a.join();
  b.join();
}

MUSTER_SCENARIO(assembly_looks_at_time) {
  std::atomic<int> number = 0;
  const auto step = [&] {
    for (int i = 0; i < 40; ++i) {  // so many that two executions hardly ever agree
      if (is_odd_time()) ++number;
    }
  };
  std::thread a(step), b(step);
  a.join();
  b.join();
}
