#include "search/findings.hpp"

#include <algorithm>

namespace muster::test {
namespace {

/// A place in a program: the instruction, and which of its accesses.
struct Spot {
  const Instruction& instruction;
  unsigned access;
};

Spot spot_at(const SmallProgram& program, SiteId site) {
  const auto number = static_cast<unsigned>(site & 0xffff) - 1;
  return {program.threads[number / 1000 - 1][number % 1000 / 10], number % 10};
}

bool frees(SiteId site) { return (site & 0xffff) % 10 == 5; }

bool is_atomic(const SmallProgram& program, SiteId site) {
  if (frees(site)) return false;
  const Spot spot = spot_at(program, site);
  switch (spot.instruction.op) {
    case Op::plain_load:
    case Op::plain_store:
    case Op::await_plain:
      return false;
    case Op::await_mixed:
      return spot.access != 0;
    case Op::look_and_retry:
      return spot.access != 2;
    case Op::release_strong:
      return spot.access == 0 || spot.access > 4;
    default:
      return true;
  }
}

}  // namespace

std::string race_of(SiteId later, SiteId earlier, bool earlier_is_atomic) {
  if (frees(later))
    return earlier_is_atomic ? fmt::format("incident freed at {}, an atomic access before", later)
                             : touched_and_freed(earlier, later);
  if (earlier_is_atomic) return fmt::format("incident race at {} and an atomic access", later);
  return fmt::format("incident race at {} and {}", later, earlier);
}

std::string touched_and_freed(SiteId place, SiteId freed_at) {
  if (frees(place))
    return fmt::format("incident freed twice, at {} and {}", std::min(place, freed_at), std::max(place, freed_at));
  return fmt::format("incident touched at {} and freed at {}", place, freed_at);
}

bool is_about_freed_memory(const std::string& outcome) {
  return outcome.starts_with("incident") && outcome.find("freed") != std::string::npos;
}

std::string failed_requirement(SiteId place) { return fmt::format("incident requirement at {}", place); }

std::string text_of(const SmallProgram& program, const Incident& incident) {
  const SiteId place = incident.place.site & 0xffff, earlier = incident.earlier.site & 0xffff;
  switch (incident.kind) {
    case IncidentKind::use_after_free:
    case IncidentKind::double_free:
      return touched_and_freed(place, earlier);
    case IncidentKind::requirement:
      return failed_requirement(place);
    case IncidentKind::race:
      return race_of(place, earlier, earlier == 0 || is_atomic(program, earlier));
    default:
      return fmt::format("incident {} at {}: {}", name(incident.kind), place, incident.message);
  }
}

}  // namespace muster::test
