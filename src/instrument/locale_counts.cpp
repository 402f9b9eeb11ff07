// Locales and their facets, which threads share by counting. The classic locale lives for ever, and nobody counts it.

#include <cstddef>
#include <span>

#include "instrument/hook.hpp"
#include "instrument/modules.hpp"
#include "instrument/shared_counts.hpp"

namespace muster {
namespace {

struct Facet {
  const void* table;
  int count;
};

/// What a std::locale points to (locale_classes.h).
struct Implementation {
  int count;
  const Facet** facets;
  std::size_t size;
  const Facet** caches;
};

/// Those that were made for it or for one it was made from.
template <class Visit>
void for_each_facet(const Implementation& locale, Visit visit) {
  for (const Facet* const* list : {locale.facets, locale.caches}) {
    if (!list) continue;
    for (const Facet* facet : std::span(list, locale.size)) {
      if (facet && !is_lasting(facet)) visit(*facet);
    }
  }
}

/// All of it at once: in which order its facets are given up concerns only their destructors.
void give_up_locale(const Implementation* locale, SiteId site) {
  if (!controlled || is_lasting(locale)) return;
  bool shared = locale->count > 1;
  for_each_facet(*locale, [&](const Facet& facet) { shared |= facet.count > 1; });
  give_up_share(&locale->count, !shared, site);
  if (locale->count > 1) return;
  for_each_facet(*locale, [site](const Facet& facet) { give_up_share(&facet.count, true, site); });
}

}  // namespace

#define MUSTER_LOCALE_DESTRUCTOR(name)                                         \
  MUSTER_NAMED(void, name, (const Implementation** self)) {                    \
    static auto* const real = next_named<void(const Implementation**)>(#name); \
    give_up_locale(*self, MUSTER_SITE);                                        \
    real(self);                                                                \
  }

MUSTER_LOCALE_DESTRUCTOR(_ZNSt6localeD1Ev)
MUSTER_LOCALE_DESTRUCTOR(_ZNSt6localeD2Ev)

// std::locale::operator=
MUSTER_NAMED(void*, _ZNSt6localeaSERKS_, (const Implementation** self, const Implementation* const* other)) {
  static auto* const real =
      next_named<void*(const Implementation**, const Implementation* const*)>("_ZNSt6localeaSERKS_");
  if (*self != *other) give_up_locale(*self, MUSTER_SITE);
  return real(self, other);
}

}  // namespace muster
