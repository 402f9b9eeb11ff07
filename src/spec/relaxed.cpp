#include "spec/relaxed.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "spec/relaxed_states.hpp"

namespace muster {
namespace {

class RelaxedSpec final : public Spec {
 public:
  RelaxedSpec(SpecPtr exact, unsigned factor) : exact_(std::move(exact)), factor_(factor) {}

  std::string_view name() const override { return exact_->name(); }
  std::span<const Method> methods() const override { return exact_->methods(); }
  Family family() const override { return exact_->family(); }
  unsigned factor() const override { return factor_; }
  std::unique_ptr<StateSpace> states() const override {
    switch (family()) {
      case Family::queue:
        return relaxed_queue_states(factor_);
      case Family::stack:
        return relaxed_stack_states(factor_);
      default:
        return relaxed_priority_queue_states(factor_, family() == Family::largest_first);
    }
  }

 private:
  SpecPtr exact_;
  unsigned factor_;
};

}  // namespace

bool can_relax(const Spec& spec) {
  const Family family = spec.family();
  return family == Family::queue || family == Family::stack || family == Family::smallest_first ||
         family == Family::largest_first;
}

SpecPtr relaxed(const SpecPtr& spec, unsigned factor) {
  if (!can_relax(*spec)) fail("{} has no relaxed form; queue, stack and priority-queue have", spec->name());
  if (factor == 0) return spec;
  return std::make_shared<RelaxedSpec>(spec, factor);
}

void RelaxedStates::step(StateId state, const Call& call, std::vector<StateId>& next) {
  if (call.method == 0) {
    next.push_back(put(state, call.arguments[0]));
    return;
  }
  items_.clear();
  rank(state, items_);
  const bool any = call.pending || call.result.is_none();
  if (items_.empty()) {
    if (any || call.result.is_nil()) next.push_back(state);
    return;
  }
  if (call.method == 2) {
    if (any || call.result == items_.front().value) next.push_back(state);
    return;
  }
  std::size_t may_be_skipped = 0;  // so many of the first items
  for (std::size_t index = 0; index < items_.size(); ++index) {
    const std::size_t skipped = preceding(items_, index);
    while (may_be_skipped < skipped && items_[may_be_skipped].skips < factor_) ++may_be_skipped;
    if (skipped > factor_ || may_be_skipped < skipped) return;
    if (any || call.result == items_[index].value) next.push_back(take(state, items_, index, skipped));
  }
}

std::string RelaxedStates::describe(StateId state) const {
  std::vector<Ranked> items;
  rank(state, items);
  std::string out = "[";
  for (const Ranked& item : items) {
    out += fmt::format("{}{}{}", out.size() > 1 ? " " : "", to_string(item.value),
                       item.skips > 0 ? fmt::format("(skipped {} times)", item.skips) : "");
  }
  return out + "]";
}

}  // namespace muster
