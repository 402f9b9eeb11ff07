#pragma once
#include <atomic>

struct Counter {
  int next() { return value.fetch_add(1) + 1; }
  std::atomic<int> value{0};
};

struct LossyCounter {
  int next() {
    const int seen = value.load();
    value.store(seen + 1);
    return seen + 1;
  }
  std::atomic<int> value{0};
};
