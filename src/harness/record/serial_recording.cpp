#include "harness/record/serial_recording.hpp"

#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/error.hpp"
#include "base/shared_memory.hpp"
#include "harness/follow/follow.hpp"
#include "harness/record/transaction_functions.hpp"
#include "harness/steps/endings.hpp"
#include "harness/steps/event_places.hpp"
#include "harness/steps/replayed.hpp"
#include "instrument/outer_site.hpp"
#include "instrument/tap.hpp"
#include "record/hooks.h"
#include "schedule/depth_first_strategy.hpp"

namespace muster {
namespace {

/// Hands events on to the recorder, which keeps a log for each model thread as it does for each real one: thread-locals
/// are theirs alone.
class ToRecorder final : public tap::Listener {
 public:
  void approach(ThreadId, SiteId) override {}
  void access(ThreadId thread, std::uint64_t address, std::uint64_t size, tap::Kind kind, SiteId site) override {
    const SiteId place = trace::is_plain(kind) ? site : tap::outer_site(site);
    record(thread, [&] { muster_record_access(pointer(address), size, static_cast<int>(kind), pointer(place)); });
  }
  void event(ThreadId thread, tap::Kind kind, std::uint64_t object, SiteId site) override {
    const SiteId place = tap::outer_site(site);
    record(thread, [&] { muster_record_event(static_cast<int>(kind), pointer(object), pointer(place)); });
  }

 private:
  static const void* pointer(std::uint64_t address) { return reinterpret_cast<const void*>(address); }

  template <class Record>
  void record(ThreadId thread, Record record) {
    const bool was = std::exchange(controlled, false);
    const std::uint64_t bit = std::uint64_t{1} << thread;
    if (!(known_ & bit)) muster_record_thread_start(thread);
    known_ |= bit;
    record();
    controlled = was;
  }

  std::uint64_t known_ = 0;
};

class Incidents final : public Observer {
 public:
  std::vector<Incident> list;

 private:
  void incident(const Incident& incident) noexcept override {
    const bool was = std::exchange(controlled, false);
    if (!is_race(incident.kind)) list.push_back(incident);
    controlled = was;
  }
};

}  // namespace

bool serial_recording_requested() {
  const char* const value = std::getenv("MUSTER_SERIAL");
  return value && *value && std::strcmp(value, "0") != 0;
}

void record_serially(const std::string& file, const RunDescription& about, const Program& program,
                     const HarnessOptions& options) {
  HarnessOptions planned = options;
  planned.explore.runtime = planned_options(options.explore.runtime);
  auto journal = make_shared_memory<Journal>();
  auto racy_sites = make_shared_memory<RacySites>();
  racy_sites->freeze();
  const auto incidents = run_in_worker(*journal, *racy_sites, planned, false, [&](Engine& engine) {
    choose_transaction_functions(about.atomic);
    tell_events_outside_headers();
    warm_up(engine, *journal, program);
    if (const int error = muster_record_start(file.c_str()))
      fail("{}: cannot be written: {}", file, std::strerror(error));
    muster_record_about(about.to_text().c_str());
    ToRecorder to_recorder;
    Incidents found;
    DepthFirstStrategy strategy({.preemptions = 0, .late_yields = 0});
    strategy.begin_execution(journal->schedule);
    tap::listen(&to_recorder);
    const Execution execution = engine.execute(program, strategy, found);
    tap::listen(nullptr);
    muster_record_stop();
    append_ending(execution, journal->schedule, engine, false, found.list);
    return found.list;
  });
  for (const Incident& incident : incidents)
    fmt::print(stderr, "muster: {}: {}\n", name(incident.kind), incident.message);
}

}  // namespace muster
