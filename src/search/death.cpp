#include "search/death.hpp"

#include <fmt/format.h>
#include <string.h>

#include "memory/arena.hpp"

namespace muster {
namespace {

Incident incident_of_death(const Journal& journal, int signal) {
  Incident incident{
      .kind = IncidentKind::crash, .place = {journal.fault_site, journal.running, EventKind::start}, .earlier = {}};
  incident.signal = signal;
  incident.address = journal.fault_address;
  if (journal.escaped_call >= 0) {
    incident.kind = IncidentKind::unsupported;
    incident.say(
        fmt::format("system call {} sleeps in the kernel and was caught by no interposer", journal.escaped_call));
  } else if (Arena::under_a_stack(journal.fault_address)) {
    incident.kind = IncidentKind::limit;
    incident.say(
        fmt::format("a thread needs more than the {} KB of its stack, a fixed limit", Arena::stack_size >> 10));
  } else {
    incident.say(strsignal(signal));
  }
  return incident;
}

Incident incident_of_hang(const Journal& journal, double seconds) {
  Incident incident{
      .kind = IncidentKind::hang, .place = {journal.fault_site, journal.running, EventKind::start}, .earlier = {}};
  incident.say(fmt::format(
      "for a long time nothing was done that another thread can notice (--hang {}): possibly an endless loop",
      seconds));
  return incident;
}

}  // namespace

Incident incident_of(const ProcessEnd& end, const Journal& journal, double hang_seconds) {
  return end.hung ? incident_of_hang(journal, hang_seconds) : incident_of_death(journal, end.signal);
}

}  // namespace muster
