#pragma once
// Atomics that the standard library keeps where nobody sees them: how many share an exception, its message or a locale;
// and pointers to the default memory resource and to handlers.

#include "base/event.hpp"

namespace muster {

/// The running thread is about to give up its share of what is counted. Whoever gives up the last one destroys it, and
/// what all others did with it happened before: an update that releases and acquires. Only who is not the last can be
/// overtaken there.
void give_up_share(const int* count, bool last, SiteId site);

/// A pointer is read or set that orders its readers after who set it. `object` stands for it.
void library_pointer_is_read(const char* object, SiteId site);
void library_pointer_is_set(const char* object, SiteId site);

}  // namespace muster
