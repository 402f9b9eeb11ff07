#pragma once
// Instructions of small programs that take several steps of their own: loops, and references to the heap block.

#include "search/actions.hpp"

namespace muster::test {

class LongActions : protected Actions {
 public:
  using Actions::Actions;

 protected:
  void step_through_loop(const Instruction& instruction);
  void release_strong();
  void release_weak();
  void lock_weak(unsigned skip);

  void attempted(bool taken, unsigned skip) {
    see(taken);
    next(taken ? 0 : skip);
  }

 private:
  void increment(unsigned object);
  void retry_both(unsigned object, bool counts);
  void look_and_retry(unsigned object, unsigned plain);
  void await(const Instruction& instruction);
  void lock_both(unsigned first);
  void poll(const Instruction& instruction);
};

}  // namespace muster::test
