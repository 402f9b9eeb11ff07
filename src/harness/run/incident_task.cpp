#include "harness/run/incident_task.hpp"

#include "base/archive.hpp"
#include "harness/steps/endings.hpp"

namespace muster {

void visit(Archive& archive, IncidentReport& report) {
  archive.field(report.incident);
  archive.field(report.execution);
  archive.field(report.schedule);
  archive.field(report.racy_sites);
  archive.field(report.drawn);
}

std::vector<std::byte> IncidentReport::encode() const {
  Archive archive;
  archive.put(*this);
  return std::move(archive.bytes);
}

IncidentReport IncidentReport::decode(std::span<const std::byte> bytes) {
  IncidentReport report{
      .incident = {.kind = IncidentKind::limit, .place = {}, .earlier = {}}, .schedule = {}, .racy_sites = {}};
  Archive(bytes).field(report);
  return report;
}

void IncidentTask::begin_execution() {
  ++executions_;
  incidents_.clear();
  if (racy_sites_.size() == points_.size()) return;
  points_.clear();
  racy_sites_.for_each([this](std::uint32_t site) { points_.push_back(site); });
}

void IncidentTask::incident(const Incident& incident) noexcept { incidents_.push_back(incident); }

bool IncidentTask::end_execution(const Execution& execution, const Schedule& schedule, Engine& engine) {
  append_ending(execution, schedule, engine, leaks_, incidents_);
  bool stop = false;
  for (const Incident& incident : incidents_) {
    const auto key = std::tuple(incident.kind, static_cast<std::uint32_t>(incident.place.site),
                                static_cast<std::uint32_t>(incident.earlier.site));
    if (is_aside_ && !is_finding(incident.kind)) {
      stop = true;
      continue;
    }
    if (incident.kind == IncidentKind::not_reproducible || incident.kind == IncidentKind::unsupported) stop = true;
    if (stop_at_first_ && is_finding(incident.kind) && !is_race(incident.kind)) stop = found_aside_ = true;
    if (!told_.insert(key).second) continue;
    const auto decisions = schedule.decisions();
    channel_.send(
        IncidentReport{incident, {decisions.begin(), decisions.end()}, points_, executions_, is_aside_}.encode());
  }
  return !stop;
}

}  // namespace muster
