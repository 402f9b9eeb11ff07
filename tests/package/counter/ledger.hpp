#pragma once

#include <atomic>

class Ledger {
 public:
  int read() const;
  void write(int value);
  int add(int amount);

 private:
  std::atomic<int> value_{0};
};
