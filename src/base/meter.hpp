#pragma once
// How far a long piece of work is: written by whoever does it, read by whoever shows it. And whether somebody wants it
// to end.

#include <atomic>
#include <cstdint>

namespace muster {

struct Meter {
  std::atomic<std::uint64_t> done{0};   // keys judged, events read
  std::atomic<std::uint64_t> whole{0};  // of so many; 0: nobody knows
  std::atomic<std::uint64_t> steps{0};  // of searches
  std::atomic<bool> stop{false};        // what was done so far is to be told

  std::atomic<std::uint64_t> most_memory{0};  // bytes that the process may take; 0: no limit
  std::atomic<bool> out_of_memory{false};     // it takes more

  void begin(std::uint64_t count) {
    done = steps = 0;
    whole = count;
  }
};

}  // namespace muster
