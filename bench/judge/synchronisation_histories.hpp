#pragma once
// Histories of synchronisation objects that do nothing wrong: threads call, meet and return at random moments.

#include <algorithm>
#include <vector>

#include "base/rng.hpp"
#include "spec/synchronisation.hpp"

namespace muster::bench {

struct Calling {
  OperationId id;
  MethodIndex operation;
  std::vector<Value> arguments;
  Value response;
  bool met = false;
};

class SynchronisationRun {
 public:
  SynchronisationRun(const SyncSpec& spec, unsigned threads, std::uint64_t seed)
      : spec_(spec),
        states_(spec.states()),
        state_(states_->initial()),
        calling_(threads),
        busy_(threads),
        rng_(seed) {}

  /// So many calls; then everybody who can returns.
  History run(std::size_t operations) {
    for (std::size_t called = 0; called < operations;) {
      const bool all_busy = std::ranges::find(busy_, false) == busy_.end();
      const std::uint64_t what = rng_.below(3);
      bool moved = false;
      if (what == 0 && !all_busy) {
        call();
        ++called;
        moved = true;
      }
      if (what == 1) moved = meet();
      if (what == 2) moved = leave();
      if (!moved && all_busy && !leave() && !meet()) break;  // nobody can go on
    }
    while (leave() || meet()) {
    }
    return build_.finish();
  }

 private:
  void call() {
    unsigned thread = 0;
    do thread = static_cast<unsigned>(rng_.below(busy_.size()));
    while (busy_[thread]);
    Calling calling{};
    // Each thread keeps to one operation, or all of them could end up waiting for another.
    calling.operation = static_cast<MethodIndex>(thread % spec_.operations().size());
    const SyncOperation& operation = spec_.operations()[calling.operation];
    for (unsigned i = 0; i < operation.arguments; ++i)
      calling.arguments.push_back(Value::integer(static_cast<std::int64_t>(rng_.below(100))));
    calling.id = build_.call(build_.process(Value::integer(thread)), build_.method(operation.name), calling.arguments);
    calling_[thread] = std::move(calling);
    busy_[thread] = true;
  }

  bool meet() {
    const std::uint64_t first = rng_.below(spec_.modes().size());
    for (std::size_t m = 0; m < spec_.modes().size(); ++m) {
      const auto mode = static_cast<unsigned>((first + m) % spec_.modes().size());
      std::vector<unsigned> chosen;
      if (are_enough(mode) && fill(mode, chosen)) return true;
    }
    return false;
  }
  bool are_enough(unsigned mode) const {
    const auto& roles = spec_.modes()[mode].participants;
    return std::ranges::all_of(roles, [&](MethodIndex operation) {
      std::ptrdiff_t waiting = 0;
      for (std::size_t thread = 0; thread < busy_.size(); ++thread)
        waiting += busy_[thread] && !calling_[thread].met && calling_[thread].operation == operation;
      return waiting >= std::ranges::count(roles, operation);
    });
  }
  bool fill(unsigned mode, std::vector<unsigned>& chosen) {
    const auto& roles = spec_.modes()[mode].participants;
    if (chosen.size() == roles.size()) {
      std::vector<Arguments> arguments;
      for (const unsigned thread : chosen) arguments.emplace_back(calling_[thread].arguments);
      const auto outcomes = states_->outcomes(state_, mode, arguments);
      if (outcomes.empty()) return false;
      state_ = outcomes[0].next;
      for (std::size_t i = 0; i < chosen.size(); ++i) {
        calling_[chosen[i]].met = true;
        calling_[chosen[i]].response = outcomes[0].responses[i];
      }
      return true;
    }
    const std::uint64_t start = rng_.below(busy_.size());
    for (std::size_t i = 0; i < busy_.size(); ++i) {
      const auto thread = static_cast<unsigned>((start + i) % busy_.size());
      if (!busy_[thread] || calling_[thread].met || calling_[thread].operation != roles[chosen.size()]) continue;
      if (std::ranges::find(chosen, thread) != chosen.end()) continue;
      chosen.push_back(thread);
      if (fill(mode, chosen)) return true;
      chosen.pop_back();
    }
    return false;
  }

  bool leave() {
    const std::uint64_t start = rng_.below(busy_.size());
    for (std::size_t i = 0; i < busy_.size(); ++i) {
      const std::size_t thread = (start + i) % busy_.size();
      if (!busy_[thread] || !calling_[thread].met) continue;
      build_.returned(calling_[thread].id, calling_[thread].response);
      busy_[thread] = false;
      return true;
    }
    return false;
  }

  const SyncSpec& spec_;
  std::unique_ptr<SyncStates> states_;
  StateId state_;
  std::vector<Calling> calling_;
  std::vector<bool> busy_;
  Rng rng_;
  HistoryBuilder build_;
};

}  // namespace muster::bench
