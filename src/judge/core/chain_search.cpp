#include <fmt/format.h>

#include <algorithm>

#include "judge/core/backtracking.hpp"
#include "judge/core/configurations.hpp"
#include "judge/core/search.hpp"
#include "judge/core/transitions.hpp"

namespace muster {
namespace {

using Index = std::uint32_t;

struct ChainStep {
  std::uint32_t chain;
  StateId next;
};

struct ChainFrame : Choice {
  std::uint32_t trail;
  StateId state;
};

class ChainSearch : public Backtracking<ChainSearch, ChainStep, ChainFrame> {
 public:
  ChainSearch(const Binding& binding, const ChainOrder& order, std::vector<OperationId> ids,
              const JudgeOptions& options)
      : Backtracking(options),
        binding_(binding),
        ids_(std::move(ids)),
        transitions_(binding, ids_, binding.has_keys()),
        seen_(1 + (order.chains.size() + 1) / 2),
        configuration_(1 + (order.chains.size() + 1) / 2),
        done_(binding.history().size(), 0) {
    Index index = 0;
    for (const auto& chain : order.chains) {
      chains_.emplace_back();
      for ([[maybe_unused]] const OperationId id : chain) chains_.back().push_back(index++);
    }
    if (!order.before.empty()) {
      for (const OperationId id : ids_) before_.push_back(order.before[id]);
    }
    progress_.resize(chains_.size());
    for (const OperationId id : ids_) to_explain_ += !binding.history()[id].is_pending();
    state_ = transitions_.initial();
  }

 private:
  friend Backtracking;

  const Operation& operation(Index index) const { return binding_.history()[ids_[index]]; }

  bool is_ready(std::uint32_t chain) const {
    if (progress_[chain] == chains_[chain].size()) return false;
    if (before_.empty()) return true;
    const Index index = chains_[chain][progress_[chain]];
    return std::ranges::all_of(before_[index], [&](OperationId id) { return done_[id]; });
  }

  void take(std::uint32_t chain, StateId next) {
    const Index index = chains_[chain][progress_[chain]++];
    done_[ids_[index]] = 1;
    explained_ += !operation(index).is_pending();
    trail_.push_back(chain);
    state_ = next;
  }
  void undo() {
    const std::uint32_t chain = trail_.back();
    trail_.pop_back();
    const Index index = chains_[chain][--progress_[chain]];
    done_[ids_[index]] = 0;
    explained_ -= !operation(index).is_pending();
  }

  bool everything_explained() {
    // What never changes the object and is legal now may be taken now: no later place could be better.
    for (bool again = true; again;) {
      again = false;
      for (std::uint32_t chain = 0; chain < chains_.size(); ++chain) {
        while (is_ready(chain)) {
          const Index index = chains_[chain][progress_[chain]];
          if (operation(index).is_pending() || !binding_.never_changes(operation(index))) break;
          const auto next = transitions_.from(state_, index);
          if (next.empty() || next.front() != state_) break;
          take(chain, state_);
          again = true;
        }
      }
    }
    if (explained_ >= furthest_) {
      furthest_ = explained_;
      stuck_.clear();
      for (std::uint32_t chain = 0; chain < chains_.size(); ++chain) {
        if (is_ready(chain)) stuck_.push_back(ids_[chains_[chain][progress_[chain]]]);
      }
    }
    return explained_ == to_explain_;
  }

  bool remember() {
    std::ranges::fill(configuration_, 0);
    configuration_[0] = state_;
    for (std::uint32_t chain = 0; chain < chains_.size(); ++chain) {
      configuration_[1 + chain / 2] |= std::uint64_t{progress_[chain]} << (chain % 2 * 32);
    }
    if (!seen_.add(configuration_).second) return false;
    const auto first = static_cast<std::uint32_t>(candidates_.size());
    frames_.push_back({{first, first}, static_cast<std::uint32_t>(trail_.size()), state_});
    return true;
  }

  void collect_candidates() {
    for (std::uint32_t chain = 0; chain < chains_.size(); ++chain) {
      if (!is_ready(chain)) continue;
      for (const StateId next : transitions_.from(state_, chains_[chain][progress_[chain]]))
        candidates_.push_back({chain, next});
    }
    // Taken from the back: those called first come first, which follows the order in which things happened.
    std::stable_sort(candidates_.begin() + frames_.back().first_candidate, candidates_.end(),
                     [&](const ChainStep& a, const ChainStep& b) {
                       return operation(chains_[a.chain][progress_[a.chain]]).call >
                              operation(chains_[b.chain][progress_[b.chain]]).call;
                     });
    frames_.back().next_candidate = static_cast<std::uint32_t>(candidates_.size());
  }

  void take(const ChainStep& step) { take(step.chain, step.next); }
  void return_to(const ChainFrame& frame) {
    while (trail_.size() > frame.trail) undo();
    state_ = frame.state;
  }
  std::size_t explained() const { return furthest_; }

  std::vector<OperationId> witness() const {
    std::vector<OperationId> order;
    std::vector<std::uint32_t> at(chains_.size());
    for (const std::uint32_t chain : trail_) order.push_back(ids_[chains_[chain][at[chain]++]]);
    return order;
  }

  Verdict counterexample() const {
    Counterexample result;
    result.operations = ids_;
    result.misfits = stuck_;
    std::ranges::sort(result.misfits, {}, [&](OperationId id) { return binding_.history()[id].ret; });
    result.reason = stuck_.empty() ? "no order of the operations explains the history"
                                   : fmt::format("no order of the operations explains {}",
                                                 to_string(binding_.history(), result.misfits.front()));
    return result;
  }

  std::size_t bytes() const {
    return seen_.bytes() + transitions_.bytes() + frames_.capacity() * sizeof(ChainFrame) +
           candidates_.capacity() * sizeof(ChainStep);
  }

  const Binding& binding_;
  std::vector<OperationId> ids_;  ///< chain after chain
  Transitions transitions_;
  Configurations seen_;
  std::vector<std::uint64_t> configuration_;
  std::vector<std::vector<Index>> chains_;
  std::vector<std::vector<OperationId>> before_;
  std::vector<std::uint32_t> progress_;
  std::vector<char> done_;
  std::vector<std::uint32_t> trail_;
  std::vector<OperationId> stuck_;
  StateId state_ = 0;
  std::size_t explained_ = 0;
  std::size_t to_explain_ = 0;
  std::size_t furthest_ = 0;
};

}  // namespace

Verdict search_chains(const Binding& binding, const ChainOrder& order, const JudgeOptions& options) {
  std::vector<OperationId> ids;
  for (const auto& chain : order.chains) ids.insert(ids.end(), chain.begin(), chain.end());
  return ChainSearch(binding, order, std::move(ids), options).run();
}

}  // namespace muster
