#include "check/make_small.hpp"

#include <algorithm>

#include "base/shared_memory.hpp"
#include "base/supervisor.hpp"
#include "check/minimise.hpp"
#include "search/worker.hpp"

namespace muster {
namespace {

using SteadyClock = std::chrono::steady_clock;

CheckOptions as_minimised(const CheckRunOptions& options) {
  CheckOptions check = options.check;
  // That a test fails was predicted or drawn; that smaller ones do not is shown by searching.
  const StrategyKind kind = check.strategy.kind;
  if (kind == StrategyKind::predict || kind == StrategyKind::portfolio) check.strategy.kind = StrategyKind::depth_first;
  const std::chrono::milliseconds longest(static_cast<long>(options.minimise_seconds * 1000));
  check.deadline = std::min(check.deadline, SteadyClock::now() + longest);
  return check;
}

}  // namespace

Failure make_small(const CheckDefinition& definition, Failure failure, const CheckRunOptions& options,
                   const RuntimeOptions& runtime) {
  const CheckOptions check = as_minimised(options);
  Halt halt(check.deadline, options.interrupted);
  if (halt.order() != Halt::Order::go_on) return failure;
  auto slot = make_shared_memory<WorkerSlot>();
  auto worker =
      std::make_unique<Worker>(slot->journal, slot->racy_sites, runtime, true, [&](Engine& engine, Channel& channel) {
        CheckBench bench = lonely_bench(engine, *slot, definition, check);
        const auto tell = [&](const Failure& smaller) {
          TestResult result;
          result.failure = smaller;
          channel.send(encode(result, result_letter));
        };
        tell(minimise(bench, failure, tell));
      });
  supervise(std::move(worker), halt, options.hang_seconds,
            {.message = [&](std::span<const std::byte> message) { failure = *decode_result(message).failure; },
             .error = [](const std::string&) {}});  // then it stays as large as it is
  return failure;
}

}  // namespace muster
