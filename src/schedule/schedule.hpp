#pragma once
// A schedule: all decisions of one execution. It lives in memory that the worker shares with its parent, so that it
// survives the worker, and prints as a short string.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/point.hpp"

namespace muster {

/// What a reduced search takes for the same: nothing; threads that make the same calls; or also those whose calls
/// differ in their arguments.
enum class Symmetry : std::uint8_t { none, threads, data };

/// Which values atomics have: the newest only, or also older ones, as C++ allows, where no other order of the same
/// steps shows the same with the newest; or all that C++ allows.
enum class MemoryModel : std::uint8_t { sc, c11, c11_every };

struct Decision {
  PointKind kind;
  Cost cost;
  std::uint8_t index;    // the option taken
  std::uint8_t count;    // the options there were
  std::uint8_t limit;    // a depth-first search tries only options below this one; the others were given away
  ThreadId running;      // the thread that was running
  bool reduced = false;  // taken under reduction, where calls are no points and joins are
  Symmetry symmetry = Symmetry::none;  // of that reduction
  std::uint32_t fingerprint = 0;       // of the point in this process, to notice executions that are not reproducible
  MemoryModel memory_model = MemoryModel::sc;
};

class Schedule {
 public:
  static constexpr std::uint32_t capacity = 1 << 16;

  std::span<Decision> decisions() { return {decisions_, size_}; }
  std::span<const Decision> decisions() const { return {decisions_, size_}; }
  std::uint32_t size() const { return size_; }
  Decision& operator[](std::uint32_t i) { return decisions_[i]; }
  const Decision& operator[](std::uint32_t i) const { return decisions_[i]; }

  bool full() const { return size_ == capacity; }
  void push(const Decision& decision) { decisions_[size_++] = decision; }
  void truncate(std::uint32_t size) { size_ = size; }
  void assign(std::span<const Decision> decisions);

 private:
  std::uint32_t size_ = 0;
  Decision decisions_[capacity];
};

unsigned count_preemptions(std::span<const Decision> schedule);

/// "1-tp20.7.tp21-x4Fq": version, decisions (kind, cost, options, option taken; ".7." repeats), checksum.
std::string to_string(std::span<const Decision> decisions);

/// Throws Error if the text is no schedule. Fingerprints are unknown (0) afterwards.
std::vector<Decision> parse_schedule(std::string_view text);

}  // namespace muster
