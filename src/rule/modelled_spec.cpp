#include "rule/modelled_spec.hpp"

#include <algorithm>
#include <bit>
#include <set>
#include <utility>

#include "rule/answer_text.hpp"
#include "rule/class_search.hpp"
#include "rule/observation_set.hpp"

namespace muster {
namespace {

// Enough to say what was possible instead; more would only delay the report.
constexpr unsigned most_orders_tried = 20'000;

}  // namespace

// ---- states ----

NumberedModels::NumberedModels(const CheckDefinition& check, Responses& responses)
    : check_(check), responses_(responses) {
  Models models;
  for (const auto& model : check.models) models.push_back(model->make());
  number(std::move(models));
}

NumberedModels::~NumberedModels() {
  for (Models& models : states_) destroy(models);
}

void NumberedModels::destroy(Models& models) const {
  for (std::size_t i = 0; i < models.size(); ++i) check_.models[i]->destroy(models[i]);
}

NumberedModels::StateId NumberedModels::number(Models models) {
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < models.size(); ++i) hash = mix(hash, check_.models[i]->hash(models[i]));
  const auto [begin, end] = by_hash_.equal_range(hash);
  for (auto found = begin; found != end; ++found) {
    bool equal = true;
    for (std::size_t i = 0; i < models.size() && equal; ++i)
      equal = check_.models[i]->equal(models[i], states_[found->second][i]);
    if (!equal) continue;
    destroy(models);
    return found->second;
  }
  states_.push_back(std::move(models));
  const auto id = static_cast<StateId>(states_.size() - 1);
  by_hash_.emplace(hash, id);
  return id;
}

const NumberedModels::Step& NumberedModels::apply(StateId state, Invocation invocation) {
  const std::uint64_t key = std::uint64_t{state} << 16 | invocation;
  if (const auto known = steps_.find(key); known != steps_.end()) return known->second;
  Models models;
  for (std::size_t i = 0; i < check_.models.size(); ++i) models.push_back(check_.models[i]->copy(states_[state][i]));
  AnswerText answer;
  Step step;
  step.happens = check_.invocations[invocation].invoke->run_on_models(models.data(), answer);
  if (step.happens) {
    step.response = responses_.number(answer.text());
    step.next = number(std::move(models));
  } else {
    destroy(models);
  }
  return steps_.emplace(key, step).first->second;
}

// ---- search ----

/// Looks for an order of some operations that the model accepts.
class ModelledSpec::Search {
 public:
  /// `required` must all be placed, with the answers they gave; those in `optional` may be, with any answer.
  Search(const ModelledSpec& spec, const Recorded& history, std::uint64_t required, std::uint64_t optional)
      : spec_(spec),
        history_(history),
        required_(required),
        optional_(optional),
        overlapping_(overlapping(history)),
        order_among_(required | optional) {}

  /// Whether there is one; with `blocked`, one after which that operation cannot happen.
  bool run(int blocked = -1) {
    blocked_ = blocked;
    return search(0, NumberedModels::initial);
  }

 private:
  bool search(std::uint64_t placed, NumberedModels::StateId state) {
    if ((placed & required_) == required_ && accepts_end(state)) return true;
    if (!seen_.emplace(placed, state).second) return false;
    for (std::uint64_t mask = (required_ | optional_) & ~placed; mask; mask &= mask - 1) {
      const auto i = static_cast<unsigned>(std::countr_zero(mask));
      if (history_.before[i] & order_among_ & ~spec_.asynchronous_ & ~placed) continue;
      const bool any_answer = !(required_ & bit_of(i));
      const NumberedModels::Step step = spec_.states_.apply(state, spec_.operations_[i].invocation);
      if (step.happens && (any_answer || step.response == history_.response[i]) &&
          search(placed | bit_of(i), step.next))
        return true;
      if (!any_answer && excused(i) && search(placed | bit_of(i), state)) return true;
    }
    return false;
  }

  bool excused(unsigned i) const {
    const auto& excuses = spec_.excuses_[i];
    return (overlapping_ & bit_of(i)) &&
           std::find(excuses.begin(), excuses.end(), history_.response[i]) != excuses.end();
  }

  bool accepts_end(NumberedModels::StateId state) const {
    if (blocked_ < 0) return true;
    return !spec_.states_.apply(state, spec_.operations_[static_cast<unsigned>(blocked_)].invocation).happens;
  }

  const ModelledSpec& spec_;
  const Recorded& history_;
  std::uint64_t required_, optional_, overlapping_, order_among_;
  int blocked_ = -1;
  std::set<std::pair<std::uint64_t, NumberedModels::StateId>> seen_;  // exact: a clash of hashes would be a false alarm
};

ModelledSpec::ModelledSpec(const CheckDefinition& check, const Test& test, Responses& responses,
                           std::uint64_t asynchronous)
    : check_(check), operations_(operations_of(test)), asynchronous_(asynchronous), states_(check, responses) {
  for (const TestOperation& operation : operations_) {
    const auto& definition = check.operations[check.invocations[operation.invocation].operation];
    excuses_.emplace_back();
    for (const std::string& excuse : definition.excuses) excuses_.back().push_back(responses.number(excuse));
  }
}

bool ModelledSpec::explains(const Recorded& history) const { return Search(*this, history, history.returned, 0).run(); }

ClassRuling ModelledSpec::explains_all(const HistoryClass& classed, absl::FunctionRef<bool()> go_on) const {
  // Whether an operation is excused depends on what it overlaps, in each history.
  if (std::ranges::any_of(excuses_, [](const auto& excuses) { return !excuses.empty(); })) return {};
  const auto step = [&](NumberedModels::StateId state, unsigned i) -> std::optional<NumberedModels::StateId> {
    const NumberedModels::Step made = states_.apply(state, operations_[i].invocation);
    if (!made.happens || made.response != classed.response[i]) return std::nullopt;
    return made.next;
  };
  return ClassSearch(classed, asynchronous_, step, go_on).run();
}

bool ModelledSpec::explains_stuck(const Recorded& history, unsigned operation) const {
  // The effect of an asynchronous operation may still be to come: then it is not part of the witness.
  const std::uint64_t may_lack = asynchronous_ & history.returned;
  for (std::uint64_t lacking = may_lack;; lacking = (lacking - 1) & may_lack) {
    if (Search(*this, history, history.returned & ~lacking, 0).run(static_cast<int>(operation))) return true;
    if (lacking == 0) return false;
  }
}

bool ModelledSpec::explains_classic(const Recorded& history) const {
  return Search(*this, history, history.returned, history.waiting()).run();
}

// ---- orders for the report ----

/// Serial orders of what was called, as the model would have it.
class ModelledSpec::Orders {
 public:
  Orders(const ModelledSpec& spec, const Recorded& history, const std::function<bool(const SerialHistory&)>& tell)
      : spec_(spec), history_(history), tell_(tell) {
    serial_.response.assign(spec.operations_.size(), absent);
  }
  bool run() { return search(0, NumberedModels::initial) && tries_ <= most_orders_tried; }

 private:
  bool search(std::uint64_t placed, NumberedModels::StateId state) {
    if (++tries_ > most_orders_tried) return false;
    if (placed == history_.called) return tell_(serial_);
    for (std::uint64_t mask = history_.called & ~placed; mask; mask &= mask - 1) {
      const auto i = static_cast<unsigned>(std::countr_zero(mask));
      if (history_.before[i] & ~spec_.asynchronous_ & ~placed) continue;
      const NumberedModels::Step step = spec_.states_.apply(state, spec_.operations_[i].invocation);
      serial_.order.push_back(static_cast<std::uint8_t>(i));
      serial_.response[i] = step.happens ? step.response : pending;
      serial_.stuck = !step.happens;
      const bool go_on = step.happens ? search(placed | bit_of(i), step.next) : tell_(serial_);
      serial_.order.pop_back();
      serial_.response[i] = absent;
      serial_.stuck = false;
      if (!go_on) return false;
    }
    return true;
  }

  const ModelledSpec& spec_;
  const Recorded& history_;
  const std::function<bool(const SerialHistory&)>& tell_;
  SerialHistory serial_;
  unsigned tries_ = 0;
};

bool ModelledSpec::each_order(const Recorded& history, const std::function<bool(const SerialHistory&)>& tell) const {
  return Orders(*this, history, tell).run();
}

}  // namespace muster
