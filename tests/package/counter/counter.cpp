#include "counter.hpp"

#include "step.hpp"

void Counter::raise() {
  const int seen = ledger_.read();
  ledger_.write(seen + one_step);
}
void Counter::raise_fixed() { ledger_.add(one_step); }
int Counter::value() const { return ledger_.read(); }
