// Synchronisation as linearizability (sections 3 and 5): an operation that is not the last participant in every mode is
// linearized twice. Its first step joins the synchronisation that is being put together, its second fetches the
// response. The last participant to join asks the spec. An independent judge, and slower than the others.

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <map>

#include "judge/core/linearizability.hpp"
#include "judge/synchronisation/meetings.hpp"

namespace muster {
namespace {

constexpr unsigned no_mode = ~0u;

struct TwoStepState {
  StateId spec = 0;
  unsigned mode = no_mode;                          // of the synchronisation that is being put together
  std::vector<Meeter> joined;                       // so far
  std::vector<std::pair<Meeter, Value>> responses;  // not yet fetched, sorted
  auto operator<=>(const TwoStepState&) const = default;
};

class TwoStepStates final : public StateSpace {
 public:
  TwoStepStates(const Meeters& meeters, const std::vector<char>& twice)
      : meeters_(meeters), twice_(twice), states_(meeters.spec().states()) {}

  StateId initial() override { return number({.spec = states_->initial(), .joined = {}, .responses = {}}); }

  void step(StateId state, const Call& call, std::vector<StateId>& next) override {
    const auto meeter = static_cast<Meeter>(call.arguments[0].as_integer());
    const TwoStepState& now = *by_number_[state];
    if (call.method >= meeters_.spec().operations().size()) {
      fetch(now, meeter, next);
    } else if (now.mode != no_mode) {
      join(now, now.mode, meeter, next);
    } else {
      for (unsigned mode = 0; mode < meeters_.spec().modes().size(); ++mode) join(now, mode, meeter, next);
    }
  }

  std::size_t bytes() const override { return by_number_.size() * 160 + states_->bytes(); }

 private:
  void fetch(const TwoStepState& now, Meeter meeter, std::vector<StateId>& next) {
    if (now.mode != no_mode) return;
    const auto found = std::ranges::find(now.responses, meeter, &std::pair<Meeter, Value>::first);
    if (found == now.responses.end() || !meeters_.fits(meeter, found->second)) return;
    TwoStepState after = now;
    after.responses.erase(after.responses.begin() + (found - now.responses.begin()));
    next.push_back(number(std::move(after)));
  }

  void join(const TwoStepState& now, unsigned mode, Meeter meeter, std::vector<StateId>& next) {
    const SyncMode& joining = meeters_.spec().modes()[mode];
    if (joining.participants[now.joined.size()] != meeters_.operation(meeter)) return;
    TwoStepState after = now;
    after.joined.push_back(meeter);
    after.mode = mode;
    if (after.joined.size() < joining.arity()) {
      next.push_back(number(std::move(after)));
    } else {
      meet(after, next);
    }
  }

  void meet(const TwoStepState& complete, std::vector<StateId>& next) {
    std::vector<Arguments> arguments;
    for (const Meeter m : complete.joined) arguments.push_back(meeters_.arguments(m));
    for (const SyncOutcome& outcome : states_->outcomes(complete.spec, complete.mode, arguments)) {
      TwoStepState after{outcome.next, no_mode, {}, complete.responses};
      bool fits = true;
      for (std::size_t i = 0; i < complete.joined.size(); ++i) {
        const Meeter m = complete.joined[i];
        if (!twice_[meeters_.operation(m)]) {
          fits &= meeters_.fits(m, outcome.responses[i]);
        } else if (!meeters_.is_pending(m)) {
          after.responses.emplace_back(m, outcome.responses[i]);
        }
      }
      if (!fits) continue;
      std::ranges::sort(after.responses);
      next.push_back(number(std::move(after)));
    }
  }

  StateId number(TwoStepState state) {
    const auto [found, fresh] = numbers_.try_emplace(std::move(state), static_cast<StateId>(by_number_.size()));
    if (fresh) by_number_.push_back(&found->first);
    return found->second;
  }

  const Meeters& meeters_;
  const std::vector<char>& twice_;
  std::unique_ptr<SyncStates> states_;
  std::map<TwoStepState, StateId> numbers_;
  std::vector<const TwoStepState*> by_number_;
};

/// Methods: each operation's first (or only) step, then the second steps. The first argument says whose step it is.
class TwoStepSpec final : public Spec {
 public:
  explicit TwoStepSpec(const Meeters& meeters) : meeters_(meeters), twice_(meeters.spec().operations().size(), 0) {
    for (const SyncMode& mode : meeters.spec().modes()) {
      for (std::size_t i = 0; i + 1 < mode.arity(); ++i) twice_[mode.participants[i]] = 1;
    }
    const auto operations = meeters.spec().operations();
    for (std::size_t i = 0; i < 2 * operations.size(); ++i)
      names_.push_back(fmt::format("{}{}", i < operations.size() ? "step" : "fetch", i % operations.size()));
    for (const std::string& name : names_) methods_.push_back({.name = name, .arguments = 1});
  }

  std::string_view name() const override { return "two-step"; }
  std::span<const Method> methods() const override { return methods_; }
  std::unique_ptr<StateSpace> states() const override { return std::make_unique<TwoStepStates>(meeters_, twice_); }

  /// The log of section 5: the second step is called and returns right after the first returned.
  History log() const {
    struct Event {
      Position position;
      Meeter meeter;
      bool is_return;
    };
    std::vector<Event> events;
    for (Meeter m = 0; m < meeters_.size(); ++m) {
      events.push_back({meeters_.call(m), m, false});
      if (!meeters_.is_pending(m)) events.push_back({meeters_.ret(m), m, true});
    }
    std::ranges::sort(events, {}, &Event::position);
    HistoryBuilder log("two-step");
    std::vector<OperationId> step(meeters_.size());
    for (const auto& [position, m, is_return] : events) {
      const std::size_t operation = meeters_.operation(m);
      const ProcessId process = log.process(Value::integer(m));
      const auto call = [&, m = m](std::size_t method) {
        return log.call(process, log.method(names_[method]), {Value::integer(m)});
      };
      if (!is_return) {
        step[m] = call(operation);
        continue;
      }
      log.returned(step[m], Value());
      if (twice_[operation]) log.returned(call(meeters_.spec().operations().size() + operation), Value());
    }
    return log.finish();
  }

 private:
  const Meeters& meeters_;
  std::vector<char> twice_;  // by operation
  std::vector<std::string> names_;
  std::vector<Method> methods_;
};

}  // namespace

SyncVerdict judge_in_two_steps(const Meeters& meeters, const SyncOptions& options) {
  const TwoStepSpec spec(meeters);
  const History log = spec.log();
  const Verdict verdict = judge_linearizability(log, spec, options.limits);
  if (const auto* undecided = std::get_if<Undecided>(&verdict)) return *undecided;
  if (const auto* failing = std::get_if<Counterexample>(&verdict)) {
    const OperationId misfit = failing->misfits.empty() ? 0 : failing->misfits.front();
    return unexplained(meeters, static_cast<Meeter>(log.arguments(misfit)[0].as_integer()));
  }
  return SyncWitness{};
}

}  // namespace muster
