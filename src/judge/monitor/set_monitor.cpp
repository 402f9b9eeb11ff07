// Sets, all elements in one sweep over time, repeats and pending operations included.
//
// Operations on one element are of four kinds: those that put it in, those that take it out, those that saw it inside,
// those that saw it absent. Operations of a kind differ only in when they must be done. So the just-in-time search
// never has a real choice: it does something only when a return forces it, the fewest changes that let the returning
// operation happen, each by the open operation of that kind that must return first (any order of the others can be
// changed into this one by exchanging the two); operations that only look are done as soon as what they saw is so.
// Operations that never return are used last.

#include "judge/monitor/set_monitor.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "judge/core/timeline.hpp"
#include "judge/core/value_table.hpp"
#include "judge/monitor/monitor.hpp"

namespace muster {
namespace {

enum Kind : std::uint8_t { puts, takes, saw_inside, saw_absent, ignored };

constexpr std::uint32_t no_one = ~std::uint32_t{0};

struct Element {
  std::uint32_t open[4] = {no_one, no_one, no_one,
                           no_one};  ///< lists of operations that are called and not done, by kind
  std::uint32_t spare[2] = {0, 0};   ///< operations that never return and may put it in, or take it out
  bool inside = false;
  bool failed = false;
};

class SetMonitor {
 public:
  SetMonitor(const Binding& binding, Limits& limits)
      : binding_(binding), history_(binding.history()), limits_(limits) {}

  std::optional<KeySummary> run() {
    if (!take_operations()) return std::nullopt;
    std::vector<OperationId> ids(history_.size());
    for (OperationId id = 0; id < ids.size(); ++id) ids[id] = id;
    for (const std::uint32_t event : timeline(history_, ids)) {
      limits_.step();
      const OperationId id = event >> 1;
      if (kind_[id] == ignored) continue;
      Element& element = elements_[element_[id]];
      if (event & 1) {
        if (!done_[id] && !element.failed) force(element, id);
      } else {
        called(element, id);
      }
    }
    return summary();
  }

 private:
  static constexpr MethodIndex insert_method = 0, remove_method = 1;

  /// False if an answer is missing: then an operation may be of several kinds.
  bool take_operations() {
    kind_.resize(history_.size());
    element_.resize(history_.size());
    next_.resize(history_.size());
    done_.resize(history_.size());
    ValueTable table(history_.size());
    for (OperationId id = 0; id < history_.size(); ++id) {
      limits_.step();
      const Operation& operation = history_[id];
      element_[id] = table.number(binding_.key(operation));
      const MethodIndex method = binding_.method(operation);
      if (operation.is_pending()) {
        kind_[id] = method == insert_method ? puts : method == remove_method ? takes : ignored;
      } else {
        const bool yes = operation.result.is_true();
        if (!yes && !operation.result.is_false()) return false;
        if (method == insert_method) {
          kind_[id] = yes ? puts : saw_inside;
        } else if (method == remove_method) {
          kind_[id] = yes ? takes : saw_absent;
        } else {
          kind_[id] = yes ? saw_inside : saw_absent;
        }
      }
    }
    elements_.resize(table.size());
    return true;
  }

  void called(Element& element, OperationId id) {
    const Kind kind = kind_[id];
    if (history_[id].is_pending()) {
      ++element.spare[kind];
    } else if (kind == (element.inside ? saw_inside : saw_absent)) {
      done_[id] = 1;
    } else {
      next_[id] = element.open[kind];
      element.open[kind] = id;
    }
  }

  /// The operation returns and is not done yet.
  void force(Element& element, OperationId id) {
    const Kind kind = kind_[id];
    const bool needs_inside = kind == takes || kind == saw_inside;
    if (element.inside != needs_inside && !change(element)) {
      element.failed = true;
      misfits_.push_back(id);
      return;
    }
    // Looking was done with the change; putting and taking are changes themselves, and this operation is the most
    // urgent.
    if (!done_[id]) change(element);
  }

  /// Puts the element in or takes it out, by the open operation that must return first; false if there is none.
  bool change(Element& element) {
    const Kind kind = element.inside ? takes : puts;
    std::uint32_t* best = nullptr;
    for (std::uint32_t* at = &element.open[kind]; *at != no_one; at = &next_[*at]) {
      if (!best || history_[*at].ret < history_[*best].ret) best = at;
    }
    if (best) {
      done_[*best] = 1;
      *best = next_[*best];
    } else if (element.spare[kind] > 0) {
      --element.spare[kind];
    } else {
      return false;
    }
    element.inside = !element.inside;
    std::uint32_t& lookers = element.open[element.inside ? saw_inside : saw_absent];
    for (; lookers != no_one; lookers = next_[lookers]) done_[lookers] = 1;
    return true;
  }

  KeySummary summary() const {
    KeySummary result;
    result.keys = elements_.size();
    result.passing = result.keys - misfits_.size();
    std::vector<std::uint32_t> reported(elements_.size(), no_one);
    for (const OperationId misfit : misfits_) {
      reported[element_[misfit]] = static_cast<std::uint32_t>(result.others.size());
      result.others.push_back(
          {binding_.key(history_[misfit]), 0,
           Counterexample{
               {}, {misfit}, fmt::format("no order of the operations explains {}", to_string(history_, misfit))}});
    }
    for (OperationId id = 0; id < history_.size(); ++id) {
      const std::uint32_t at = reported[element_[id]];
      if (at == no_one) continue;
      ++result.others[at].operations;
      std::get<Counterexample>(result.others[at].verdict).operations.push_back(id);
    }
    std::ranges::sort(result.others, {}, &KeyVerdict::key);
    return result;
  }

  const Binding& binding_;
  const History& history_;
  Limits& limits_;
  std::vector<Kind> kind_;
  std::vector<std::uint32_t> element_;
  std::vector<std::uint32_t> next_;
  std::vector<char> done_;
  std::vector<Element> elements_;
  std::vector<OperationId> misfits_;
};

}  // namespace

std::optional<KeySummary> monitor_set(const Binding& binding, Limits& limits) {
  return SetMonitor(binding, limits).run();
}

}  // namespace muster
