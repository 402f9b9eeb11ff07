#pragma once
// Runs on real threads, without control: many short ones, all of whose threads start together.
//
//   Stress stress(4);
//   const std::vector<RunEnd> ends = stress.run(subject, 50);   // subject->work(run, thread) on each of the threads

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_set>
#include <vector>

#include "stress/sleepers.hpp"

namespace muster {

/// What the threads do. Threads that are stuck stay behind with it, so it is shared.
class StressSubject {
 public:
  virtual ~StressSubject() = default;
  /// On a thread of its own, before and after all work of the run.
  virtual void begin(std::size_t run) = 0;
  virtual void end(std::size_t run) = 0;
  virtual void work(std::size_t run, unsigned thread) = 0;
};

struct StressOptions {
  /// A run in which nothing happens for so long is given up; proven only where all threads sleep without a timeout.
  std::chrono::milliseconds patience{2000};
  std::uint64_t seed = 1;              ///< of what user code lets be chosen
  std::size_t most_left_behind = 120;  ///< threads that are stuck for ever; with more of them no further run is begun
};

enum class RunEnd : std::uint8_t {
  completed,
  stuck,      ///< everybody left sleeps, and nobody is left to wake them
  suspected,  ///< nothing happened for the whole patience
};

enum class AfterStuck : std::uint8_t { go_on, stop };

class Stress {
 public:
  /// Threads that are there already take no part: in a process that was forked for this, those of a sanitizer.
  explicit Stress(unsigned threads, StressOptions options = {});
  ~Stress();
  Stress(const Stress&) = delete;
  Stress& operator=(const Stress&) = delete;

  /// How the runs ended, one after the other: all of them, or those up to one after which none can follow. Threads that
  /// are stuck are left behind, and others take their place.
  std::vector<RunEnd> run(const std::shared_ptr<StressSubject>& subject, std::size_t runs,
                          AfterStuck after_stuck = AfterStuck::go_on);

  /// Threads that are stuck for ever and were left behind.
  std::size_t left_behind() const { return left_behind_.size(); }

 private:
  struct Batch;
  struct Gate;
  class Crew;

  using Job = std::function<void(unsigned member)>;
  void give_all(unsigned first, unsigned last, const Job& job);
  RunEnd do_alone(Batch& batch, const Job& job);
  std::vector<RunEnd> work(const std::shared_ptr<Batch>& batch, AfterStuck after_stuck);
  RunEnd wait_for(const Batch& batch);
  bool everybody_sleeps();
  void leave_behind(unsigned member);
  void replace(unsigned member);

  unsigned threads_;
  StressOptions options_;
  std::shared_ptr<Gate> gate_;
  std::vector<std::shared_ptr<Crew>> crew_;  ///< the workers, then the one that begins and ends runs
  std::unordered_set<pid_t> left_behind_, bystanders_;
  Sleepers sleepers_;
};

/// A number that rises with every call, by whichever thread. An operation that returned before another was called has
/// stamped its return before the other's call: what is recorded is never stricter than what happened.
class Stamps {
 public:
  /// Before a call: what the operation does comes after the stamp.
  std::uint32_t before();
  /// After a return: what the operation did came before the stamp.
  std::uint32_t after();

 private:
  std::uint32_t next_ = 0;
};

}  // namespace muster
