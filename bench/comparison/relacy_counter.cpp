// Two threads add one to an atomic counter, for Relacy: examples/01-lost-update's lost_update_fixed, written with its
// types.
#include <relacy/relacy.hpp>

struct Counter : rl::test_suite<Counter, 2> {
  rl::atomic<int> counter;
  void before() { counter.store(0, rl::mo_seq_cst, $); }
  void thread(unsigned) { counter.fetch_add(1, rl::mo_seq_cst, $); }
  void after() { RL_ASSERT(counter.load(rl::mo_seq_cst, $) == 2); }
};

int main() {
  rl::test_params parameters;
  parameters.iteration_count = 1'000'000;
  return rl::simulate<Counter>(parameters) ? 0 : 1;
}
