#pragma once

#include "base/event.hpp"

namespace muster {

/// The innermost place of the running thread's stack that is in watched code, as a return address; `otherwise` where
/// there is none. In a handler of a signal it is that of the code that was interrupted.
SiteId watched_site(SiteId otherwise);

}  // namespace muster
