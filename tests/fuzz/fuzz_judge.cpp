// Histories in the small text form, judged as a queue, a stack, a priority queue and a register: monitors and search
// must agree.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/error.hpp"
#include "judge/core/linearizability.hpp"
#include "spec/builtin.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster;
  static const SpecPtr specs[] = {queue_spec(), stack_spec(), priority_queue_spec(), register_spec(), set_spec()};
  if (size == 0) return 0;
  const Spec& spec = *specs[data[0] % std::size(specs)];
  // Four bits an event: who, and what it does; values count up, so some are distinct and some repeat.
  HistoryBuilder build;
  std::int64_t fresh = 0;
  OperationId open[4];
  bool is_open[4] = {};
  for (std::size_t at = 1; at < size && at < 24; ++at) {
    const unsigned who = data[at] & 3, what = data[at] >> 2 & 3, value = data[at] >> 4;
    if (is_open[who]) {
      const Method& method = spec.methods()[build.operation(open[who]).method];
      const Value answer = method.answers_bool    ? Value::boolean(value & 1)
                           : method.arguments > 0 ? Value()
                           : value == 0           ? Value::nil()
                                                  : Value::integer(value);
      build.returned(open[who], answer);
    } else {
      for (const Method& method : spec.methods()) build.method(method.name);
      const auto index = static_cast<MethodId>(what % spec.methods().size());
      std::vector<Value> arguments;
      if (spec.is_keyed()) arguments.push_back(Value::integer(value & 1));
      if (spec.methods()[index].arguments > 0) arguments.push_back(Value::integer(value < 12 ? ++fresh : value));
      open[who] = build.call(build.process(Value::integer(who)), index, arguments);
    }
    is_open[who] = !is_open[who];
  }
  const History history = build.finish();
  const Verdict chosen = judge_linearizability(history, spec);
  const Verdict general = judge_linearizability(history, spec, {.monitors = false});
  if (chosen.index() != general.index()) std::abort();
  return 0;
}
