#pragma once
// Small random histories of any spec. Half are made by running the spec itself with random points of effect, so that
// many pass; then some answers are changed, so that many fail. They have pending operations, repeats, empties and ties.

#include <algorithm>
#include <iterator>
#include <vector>

#include "base/rng.hpp"
#include "spec/spec.hpp"

namespace muster::test {

struct HistoryShape {
  std::size_t operations = 6;
  std::uint64_t values = 4;  ///< arguments are drawn from 1 .. values
  bool distinct = false;     ///< what is inserted (by the method without a result) is never repeated
  std::uint64_t keys = 2;
  std::int64_t times = 12;  ///< small: many ties
  unsigned pending = 10;    ///< percent
  unsigned changed = 15;    ///< percent of answers replaced by random ones
  bool peeks = true;
  std::uint64_t processes = 0;  ///< 0: one for each operation; else operations of a process may not overlap
};

inline Value random_answer(Rng& rng, const Method& method, const HistoryShape& shape) {
  if (method.answers_bool) return Value::boolean(rng.chance(1, 2));
  if (rng.chance(1, 4)) return Value::nil();
  return Value::integer(static_cast<std::int64_t>(rng.below(shape.values + 1)));
}

/// Short lists of the values, for what appends makes.
inline std::vector<Value> short_lists(const HistoryShape& shape) {
  std::vector<std::vector<Value>> lists{{}};
  std::vector<Value> values;
  for (std::size_t at = 0; at < lists.size(); ++at) {
    if (!lists[at].empty()) values.push_back(Value::list(lists[at]));
    for (std::uint64_t value = 1; lists[at].size() < 3 && value <= shape.values; ++value) {
      std::vector<Value> longer = lists[at];
      longer.push_back(Value::integer(static_cast<std::int64_t>(value)));
      lists.push_back(std::move(longer));
    }
  }
  return values;
}

/// The answer the object gives in `state`, found by asking the state space; none if it gives none of those tried.
inline std::optional<Value> answer_of(StateSpace& states, StateId state, Call call, const Method& method,
                                      const HistoryShape& shape, StateId& after) {
  std::vector<Value> candidates{Value::nil(), Value::boolean(true), Value::boolean(false)};
  for (std::uint64_t value = 0; value <= shape.values * 4 + 40; ++value)
    candidates.push_back(Value::integer(static_cast<std::int64_t>(value)));
  for (std::int64_t value = -20; value < 0; ++value) candidates.push_back(Value::integer(value));
  if (method.observes) std::ranges::copy(short_lists(shape), std::back_inserter(candidates));
  std::vector<StateId> next;
  // An object that fits every answer has none of its own.
  call.result = Value::symbol("no such answer");
  states.step(state, call, next);
  if (!next.empty()) {
    after = next.front();
    return Value();
  }
  for (const Value candidate : candidates) {
    if (method.answers_bool && candidate.is_integer()) continue;
    call.result = candidate;
    states.step(state, call, next);
    if (next.empty()) continue;
    after = next.front();
    return candidate;
  }
  return std::nullopt;
}

inline History random_history(Rng& rng, const Spec& spec, const HistoryShape& shape) {
  struct Draft {
    MethodIndex method;
    std::vector<Value> arguments;
    Value result;
    std::int64_t start, end, point, process;
    bool pending;
  };
  std::vector<Draft> drafts;
  std::int64_t fresh = 1;
  std::vector<std::int64_t> free_from(shape.processes);
  for (std::size_t i = 0; i < shape.operations; ++i) {
    Draft draft;
    do {
      draft.method = static_cast<MethodIndex>(rng.below(spec.methods().size()));
    } while (!shape.peeks && spec.methods()[draft.method].observes);
    const Method& method = spec.methods()[draft.method];
    if (spec.is_keyed()) draft.arguments.push_back(Value::integer(static_cast<std::int64_t>(rng.below(shape.keys))));
    const bool puts_in = method.arguments == 1 && !method.observes;
    for (unsigned a = 0; a < method.arguments; ++a) {
      const bool new_value = shape.distinct && puts_in;
      draft.arguments.push_back(
          Value::integer(new_value ? fresh++ : 1 + static_cast<std::int64_t>(rng.below(shape.values))));
    }
    if (method.optional_arguments > 0 && rng.chance(1, 2)) {
      const std::int64_t least = method.amounts == Amounts::any ? -2 : 0;
      draft.arguments.push_back(Value::integer(least + static_cast<std::int64_t>(rng.below(4))));
    }
    draft.start = static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(shape.times)));
    draft.end = draft.start + static_cast<std::int64_t>(rng.below(rng.chance(1, 3) ? 8 : 3));
    if (shape.processes > 0) {
      // A process has its next operation after its last one.
      draft.process = static_cast<std::int64_t>(i % shape.processes);
      std::int64_t& free = free_from[i % shape.processes];
      draft.start += free;
      draft.end += free;
      free = draft.end + 1;
    } else {
      draft.process = static_cast<std::int64_t>(i);
    }
    draft.point =
        draft.start + static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(draft.end - draft.start) + 1));
    draft.pending = rng.chance(shape.pending, 100);
    drafts.push_back(std::move(draft));
  }
  // Answers as the object gives them when each operation takes effect at its point.
  std::vector<std::size_t> order(drafts.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return drafts[i].point; });
  const auto states = spec.states();
  std::vector<std::pair<Value, StateId>> objects;
  std::vector<char> left_out(drafts.size());
  for (const std::size_t i : order) {
    Draft& draft = drafts[i];
    const Method& method = spec.methods()[draft.method];
    const Value key = spec.is_keyed() ? draft.arguments[0] : Value();
    std::size_t object = 0;
    while (object < objects.size() && objects[object].first != key) ++object;
    if (object == objects.size()) objects.emplace_back(key, states->initial());
    const std::span<const Value> arguments = std::span(draft.arguments).subspan(spec.is_keyed() ? 1 : 0);
    if (draft.pending && rng.chance(1, 2)) continue;  // it did not happen
    StateId after = 0;
    const auto answer =
        answer_of(*states, objects[object].second, {draft.method, arguments, {}, false, 0, key}, method, shape, after);
    if (answer) {
      draft.result = *answer;
      objects[object].second = after;
    } else if (rng.chance(3, 4)) {
      left_out[i] = 1;  // a lock that is held: most such calls are left out, some stay and fail
    }
  }
  HistoryBuilder build;
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    Draft& draft = drafts[i];
    const Method& method = spec.methods()[draft.method];
    if (left_out[i]) continue;
    if (!draft.pending && !draft.result.is_none() && rng.chance(shape.changed, 100))
      draft.result = random_answer(rng, method, shape);
    build.interval(build.process(Value::integer(draft.process)), build.method(method.name), draft.arguments,
                   draft.pending ? Value() : draft.result, draft.start,
                   draft.pending ? HistoryBuilder::still_pending : draft.end);
  }
  return build.finish(rng.chance(1, 2) ? Ties::overlap : Ties::precede);
}

}  // namespace muster::test
