// Replays a schedule against the rules of synchronisation, independently of how it was built.

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <algorithm>

#include "predict/deadlock_schedule.hpp"
#include "predict/schedule.hpp"

namespace muster::predict {

using trace::Kind;

namespace {

class Replay {
 public:
  explicit Replay(const SyncIndex& index)
      : index_(index), executed_(index.thread_count()), next_(index.thread_count()) {
    for (std::uint32_t thread = 0; thread < index.thread_count(); ++thread)
      for (const SyncEvent& event : index.events(thread)) {
        if (event.kind == Kind::fork) forks_[event.object] = {thread, event.index};
        if (is_signal(event.kind)) signals_[event.object].push_back({event.tick, thread, event.index});
      }
    for (auto& [object, signals] : signals_) std::ranges::sort(signals, {}, &Signal::tick);
  }

  std::optional<std::string> run(const Turn& turn) {
    const auto parent = forks_.find(turn.thread);
    if (parent != forks_.end() && executed_[parent->second.first] <= parent->second.second)
      return fmt::format("thread {} runs before it is forked", turn.thread);
    if (turn.events < executed_[turn.thread]) return fmt::format("thread {} runs backwards", turn.thread);
    if (turn.events > 0 && !index_.covers(turn.thread, turn.events - 1))
      return fmt::format("thread {} has no event {}", turn.thread, turn.events - 1);
    const auto events = index_.events(turn.thread);
    for (std::uint32_t& at = next_[turn.thread]; at < events.size() && events[at].index < turn.events; ++at) {
      executed_[turn.thread] = events[at].index;
      if (auto problem = execute(turn.thread, events[at])) return problem;
    }
    executed_[turn.thread] = turn.events;
    return std::nullopt;
  }

  std::uint32_t executed(std::uint32_t thread) const { return executed_[thread]; }

  /// Whether the thread's next event takes a lock that `holder` has.
  bool waits_for(std::uint32_t thread, std::uint32_t holder) {
    const auto events = index_.events(thread);
    if (next_[thread] == events.size() || events[next_[thread]].index != executed_[thread]) return false;
    const SyncEvent& event = events[next_[thread]];
    const Lock& lock = locks_[event.object];
    const bool has = (lock.count > 0 && lock.owner == holder) || lock.readers.contains(holder);
    return has && is_acquire(event.kind) && !is_attempt(event.kind) && is_taken(lock, thread, is_shared(event.kind));
  }

 private:
  struct Signal {
    std::uint32_t tick, thread, index;
  };
  struct Lock {
    std::uint32_t owner = 0, count = 0;
    absl::flat_hash_map<std::uint32_t, std::uint32_t> readers;  // with how often
  };

  std::optional<std::string> execute(std::uint32_t thread, const SyncEvent& event) {
    Lock& lock = locks_[event.object];
    switch (event.kind) {
      case Kind::lock:
      case Kind::try_lock:
        if (is_taken(lock, thread, false)) return blocked(thread, event);
        lock.owner = thread;
        ++lock.count;
        return std::nullopt;
      case Kind::unlock:
        --lock.count;
        return std::nullopt;
      case Kind::lock_shared:
      case Kind::try_lock_shared:
        if (is_taken(lock, thread, true)) return blocked(thread, event);
        ++lock.readers[thread];
        return std::nullopt;
      case Kind::unlock_shared:
        if (--lock.readers[thread] == 0) lock.readers.erase(thread);
        return std::nullopt;
      case Kind::join:
        if (executed_[event.object] < index_.event_count(event.object))
          return fmt::format("thread {} joins thread {} before its end", thread, event.object);
        return std::nullopt;
      default:
        return is_await(event.kind) ? await(thread, event) : std::nullopt;
    }
  }

  std::optional<std::string> await(std::uint32_t thread, const SyncEvent& event) {
    // Signals are only ever added to the done ones, so the first that is not done moves forward.
    const auto& signals = signals_[event.object];
    std::size_t& first_missing = signals_done_[event.object];
    while (first_missing < signals.size() && executed_[signals[first_missing].thread] > signals[first_missing].index)
      ++first_missing;
    if (first_missing < signals.size() && signals[first_missing].tick < event.tick)
      return fmt::format("thread {} goes on at event {} before it is signalled", thread, event.index);
    return std::nullopt;
  }

  /// Whether another thread has it, so that this one cannot.
  static bool is_taken(const Lock& lock, std::uint32_t thread, bool shared) {
    if (lock.count > 0 && lock.owner != thread) return true;
    return !shared && std::ranges::any_of(lock.readers, [&](const auto& reader) { return reader.first != thread; });
  }

  static std::string blocked(std::uint32_t thread, const SyncEvent& event) {
    return fmt::format("thread {} takes lock {} at event {}, while another thread holds it", thread, event.object,
                       event.index);
  }

  const SyncIndex& index_;
  std::vector<std::uint32_t> executed_, next_;
  absl::flat_hash_map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> forks_;  // child to parent and event
  absl::flat_hash_map<std::uint32_t, std::vector<Signal>> signals_;                    // by order object
  absl::flat_hash_map<std::uint32_t, std::size_t> signals_done_;
  absl::flat_hash_map<std::uint32_t, Lock> locks_;
};

}  // namespace

std::optional<std::string> find_illegal_step(const std::vector<Turn>& turns, const Prediction& prediction,
                                             const SyncIndex& index) {
  Replay replay(index);
  bool between_done = false;
  for (const Turn& turn : turns) {
    if (auto problem = replay.run(turn)) return problem;
    const bool first_done = replay.executed(prediction.thread) > prediction.first.index;
    const bool last_done = replay.executed(prediction.thread) > prediction.last.index;
    if (!between_done && replay.executed(prediction.other) > prediction.between.index) {
      if (!first_done || last_done) return "the access between does not come between the other two";
      between_done = true;
    }
  }
  if (!between_done || replay.executed(prediction.thread) <= prediction.last.index)
    return "the pattern is not completed";
  return std::nullopt;
}

std::optional<std::string> find_illegal_step(const std::vector<Turn>& turns, const Cycle& cycle,
                                             const SyncIndex& index) {
  Replay replay(index);
  for (const Turn& turn : turns)
    if (auto problem = replay.run(turn)) return problem;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const Dependency& wait = cycle[i];
    if (replay.executed(wait.thread) != wait.index ||
        !replay.waits_for(wait.thread, cycle[(i + 1) % cycle.size()].thread))
      return fmt::format("thread {} does not wait for the next one", wait.thread);
  }
  return std::nullopt;
}

}  // namespace muster::predict
