#pragma once
// Vector clocks over thread numbers; entries a clock does not have are 0.

#include <algorithm>
#include <cstdint>
#include <vector>

namespace muster::predict {

class VectorClock {
 public:
  std::uint32_t at(std::uint32_t thread) const { return thread < times_.size() ? times_[thread] : 0; }

  void set(std::uint32_t thread, std::uint32_t time) {
    if (thread >= times_.size()) times_.resize(thread + 1);
    times_[thread] = time;
  }

  /// Takes the later time of each thread; whether anything changed.
  bool join(const VectorClock& other) {
    if (times_.size() < other.times_.size()) times_.resize(other.times_.size());
    std::uint32_t changed = 0;
    for (std::size_t i = 0; i < other.times_.size(); ++i) {
      changed |= static_cast<std::uint32_t>(other.times_[i] > times_[i]);
      times_[i] = std::max(times_[i], other.times_[i]);
    }
    return changed != 0;
  }

  std::uint32_t size() const { return static_cast<std::uint32_t>(times_.size()); }

 private:
  std::vector<std::uint32_t> times_;
};

}  // namespace muster::predict
