#pragma once

#include "ledger.hpp"

class Counter {
 public:
  void raise();        // in two steps: an addition can be lost
  void raise_fixed();  // in one
  int value() const;

 private:
  Ledger ledger_;
};
