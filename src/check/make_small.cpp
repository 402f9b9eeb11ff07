#include "check/make_small.hpp"

#include <poll.h>

#include <algorithm>

#include "check/minimise.hpp"
#include "check/run_worker.hpp"
#include "explore/shared_memory.hpp"
#include "explore/worker.hpp"

namespace muster {
namespace {

using SteadyClock = std::chrono::steady_clock;

CheckOptions as_minimised(const CheckRunOptions& options) {
  CheckOptions check = options.check;
  // That a test fails was predicted; that smaller ones do not is shown by searching.
  if (check.strategy.kind == StrategyKind::predict) check.strategy.kind = StrategyKind::depth_first;
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
  auto seat = make_shared_memory<RunSeat>();
  Worker worker(seat->journal, seat->racy_sites, runtime, true, [&](Engine& engine, Channel& channel) {
    Patient patient;
    CheckBench bench{engine, seat->journal, seat->racy_sites, definition, check, patient, seat->sharing()};
    const auto tell = [&](const Failure& smaller) {
      TestResult result;
      result.failure = smaller;
      channel.send(encode(result, result_letter));
    };
    tell(minimise(bench, failure, tell));
  });
  for (;;) {
    pollfd fd{worker.channel().reader(), POLLIN, 0};
    poll(&fd, 1, halt.wait(tick_milliseconds));
    const bool open = worker.channel().receive([&](std::span<const std::byte> message) {
      if (static_cast<char>(message[0]) != '!') failure = *decode_result(message).failure;
    });
    if (!open) break;
    if (worker.hangs(options.hang_seconds) || halt.order() != Halt::Order::go_on) {
      worker.kill();
      break;
    }
  }
  worker.join();
  return failure;
}

}  // namespace muster
