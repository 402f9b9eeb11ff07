#pragma once
// Says of single executions of a test whether they come out right, as phase 2 would.

#include <absl/functional/function_ref.h>

#include "check/check_test.hpp"
#include "check/concurrent_recorder.hpp"
#include "search/referee.hpp"

namespace muster {

class CheckReferee final : public Referee {
 public:
  explicit CheckReferee(ConcurrentRecorder& recorder) : recorder_(recorder) {}

  Observer& observer() override { return recorder_.observer(); }
  void begin_execution() override { recorder_.begin_execution(); }
  bool end_execution(const Execution& execution, const Schedule& schedule, Engine& engine) override {
    recorder_.end_execution(execution, schedule, engine);
    recorder_.races.clear();
    const bool fails = recorder_.take_failure().has_value();
    const bool is_undecided = !std::exchange(recorder_.undecided, {}).empty();
    fate_ = fails                                   ? Fate::wrong
            : execution.ending == Ending::abandoned ? Fate::nothing
            : is_undecided                          ? Fate::undecided
                                                    : Fate::right;
    return true;
  }
  Fate fate() const override { return fate_; }

 private:
  ConcurrentRecorder& recorder_;
  Fate fate_ = Fate::nothing;
};

/// False if it is not known what is right: phase 1 fails, or does not come to its end.
bool with_referee(CheckBench& bench, const Test& test,
                  absl::FunctionRef<void(const Program& program, Referee& referee)> use);

}  // namespace muster
