#include "harness/steps/replayed.hpp"

#include <algorithm>

#include "base/shared_memory.hpp"
#include "base/supervisor.hpp"
#include "harness/steps/endings.hpp"
#include "reduction/replay_strategy.hpp"
#include "runtime/every_access.hpp"
#include "search/death.hpp"
#include "search/worker.hpp"

namespace muster {

Shared<RacySites> make_racy_sites(const std::vector<std::uint32_t>& known) {
  auto sites = make_shared_memory<RacySites>();
  for (const std::uint32_t site : known) sites->insert(site);
  return sites;
}

namespace {

Replayed replay_once(Engine& engine, Journal& journal, const Program& program, const std::vector<Decision>& schedule,
                     const RacySites& points, bool leaks, TraceReader& reader) {
  // Whoever followed a plan decided to the end, or ended the execution.
  ReplayStrategy strategy(schedule, engine.options().planned);
  Replayed result;
  Tracer tracer(engine, points, reader);
  strategy.begin_execution(journal.schedule);
  result.execution = engine.execute(program, strategy, tracer);
  tracer.tell_blocked();
  result.incidents = tracer.incidents;
  append_ending(result.execution, journal.schedule, engine, leaks, result.incidents);
  return result;
}

/// What was told before `forget` is not part of the execution.
class ForgetfulReader : public TraceReader {
 public:
  virtual void forget() = 0;
};

class EventList final : public ForgetfulReader {
 public:
  void event(const TracedEvent& event) override { events.push_back(event); }
  void values(const TracedValues& values) override {
    if (!events.empty()) events.back().values = values;
  }
  void fails_spuriously() override {
    if (!events.empty()) events.back().spurious = true;
  }
  void forget() override { events.clear(); }

  std::vector<TracedEvent> events;
};

Replayed replay_here(Engine& engine, Journal& journal, const Program& program, const std::vector<Decision>& schedule,
                     const RacySites& points, bool leaks, ForgetfulReader& reader) {
  warm_up(engine, journal, program);
  for (;;) {
    Replayed result = replay_once(engine, journal, program, schedule, points, leaks, reader);
    if (!was_set_up(result.execution, engine, journal, program)) return result;
    reader.forget();
  }
}

template <class T>
void send(Channel& channel, char tag, const T& value) {
  std::vector<std::byte> message(1, static_cast<std::byte>(tag));
  const auto bytes = std::as_bytes(std::span(&value, 1));
  message.insert(message.end(), bytes.begin(), bytes.end());
  channel.send(message);
}

template <class T>
T received(std::span<const std::byte> message) {
  alignas(T) std::byte storage[sizeof(T)];
  std::copy_n(message.data() + 1, sizeof(T), storage);
  return *reinterpret_cast<const T*>(storage);
}

/// To the parent.
class EventSender final : public ForgetfulReader {
 public:
  explicit EventSender(Channel& channel) : channel_(channel) {}
  void event(const TracedEvent& event) override { send(channel_, 'e', event); }
  void values(const TracedValues& values) override { send(channel_, 'v', values); }
  void fails_spuriously() override { send(channel_, 's', '\0'); }
  void forget() override { send(channel_, 'f', '\0'); }

 private:
  Channel& channel_;
};

/// Until the worker is done; what it ended with, if it did not come to its end, is among the incidents.
void receive_all(std::unique_ptr<Worker> worker, const HarnessOptions& options, const Journal& journal,
                 std::vector<Incident>& incidents, Duties duties) {
  Halt halt(Halt::never);
  const ProcessEnd end = supervise(std::move(worker), halt, options.explore.hang_seconds, std::move(duties));
  if (end.died()) incidents.push_back(incident_of(end, journal, options.explore.hang_seconds));
}

}  // namespace

Replayed replay_in_worker(const Program& program, const HarnessOptions& options, const std::vector<Decision>& schedule,
                          RacySites& racy_sites, bool silent) {
  auto journal = make_shared_memory<Journal>();
  Replayed result;
  tell_every_access(racy_sites);
  RuntimeOptions runtime = options.explore.runtime;
  runtime.see_escapes = true;
  auto worker = std::make_unique<Worker>(*journal, racy_sites, runtime, silent, [&](Engine& engine, Channel& channel) {
    EventSender sender(channel);
    const Replayed here =
        replay_here(engine, *journal, program, schedule, racy_sites, options.explore.runtime.leaks, sender);
    for (const Incident& incident : here.incidents) send(channel, 'i', incident);
    send(channel, 'x', here.execution);
  });
  EventList list;
  const auto handle = [&](std::span<const std::byte> message) {
    switch (static_cast<char>(message[0])) {
      case 'e':
        list.event(received<TracedEvent>(message));
        break;
      case 'v':
        list.values(received<TracedValues>(message));
        break;
      case 's':
        list.fails_spuriously();
        break;
      case 'f':
        list.forget();
        break;
      case 'i':
        result.incidents.push_back(received<Incident>(message));
        break;
      case 'x':
        result.execution = received<Execution>(message);
        break;
      default:
        break;
    }
  };
  receive_all(std::move(worker), options, *journal, result.incidents,
              {.message = handle, .error = [](const std::string&) {}});
  result.events = std::move(list.events);
  return result;
}

std::vector<std::uint32_t> shown_sites(const Incident& incident) {
  if (!has_two_places(incident.kind)) return {};
  return {static_cast<std::uint32_t>(incident.place.site), static_cast<std::uint32_t>(incident.earlier.site)};
}

Replayed replay_showing(const Program& program, const HarnessOptions& options, const std::vector<Decision>& schedule,
                        const std::vector<std::uint32_t>& known_sites, const Incident& incident) {
  const auto sites = make_racy_sites(known_sites);
  for (const std::uint32_t site : shown_sites(incident)) sites->show(site);
  return replay_in_worker(program, options, schedule, *sites, true);
}

Incident as_replayed(const Incident& race, const Replayed& replayed) {
  const auto is_at = [](const Incident& incident, const Incident& other) {
    const auto same = [](const Place& a, const Place& b) {
      return static_cast<std::uint32_t>(a.site) == static_cast<std::uint32_t>(b.site);
    };
    return same(incident.place, other.place) && same(incident.earlier, other.earlier);
  };
  const auto shown = std::ranges::find_if(
      replayed.incidents, [&](const Incident& other) { return is_race(other.kind) && is_at(race, other); });
  return race.kind == IncidentKind::race && shown != replayed.incidents.end() ? *shown : race;
}

std::vector<Incident> run_in_worker(Journal& journal, RacySites& racy_sites, const HarnessOptions& options, bool silent,
                                    const std::function<std::vector<Incident>(Engine&)>& work) {
  std::vector<Incident> incidents;
  auto worker = std::make_unique<Worker>(journal, racy_sites, options.explore.runtime, silent,
                                         [&](Engine& engine, Channel& channel) {
                                           for (const Incident& incident : work(engine)) send(channel, 'i', incident);
                                         });
  receive_all(std::move(worker), options, journal, incidents, {.message = [&](std::span<const std::byte> message) {
                if (static_cast<char>(message[0]) == 'i') incidents.push_back(received<Incident>(message));
              }});
  return incidents;
}

Replayed replay_in_this_process(const Program& program, const HarnessOptions& options,
                                const std::vector<Decision>& schedule, RacySites& racy_sites) {
  auto journal = make_shared_memory<Journal>();
  Engine engine(options.explore.runtime, *journal, racy_sites, preferred_context_mode());
  if (take_control) take_control(engine);
  EventList list;
  Replayed replayed = replay_here(engine, *journal, program, schedule, racy_sites, options.explore.runtime.leaks, list);
  replayed.events = std::move(list.events);
  muster::engine = nullptr;
  return replayed;
}
}  // namespace muster
