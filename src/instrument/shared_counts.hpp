#pragma once
// Reference counts that the standard library keeps where nobody sees them: of exceptions, of their messages, of
// locales.

#include "base/event.hpp"

namespace muster {

/// The running thread is about to give up its share of what is counted. Whoever gives up the last one destroys it, and
/// what all others did with it happened before: an update that releases and acquires. Only who is not the last can be
/// overtaken there.
void give_up_share(const int* count, bool last, SiteId site);

}  // namespace muster
