#include "spec/priority_states.hpp"

#include <fmt/format.h>

#include "spec/counts.hpp"
#include "spec/forgetting_states.hpp"
#include "spec/modelled.hpp"

namespace muster {
namespace {

/// A state is the number of its multiset.
template <class Before>
class PriorityStates final : public ForgettingStates {
 public:
  StateId initial() override { return counts_.none; }

  void step(StateId id, const Call& call, std::vector<StateId>& next) override {
    if (call.method == 0) {
      next.push_back(counts_.more(id, call.arguments[0]));
      return;
    }
    const Value given = id == counts_.none ? Value::nil() : counts_.least(id);
    if (!call.pending && !same_answer(given, call.result)) return;
    next.push_back(call.method == 2 || id == counts_.none ? id : counts_.less(id, given));
  }

  std::size_t bytes() const override { return counts_.bytes(); }
  void keep(std::vector<StateId>& states) override { counts_.keep(states); }

  /// As the model writes it: what comes first stands last.
  std::string describe(StateId id) const override {
    std::string out;
    counts_.for_each(id, [&](Value value, std::uint32_t count) {
      for (; count > 0; --count) out = fmt::format("{}{}{}", to_string(value), out.empty() ? "" : " ", out);
    });
    return "[" + out + "]";
  }

 private:
  Counts<Value, Before> counts_;
};

}  // namespace

std::unique_ptr<StateSpace> smallest_first_states() { return std::make_unique<PriorityStates<std::less<>>>(); }
std::unique_ptr<StateSpace> largest_first_states() { return std::make_unique<PriorityStates<std::greater<>>>(); }

}  // namespace muster
