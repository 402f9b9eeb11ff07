#pragma once
// Races of the recorded run: two accesses, at least one a write and one of them plain, that happens-before does not
// order. Their order in the trace is an accident of recording, so they are reported as races and not as violations.
// Epochs and read vectors as in FastTrack (Flanagan, Freund, PLDI 2009).

#include <absl/container/flat_hash_map.h>

#include <span>
#include <tuple>
#include <vector>

#include "predict/vector_clock.hpp"
#include "trace/event.hpp"

namespace muster::predict {

struct Race {
  std::uint32_t variable;
  std::uint32_t first_thread, second_thread;
  std::uint32_t first_site, second_site;
  bool first_writes, second_writes;
  std::uint64_t count;  // of racing accesses at these sites
};

class RaceDetector {
 public:
  void consume(std::span<const trace::Event> events);

  /// One for each pair of sites and kinds of access, in order of detection.
  std::span<const Race> races() const { return races_; }

 private:
  struct Access {
    std::uint32_t thread = 0, time = 0, site = 0;  // time 0: none yet
  };
  using Accesses = std::vector<Access>;  // one a thread

  struct Variable {
    Access write, read;
    std::uint32_t reads = 0;    // 1 + index into lists_, once reads of several threads are unordered
    std::uint32_t atomics = 0;  // 1 + index into atomics_
  };
  struct Atomic {
    Accesses reads, writes;
    VectorClock released;
  };

  VectorClock& clock(std::uint32_t thread);
  void access(const trace::Event& event);
  void read(Variable& variable, const trace::Event& event, std::uint32_t time);
  void write(Variable& variable, const trace::Event& event, std::uint32_t time);
  void atomic(Variable& variable, const trace::Event& event);
  void synchronize(const trace::Event& event);
  void tick(std::uint32_t thread) { clock(thread).set(thread, clock(thread).at(thread) + 1); }
  VectorClock& clock_of(std::vector<VectorClock>& clocks, std::uint32_t object);
  void check(const Access& earlier, bool earlier_writes, const trace::Event& event);
  void check_all(const Accesses& earlier, bool earlier_write, const trace::Event& event);
  static void put(Accesses& accesses, const Access& access);

  std::vector<VectorClock> threads_;
  std::vector<VectorClock> locks_, shared_locks_, orders_;
  std::vector<Variable> variables_;
  std::vector<Accesses> lists_;
  std::vector<Atomic> atomics_;
  std::vector<Race> races_;
  absl::flat_hash_map<std::tuple<std::uint32_t, std::uint32_t, bool, bool>, std::size_t> known_;
};

}  // namespace muster::predict
