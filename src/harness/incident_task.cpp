#include "harness/incident_task.hpp"

#include <algorithm>
#include <cstring>

#include "harness/endings.hpp"

namespace muster {
namespace {

void put(std::vector<std::byte>& bytes, const void* from, std::size_t size) {
  const auto* begin = static_cast<const std::byte*>(from);
  bytes.insert(bytes.end(), begin, begin + size);
}

template <class T>
void put_all(std::vector<std::byte>& bytes, const std::vector<T>& items) {
  const std::uint64_t count = items.size();
  put(bytes, &count, sizeof count);
  put(bytes, items.data(), items.size() * sizeof(T));
}

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : at_(bytes.data()) {}
  void get(void* into, std::size_t size) {
    if (size > 0) std::memcpy(into, at_, size);
    at_ += size;
  }
  template <class T>
  void get_all(std::vector<T>& items) {
    std::uint64_t count = 0;
    get(&count, sizeof count);
    items.resize(count);
    get(items.data(), count * sizeof(T));
  }

 private:
  const std::byte* at_;
};

}  // namespace

std::vector<std::byte> IncidentReport::encode() const {
  std::vector<std::byte> bytes;
  put(bytes, &incident, sizeof incident);
  put(bytes, &execution, sizeof execution);
  put_all(bytes, schedule);
  put_all(bytes, racy_sites);
  return bytes;
}

IncidentReport IncidentReport::decode(std::span<const std::byte> bytes) {
  IncidentReport report{
      .incident = {.kind = IncidentKind::limit, .place = {}, .earlier = {}}, .schedule = {}, .racy_sites = {}};
  Reader reader(bytes);
  reader.get(&report.incident, sizeof report.incident);
  reader.get(&report.execution, sizeof report.execution);
  reader.get_all(report.schedule);
  reader.get_all(report.racy_sites);
  return report;
}

void IncidentTask::begin_execution() {
  incidents_.clear();
  if (racy_sites_.size() == points_.size()) return;
  points_.clear();
  racy_sites_.for_each([this](std::uint32_t site) { points_.push_back(site); });
}

void IncidentTask::incident(const Incident& incident) noexcept { incidents_.push_back(incident); }

bool IncidentTask::end_execution(const Execution& execution, const Schedule& schedule, Engine& engine) {
  ++executions_;
  append_ending(execution, schedule, engine, leaks_, incidents_);
  bool stop = false;
  for (const Incident& incident : incidents_) {
    const auto key = std::tuple(incident.kind, static_cast<std::uint32_t>(incident.place.site),
                                static_cast<std::uint32_t>(incident.earlier.site));
    if (incident.kind == IncidentKind::not_reproducible || incident.kind == IncidentKind::unsupported) stop = true;
    if (stop_at_first_ && is_finding(incident.kind) && !is_race(incident.kind)) stop = true;
    if (!told_.insert(key).second) continue;
    const auto decisions = schedule.decisions();
    channel_.send(IncidentReport{incident, {decisions.begin(), decisions.end()}, points_, executions_}.encode());
  }
  return !stop;
}

}  // namespace muster
