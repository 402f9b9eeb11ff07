#include "counter.hpp"

void Counter::raise() {
  const int seen = ledger_.read();
  ledger_.write(seen + 1);
}
void Counter::raise_fixed() { ledger_.add(1); }
int Counter::value() const { return ledger_.read(); }
