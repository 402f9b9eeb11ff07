#include "judge/quasi/round_up.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "judge/core/parts.hpp"
#include "judge/core/timeline.hpp"

namespace muster::round_up {
namespace {

/// Calls and returns; `index << 1 | is_return`.
using Events = std::vector<std::uint32_t>;

/// Where the events stop being a serial history; their number if they never do.
std::size_t serial_prefix(const Events& events) {
  std::size_t at = 0;
  while (at < events.size() && events[at + 1] == (events[at] | 1)) at += 2;
  return at;
}

}  // namespace

std::vector<std::vector<OperationId>> sequentializations(const History& history) {
  if (!history.is_complete())
    fail("{}: the algorithms of Round-Up take histories without pending operations", history.source().name);
  std::vector<Events> open{timeline(history, all_of(history))};
  std::vector<std::vector<OperationId>> result;
  while (!open.empty()) {
    const Events events = std::move(open.back());
    open.pop_back();
    const std::size_t serial = serial_prefix(events);
    if (serial == events.size()) {
      std::vector<OperationId> order;
      for (std::size_t at = 0; at < events.size(); at += 2) order.push_back(events[at] >> 1);
      result.push_back(std::move(order));
      continue;
    }
    // Each operation that is called before any other returns may be the next one.
    for (std::size_t at = serial; (events[at] & 1) == 0; ++at) {
      Events moved(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(serial));
      moved.push_back(events[at]);
      moved.push_back(events[at] | 1);
      for (std::size_t other = serial; other < events.size(); ++other) {
        if (events[other] >> 1 != events[at] >> 1) moved.push_back(events[other]);
      }
      open.push_back(std::move(moved));
    }
  }
  return result;
}

bool Permutations::State::is_done(std::uint32_t event) const { return std::ranges::find(done, event) != done.end(); }

Permutations::Permutations(std::uint32_t size, std::uint32_t factor) : size_(size), factor_(factor), order_(size) {
  first_run();
}

void Permutations::first_run() {
  for (std::uint32_t event = 0; event < size_; ++event) {
    state_stack_.emplace_back();
    state_stack_.back().select = event;
    state_stack_.back().done = {event};
    init_enabled_and_lateness(event, event);
    order_[event] = event;
  }
}

void Permutations::init_enabled_and_lateness(std::size_t state, std::uint32_t event) {
  for (std::int64_t lateness = 0;; --lateness, --state) {
    state_stack_[state].enabled.push_back({event, lateness});
    if (lateness == -factor_ || state == 0) {
      state_stack_[state].newly_enabled.push_back({event, lateness});
      return;
    }
  }
}

const Permutations::Enabled* Permutations::pick_an_enabled_event(const State& state) const {
  for (const Enabled& must : state.enabled) {
    if (must.lateness == factor_) return state.is_done(must.event) ? nullptr : &must;
  }
  for (const Enabled& each : state.enabled) {
    if (!state.is_done(each.event)) return &each;
  }
  return nullptr;
}

void Permutations::update_enabled_and_lateness(std::size_t at) {
  State& state = state_stack_[at];
  const State& before = state_stack_[at - 1];
  state.enabled.clear();
  for (const Enabled& each : before.enabled) {
    if (each.event != before.select) state.enabled.push_back({each.event, each.lateness + 1});
  }
  state.enabled.insert(state.enabled.end(), state.newly_enabled.begin(), state.newly_enabled.end());
}

bool Permutations::next() {
  std::size_t at = state_stack_.size();
  while (at > 0 && !pick_an_enabled_event(state_stack_[at - 1])) --at;
  if (at == 0) return false;
  for (std::size_t after = at; after < state_stack_.size(); ++after) state_stack_[after].done.clear();
  for (--at; at < state_stack_.size(); ++at) {
    State& state = state_stack_[at];
    const std::uint32_t event = pick_an_enabled_event(state)->event;
    state.select = event;
    state.done.push_back(event);
    order_[at] = event;
    if (at + 1 < state_stack_.size()) update_enabled_and_lateness(at + 1);
  }
  return true;
}

bool Reference::is_legal(const Binding& binding, const std::vector<OperationId>& order) const {
  const auto states = spec_.states();
  std::vector<StateId> now{states->initial()}, next;
  for (const OperationId id : order) {
    next.clear();
    for (const StateId state : now) states->step(state, binding.call(binding.history()[id]), next);
    if (next.empty()) return false;
    now.swap(next);
  }
  return true;
}

std::string Reference::text(const Binding& binding, const std::vector<OperationId>& order) {
  std::string out;
  for (const OperationId id : order) out += to_string(binding.history(), id) + ";";
  return out;
}

Reference::Answer Reference::check(const History& history) {
  Answer answer;
  const Binding binding(history, spec_);
  const auto explore = [&](const std::vector<OperationId>& order, std::size_t& count) {
    if (!options_.optimised) {
      ++count;
      return is_legal(binding, order);
    }
    const auto [found, fresh] = explored_.try_emplace(text(binding, order), false);
    if (fresh) {
      ++count;
      found->second = is_legal(binding, order);
    }
    return found->second;
  };
  std::vector<OperationId> permuted;
  for (const std::vector<OperationId>& order : sequentializations(history)) {
    answer.linearizable |= explore(order, answer.sequentializations);
    std::vector<std::uint32_t> places;
    for (std::uint32_t at = 0; at < order.size(); ++at) {
      if (options_.method < 0 || binding.method(history[order[at]]) == options_.method) places.push_back(at);
    }
    Permutations permutations(static_cast<std::uint32_t>(places.size()), options_.factor);
    do {
      permuted = order;
      for (std::uint32_t at = 0; at < places.size(); ++at)
        permuted[places[at]] = order[places[permutations.order()[at]]];
      answer.quasi_linearizable |= explore(permuted, answer.permutations);
    } while (permutations.next());
  }
  answer.quasi_linearizable |= answer.linearizable;
  return answer;
}

}  // namespace muster::round_up
