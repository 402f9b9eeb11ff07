#include "harness/incident_task.hpp"

#include <algorithm>
#include <cstring>

#include "harness/endings.hpp"

namespace muster {
std::vector<std::byte> IncidentReport::encode() const {
  std::vector<std::byte> bytes(sizeof incident + sizeof execution + sizeof preemptions + schedule.size() * sizeof(Decision));
  std::byte* at = bytes.data();
  const auto put = [&at](const void* from, std::size_t size) {
    std::memcpy(at, from, size);
    at += size;
  };
  put(&incident, sizeof incident);
  put(&execution, sizeof execution);
  put(&preemptions, sizeof preemptions);
  if (!schedule.empty()) put(schedule.data(), schedule.size() * sizeof(Decision));
  return bytes;
}

IncidentReport IncidentReport::decode(std::span<const std::byte> bytes) {
  IncidentReport report{.incident = {.kind = IncidentKind::limit, .place = {}, .earlier = {}}, .schedule = {}};
  const std::byte* at = bytes.data();
  const auto get = [&at](void* into, std::size_t size) {
    std::memcpy(into, at, size);
    at += size;
  };
  get(&report.incident, sizeof report.incident);
  get(&report.execution, sizeof report.execution);
  get(&report.preemptions, sizeof report.preemptions);
  report.schedule.resize(static_cast<std::size_t>(bytes.data() + bytes.size() - at) / sizeof(Decision));
  if (!report.schedule.empty()) get(report.schedule.data(), report.schedule.size() * sizeof(Decision));
  return report;
}

void IncidentTask::incident(const Incident& incident) noexcept { incidents_.push_back(incident); }

bool IncidentTask::end_execution(const Execution& execution, const Schedule& schedule, Engine& engine) {
  ++executions_;
  append_ending(execution, engine, leaks_, incidents_);
  bool stop = false;
  for (const Incident& incident : incidents_) {
    const auto key = std::tuple(incident.kind, static_cast<std::uint32_t>(incident.place.site), static_cast<std::uint32_t>(incident.earlier.site));
    if (incident.kind == IncidentKind::not_reproducible || incident.kind == IncidentKind::unsupported) stop = true;
    if (stop_at_first_ && is_finding(incident.kind) && incident.kind != IncidentKind::race) stop = true;
    if (!told_.insert(key).second) continue;
    const auto decisions = schedule.decisions();
    channel_.send(IncidentReport{incident, {decisions.begin(), decisions.end()}, executions_, execution.preemptions}.encode());
  }
  return !stop;
}

}  // namespace muster
