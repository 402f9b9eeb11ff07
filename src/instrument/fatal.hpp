#pragma once
// What ends an execution because of a call that the program made.

#include <string_view>

#include "instrument/modules.hpp"
#include "instrument/watched_site.hpp"
#include "runtime/engine.hpp"

namespace muster {

[[noreturn]] inline void abort_with(SiteId site, std::string_view message) {
  controlled = false;
  engine->fatal(IncidentKind::abort, is_watched_code(site) ? site : watched_site(site), message);
}

[[noreturn]] inline void unsupported(SiteId site, std::string_view message) {
  controlled = false;
  engine->fatal(IncidentKind::unsupported, site, message);
}

}  // namespace muster
