#include "harness/steps/event_places.hpp"

#include "instrument/modules.hpp"
#include "instrument/outer_site.hpp"

namespace muster {
namespace {

bool is_system_place(SiteId site) {
  if (!is_watched_code(site)) return true;
  const SourcePlace& place = symbolizer_of_events().locate(site);
  // Of code without debug information nothing better is known, unless it is the standard library's.
  return place.file.empty() ? place.function.starts_with("std::") : place.system;
}

}  // namespace

Symbolizer& symbolizer_of_events() {
  static auto* const symbolizer = new Symbolizer;
  return *symbolizer;
}

void tell_events_outside_headers() {
  symbolizer_of_events();  // now, not in the middle of the first event
  tap::is_system_place = is_system_place;
}

}  // namespace muster
