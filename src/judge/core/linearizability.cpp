#include "judge/core/linearizability.hpp"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <thread>

#include "base/error.hpp"
#include "judge/core/parts.hpp"
#include "judge/core/search.hpp"
#include "judge/core/timeline.hpp"
#include "judge/frontier/frontier_search.hpp"
#include "judge/monitor/monitor.hpp"
#include "judge/quasi/relaxed_judge.hpp"

namespace muster {
namespace {

/// One chain a process; an operation that never returned precedes nothing, so what its process calls next begins a new
/// chain.
ChainOrder chains_of(const History& history) {
  ChainOrder order;
  absl::flat_hash_map<ProcessId, std::size_t> chain_of;
  std::vector<OperationId> by_call = all_of(history);
  std::ranges::sort(by_call, {}, [&](OperationId id) { return history[id].call; });
  for (const OperationId id : by_call) {
    const auto [found, fresh] = chain_of.try_emplace(history[id].process, order.chains.size());
    if (fresh) order.chains.emplace_back();
    const std::size_t chain = found->second;
    if (history[id].is_pending()) {
      order.chains.push_back({id});
    } else {
      order.chains[chain].push_back(id);
    }
  }
  return order;
}

/// A pending operation stands in a chain of its own and still waits for what its process did before it.
void add_waits(ChainOrder& order, const History& history) {
  order.before.resize(history.size());
  for (const auto& chain : order.chains) {
    for (OperationId id : chain) {
      if (!history[id].is_pending()) continue;
      for (OperationId other = 0; other < history.size(); ++other) {
        if (history[other].process == history[id].process && history[other].ret < history[id].call)
          order.before[id].push_back(other);
      }
    }
  }
}

Verdict judge_matrix(const Binding& binding, const JudgeOptions& options) {
  const History& history = binding.history();
  ChainOrder order;
  for (OperationId id = 0; id < history.size(); ++id) order.chains.push_back({id});
  order.before.resize(history.size());
  for (OperationId a = 0; a < history.size(); ++a) {
    for (OperationId b = 0; b < history.size(); ++b) {
      if (a != b && history.precedes(a, b)) order.before[b].push_back(a);
    }
  }
  return search_chains(binding, order, options);
}

/// Monitors end by themselves, after a few steps an operation.
JudgeOptions without_steps(JudgeOptions options) {
  options.steps = 0;
  return options;
}

Verdict judge_part(const Binding& binding, std::span<const OperationId> ids, const JudgeOptions& options) {
  if (binding.spec().factor() > 0) return judge_relaxed(binding, ids, options);
  if (options.monitors && !options.explain) {
    try {
      Limits limits(without_steps(options));
      if (auto verdict = monitor(binding, ids, limits)) return *std::move(verdict);
    } catch (const Limits::Hit& hit) {
      return Undecided{hit.reason};
    }
    if (auto verdict = search_frontiers(binding, ids, options)) return *std::move(verdict);
  }
  return search_intervals(binding, ids, false, options);
}

/// Each operation takes effect at the latest call up to it in its own order; sorted by that point the orders of all
/// keys fit together.
Witness joined(const History& history, std::span<const KeyVerdict> verdicts) {
  std::vector<std::pair<Position, OperationId>> points;
  for (const KeyVerdict& key : verdicts) {
    Position point = 0;
    for (const OperationId id : std::get<Witness>(key.verdict).order) {
      point = std::max(point, history[id].call);
      points.push_back({point, id});
    }
  }
  std::ranges::stable_sort(points, {}, &std::pair<Position, OperationId>::first);
  Witness witness;
  for (const auto& [point, id] : points) witness.order.push_back(id);
  return witness;
}

KeySummary summarize(const History& history, std::vector<KeyVerdict> verdicts) {
  KeySummary summary;
  summary.keys = verdicts.size();
  summary.passing = static_cast<std::size_t>(std::ranges::count_if(verdicts, passes, &KeyVerdict::verdict));
  if (summary.passing == summary.keys) {
    summary.witness = joined(history, verdicts);
  } else {
    std::ranges::copy_if(verdicts, std::back_inserter(summary.others),
                         [](const KeyVerdict& key) { return !passes(key.verdict); });
  }
  return summary;
}

/// Judges the operations of each key by themselves.
class KeyJudge {
 public:
  KeyJudge(const Binding& binding, const JudgeOptions& options)
      : binding_(binding),
        options_(options),
        parts_(split_by_key(binding)),
        verdicts_(parts_.size()),
        enough_(parts_.size()) {
    order_by_cost();
    if (options.meter) options.meter->begin(parts_.size());
  }

  KeySummary run() {
    {
      std::vector<std::jthread> helpers;
      for (std::size_t i = 1; i < std::min<std::size_t>(options_.threads, parts_.size()); ++i)
        helpers.emplace_back([this] { work(); });
      work();
    }
    // In the order in which they were begun, so that it is the same however many work at it.
    const std::size_t judged = options_.first_failure ? std::min(first_failure_ + 1, order_.size()) : order_.size();
    std::vector<char> was_judged(parts_.size());
    for (std::size_t place = 0; place < judged; ++place) was_judged[order_[place]] = 1;
    std::size_t kept = 0;
    for (std::size_t at = 0; at < verdicts_.size(); ++at) {
      if (was_judged[at]) std::swap(verdicts_[kept++], verdicts_[at]);
    }
    verdicts_.resize(kept);
    KeySummary summary = summarize(binding_.history(), std::move(verdicts_));
    summary.keys = parts_.size();
    summary.not_judged = parts_.size() - judged;
    return summary;
  }

 private:
  /// Few operations of which few overlap look cheap: only the overlap costs more than the length.
  void order_by_cost() {
    order_.resize(parts_.size());
    std::iota(order_.begin(), order_.end(), 0);
    if (parts_.size() < 2) return;
    std::vector<double> costs;
    for (const Part& part : parts_) {
      int open = 0, most_open = 0;
      for (const std::uint32_t event : timeline(binding_.history(), part.ids)) {
        if (binding_.history()[part.ids[event >> 1]].is_pending()) continue;
        open += event & 1 ? -1 : 1;
        most_open = std::max(most_open, open);
      }
      costs.push_back(std::ldexp(static_cast<double>(part.ids.size()), most_open));
    }
    std::ranges::stable_sort(order_, {}, [&](std::size_t at) { return costs[at]; });
  }

  void work() {
    for (std::size_t place = next_++; place < order_.size(); place = next_++) {
      const Part& part = parts_[order_[place]];
      Verdict verdict = Undecided{"stopped"};
      const bool is_needed = !(options_.first_failure && place > first_failure_);
      if (is_needed && !(options_.meter && options_.meter->stop)) verdict = judge(place);
      if (fails(verdict)) note_failure(place);
      verdicts_[order_[place]] = {part.key, part.ids.size(), std::move(verdict)};
      if (options_.meter) ++options_.meter->done;
    }
  }

  Verdict judge(std::size_t place) const {
    JudgeOptions options = options_;
    options.enough = &enough_[place];
    using Clock = std::chrono::steady_clock;
    const auto now = Clock::now();
    // What time there is is shared by all that are left: one hard key keeps no other from being judged.
    if (options.until != Clock::time_point::max() && options.until > now) {
      const auto left = static_cast<std::int64_t>(order_.size() - place);
      const auto workers = std::min<std::int64_t>(std::max(1u, options.threads), left);
      options.until = now + (options.until - now) / left * workers;
    }
    return judge_part(binding_, parts_[order_[place]].ids, options);
  }

  void note_failure(std::size_t place) {
    std::size_t known = first_failure_;
    while (place < known && !first_failure_.compare_exchange_weak(known, place)) {
    }
    if (!options_.first_failure) return;
    for (++place; place < enough_.size(); ++place) enough_[place] = true;
  }

  const Binding& binding_;
  const JudgeOptions& options_;
  std::vector<Part> parts_;
  std::vector<KeyVerdict> verdicts_;       ///< by part
  std::vector<std::size_t> order_;         ///< parts, those that look cheap first
  std::vector<std::atomic<bool>> enough_;  ///< by place in the order: one before it has failed
  std::atomic<std::size_t> next_{0};
  std::atomic<std::size_t> first_failure_{~std::size_t{0} - 1};  ///< place in the order
};

}  // namespace

KeySummary judge_keys(const History& history, const Spec& spec, const JudgeOptions& options) {
  const Binding binding(history, spec);
  const auto whole = [&](Verdict verdict) {
    return summarize(history, {{Value(), history.size(), std::move(verdict)}});
  };
  if (history.matrix()) return whole(judge_matrix(binding, options));
  if (!binding.has_keys()) return whole(judge_part(binding, all_of(history), options));
  if (!options.split) return whole(search_intervals(binding, all_of(history), true, options));
  if (options.monitors && !options.explain) {
    try {
      Limits limits(without_steps(options));
      if (auto summary = monitor_keys(binding, limits)) return *std::move(summary);
    } catch (const Limits::Hit& hit) {
      return whole(Undecided{hit.reason});
    }
  }
  return KeyJudge(binding, options).run();
}

Verdict judge_linearizability(const History& history, const Spec& spec, const JudgeOptions& options) {
  KeySummary summary = judge_keys(history, spec, options);
  if (summary.passing == summary.keys) return std::move(summary.witness);
  const auto failing = std::ranges::find_if(summary.others, fails, &KeyVerdict::verdict);
  return std::move((failing == summary.others.end() ? summary.others.begin() : failing)->verdict);
}

Verdict judge_sequential_consistency(const History& history, const Spec& spec, const JudgeOptions& options) {
  const Binding binding(history, spec);
  for (const Operation& operation : history.operations()) {
    if (history.process_name(operation.process).is_none()) {
      fail("{}:{}: sequential consistency is about the order of each process, and this history does not name processes",
           history.source().name, operation.line);
    }
  }
  ChainOrder order = chains_of(history);
  if (!history.is_complete()) add_waits(order, history);
  return search_chains(binding, order, options);
}

Verdict judge_quiescent_consistency(const History& history, const Spec& spec, const JudgeOptions& options) {
  // Between two quiescent moments every operation overlaps every other: a linearizability question with wider
  // intervals.
  std::vector<std::pair<Position, int>> events;
  for (const Operation& operation : history.operations()) {
    events.push_back({operation.call, 1});
    if (!operation.is_pending()) events.push_back({operation.ret, -1});
  }
  std::ranges::sort(events);
  std::vector<Position> quiescent{0};
  int open = 0;
  for (const auto& [position, change] : events) {
    open += change;
    if (open == 0) quiescent.push_back(position);
  }
  // There are as many places as blocks times operations, more than fit a position; then those in use are numbered anew.
  using Place = std::uint64_t;
  constexpr Place nowhere = ~Place{0};
  const Place count = history.size();
  std::vector<std::pair<Place, Place>> places;
  for (OperationId id = 0; id < history.size(); ++id) {
    // The block an operation is in: calls of a block first, then its returns.
    const auto block = [&](Position position) {
      return static_cast<Place>(std::ranges::lower_bound(quiescent, position) - quiescent.begin());
    };
    const Place base = block(history[id].call == 0 ? 1 : history[id].call) * 2 * count;
    places.emplace_back(base + id, history[id].is_pending() ? nowhere : base + count + id);
  }
  std::vector<Place> used;
  for (const auto& [call, ret] : places) {
    used.push_back(call);
    if (ret != nowhere) used.push_back(ret);
  }
  std::ranges::sort(used);
  const auto number = [&](Place place) {
    return place == nowhere ? never : static_cast<Position>(std::ranges::lower_bound(used, place) - used.begin());
  };
  std::vector<std::pair<Position, Position>> positions;
  for (const auto& [call, ret] : places) positions.emplace_back(number(call), number(ret));
  JudgeOptions general = options;
  general.monitors = false;
  // Quiescence is a matter of the whole history; the widened history is then judged like any other.
  return judge_linearizability(history.with_positions(positions), spec, general);
}

bool is_witness(const History& history, const Spec& spec, std::span<const OperationId> order) {
  const Binding binding(history, spec);
  std::vector<char> placed(history.size());
  for (const OperationId id : order) {
    if (id >= history.size() || std::exchange(placed[id], 1)) return false;
  }
  for (OperationId id = 0; id < history.size(); ++id) {
    if (!placed[id] && !history[id].is_pending()) return false;
  }
  if (history.matrix()) {
    for (std::size_t late = 0; late < order.size(); ++late) {
      for (std::size_t early = 0; early < late; ++early) {
        if (history.precedes(order[late], order[early])) return false;
      }
    }
  } else {
    // Something moved too early iff it returned before the latest call placed before it.
    Position latest_call = 0;
    for (const OperationId id : order) {
      if (history[id].ret < latest_call) return false;
      latest_call = std::max(latest_call, history[id].call);
    }
  }
  absl::flat_hash_map<Value, std::vector<OperationId>> by_key;
  for (const OperationId id : order) by_key[binding.key(history[id])].push_back(id);
  for (const auto& [key, ids] : by_key) {
    const auto states = spec.states();
    std::vector<StateId> now{states->initial()}, next;
    for (const OperationId id : ids) {
      next.clear();
      for (const StateId state : now) states->step(state, binding.call(history[id]), next);
      if (next.empty()) return false;
      std::ranges::sort(next);
      next.erase(std::unique(next.begin(), next.end()), next.end());
      now.swap(next);
    }
  }
  return true;
}

}  // namespace muster
