#pragma once
// When a search gives up. Looking at the clock costs more than a step, so it is looked at now and then.

#include <chrono>
#include <cstddef>
#include <string>

#include "judge/core/options.hpp"

namespace muster {

class Limits {
 public:
  explicit Limits(const JudgeOptions& options)
      : meter_(options.meter),
        enough_(options.enough),
        memory_(options.memory),
        most_steps_(options.steps),
        timed_(options.time.count() > 0),
        end_(options.until != std::chrono::steady_clock::time_point::max()
                 ? options.until
                 : std::chrono::steady_clock::now() + options.time),
        time_(options.time) {}

  /// True once a limit is hit; `bytes()` is asked for now and then.
  template <class Bytes>
  [[gnu::always_inline]] bool hit(Bytes&& bytes) {
    return ++steps_ % steps_between_looks == 0 && look(bytes);
  }
  const std::string& reason() const { return reason_; }

  /// For what cannot end half-way with an answer of its own.
  struct Hit {
    std::string reason;
  };
  [[gnu::always_inline]] void step() {
    if (hit([] { return std::size_t{0}; })) throw Hit{reason_};
  }

 private:
  static constexpr std::uint64_t steps_between_looks = 256;

  template <class Bytes>
  [[gnu::cold, gnu::noinline]] bool look(const Bytes& bytes) {
    if (meter_) meter_->steps.fetch_add(steps_between_looks, std::memory_order_relaxed);
    if ((meter_ && meter_->stop) || (enough_ && *enough_)) {
      reason_ = "stopped";
    } else if (timed_ && std::chrono::steady_clock::now() >= end_) {
      reason_ = "time limit of " + std::to_string(time_.count()) + " ms reached; try a longer --time";
    } else if (most_steps_ > 0 && steps_ > most_steps_) {
      reason_ = "not decided within " + std::to_string(most_steps_) + " steps of search; give it --time";
    } else if ((memory_ > 0 && bytes() > memory_) || (meter_ && meter_->out_of_memory)) {
      reason_ = "memory limit of " + std::to_string(memory_ >> 20) + " MB reached; try a larger --memory";
    }
    return !reason_.empty();
  }

  Meter* meter_;
  const std::atomic<bool>* enough_;
  std::size_t memory_;
  std::uint64_t most_steps_;
  bool timed_;
  std::chrono::steady_clock::time_point end_;
  std::chrono::milliseconds time_;
  std::uint64_t steps_ = 0;
  std::string reason_;
};

/// Where nobody may have set any.
inline void step(Limits* limits) {
  if (limits) limits->step();
}

}  // namespace muster
