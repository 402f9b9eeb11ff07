#include "harness/session/verify.hpp"

#include <fmt/format.h>
#include <string.h>

#include <memory>
#include <utility>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/shared_memory.hpp"
#include "base/supervisor.hpp"
#include "reduction/replay_strategy.hpp"
#include "schedule/random_strategies.hpp"
#include "schedule/surw_strategy.hpp"
#include "search/search.hpp"
#include "search/worker.hpp"

namespace muster {
namespace {

/// A hash of everything that happened, in order.
class Fingerprint final : public Observer {
 public:
  bool watches_events() const override { return true; }
  void event(const Event& e) noexcept override {
    hash_ = mix(hash_ ^ e.object, mix(e.site, (std::uint64_t{e.index} << 16) | (std::uint64_t{e.thread} << 8) |
                                                  static_cast<unsigned>(e.kind)));
  }
  void incident(const Incident& i) noexcept override {
    hash_ = mix(hash_, static_cast<std::uint64_t>(i.kind) ^ i.place.site ^ i.address);
  }
  std::uint64_t take() { return std::exchange(hash_, 0); }

 private:
  std::uint64_t hash_ = 0;
};

std::unique_ptr<Strategy> strategy_number(std::uint64_t i, std::uint64_t seed) {
  NextNumber once = [i, done = false]() mutable -> std::optional<std::uint64_t> {
    return std::exchange(done, true) ? std::nullopt : std::optional(i);
  };
  switch (i % 4) {
    case 0:
      return std::make_unique<RandomWalkStrategy>(seed, once);
    case 1:
      return std::make_unique<PctStrategy>(seed, once, 3);
    case 2:
      return std::make_unique<SurwStrategy>(seed, once);
    default:
      return std::make_unique<PosStrategy>(seed, once);
  }
}

void verify_here(Engine& engine, Journal& journal, Channel& channel, const Program& program, std::uint64_t count,
                 std::uint64_t seed) {
  constexpr unsigned most_set_ups = 4;
  unsigned set_ups = 0;
  Fingerprint fingerprint;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto strategy = strategy_number(i, seed);
    strategy->begin_execution(journal.schedule);
    const Execution first = engine.execute(program, *strategy, fingerprint);
    const std::uint64_t expected = fingerprint.take();
    const std::string text = to_string(journal.schedule.decisions());
    ReplayStrategy replay(parse_schedule(text));
    replay.begin_execution(journal.schedule);
    const Execution again = engine.execute(program, replay, fingerprint);
    const bool same = fingerprint.take() == expected && again.ending == first.ending &&
                      to_string(journal.schedule.decisions()) == text;
    if (!same && set_ups < most_set_ups &&
        engine.surroundings().lasting_data().changed()) {  // a library set itself up in the first run
      ++set_ups;
      --i;
      continue;
    }
    const std::string message = (same ? "=" : "x") + text;
    channel.send(std::as_bytes(std::span(message)));
  }
}

}  // namespace

Verification verify_replay(const Scenario& scenario, const HarnessOptions& options, std::uint64_t count) {
  const Program program{[](void* s) { static_cast<const Scenario*>(s)->body(); }, const_cast<Scenario*>(&scenario)};
  auto journal = make_shared_memory<Journal>();
  auto racy_sites = make_shared_memory<RacySites>();
  racy_sites->freeze();  // a site that becomes a point between the two runs would make them differ
  Verification result;
  auto worker = std::make_unique<Worker>(
      *journal, *racy_sites, options.explore.runtime, true, [&](Engine& engine, Channel& channel) {
        warm_up(engine, *journal, program);
        verify_here(engine, *journal, channel, program, count, options.strategy.seed);
      });
  const auto handle = [&](std::span<const std::byte> message) {
    ++result.schedules;
    if (static_cast<char>(message[0]) == '=') return;
    if (result.different++ == 0)
      result.first_difference.assign(reinterpret_cast<const char*>(message.data()) + 1, message.size() - 1);
  };
  Halt halt(options.explore.deadline, options.explore.interrupted);
  const ProcessEnd end = supervise(std::move(worker), halt, options.explore.hang_seconds, {.message = handle});
  if (result.schedules < count)
    result.ended_by = end.stopped       ? "was not drawn: this was stopped"
                      : end.hung        ? fmt::format("makes no step for {} s (--hang)", options.explore.hang_seconds)
                      : end.signal != 0 ? fmt::format("ended its process ({})", strsignal(end.signal))
                                        : "ended its process";
  return result;
}

}  // namespace muster
