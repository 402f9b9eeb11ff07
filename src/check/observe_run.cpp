// Phase 1 of a test by itself, for records and for people.

#include "base/error.hpp"
#include "base/shared_memory.hpp"
#include "base/supervisor.hpp"
#include "check/run.hpp"
#include "rule/history_judge.hpp"
#include "rule/observation_file.hpp"
#include "search/worker.hpp"

namespace muster {
namespace {

/// Observes a test in a worker, and gives back what `tell` makes of it there.
template <class Tell>
std::string observe_in_worker(const CheckDefinition& check, const Test& test, const CheckRunOptions& options,
                              const Tell& tell) {
  auto slot = make_shared_memory<WorkerSlot>();
  auto worker = std::make_unique<Worker>(
      slot->journal, slot->racy_sites, options.runtime, true, [&](Engine& engine, Channel& channel) {
        CheckBench bench = lonely_bench(engine, *slot, check, options.check);
        Responses responses;
        TestResult result;
        const auto observed = observe(bench, test, responses, result);
        if (!observed) {
          fail("check {}: the test '{}' cannot be recorded: {}", check.name, to_text(check, test),
               result.failure             ? std::string(name(result.failure->kind))
               : result.undecided.empty() ? "not exhausted"
                                          : result.undecided);
        }
        const std::string text = tell(*observed, responses);
        channel.send(std::as_bytes(std::span(text)));
      });
  std::string text;
  Halt halt(Halt::never);
  const ProcessEnd end =
      supervise(std::move(worker), halt, options.hang_seconds, {.message = [&](std::span<const std::byte> message) {
                  text.assign(reinterpret_cast<const char*>(message.data()), message.size());
                }});
  if (end.hung)
    fail(
        "check {}: a serial execution of '{}' makes no step for {} s (--hang): a loop without a scheduling point, or a "
        "hang",
        check.name, to_text(check, test), options.hang_seconds);
  if (end.died())
    fail("check {}: a serial execution of '{}' was ended by signal {}", check.name, to_text(check, test), end.signal);
  return text;
}

}  // namespace

std::string observe_test(const CheckDefinition& check, const Test& test, const CheckRunOptions& options) {
  return observe_in_worker(check, test, options, [&](const ObservationSet& observed, const Responses& responses) {
    return write_observations(check, test, observed, responses);
  });
}

std::vector<SerialRun> serial_runs_of(const CheckDefinition& check, const Test& test, const CheckRunOptions& options) {
  const std::string bytes =
      observe_in_worker(check, test, options, [](const ObservationSet& observed, const Responses& responses) {
        TestResult result;
        Failure& carrier = result.failure.emplace();
        for (const SerialHistory& serial : observed.histories())
          carrier.serial_runs.push_back(to_run(serial, responses));
        const auto encoded = encode(result, result_letter);
        return std::string(reinterpret_cast<const char*>(encoded.data()), encoded.size());
      });
  return decode_result(std::as_bytes(std::span(bytes))).failure->serial_runs;
}

}  // namespace muster
