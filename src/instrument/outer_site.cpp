#include "instrument/outer_site.hpp"

#include <unwind.h>

#include <array>

#include "instrument/answers.hpp"

namespace muster::tap {

bool (*is_system_place)(SiteId) = nullptr;

namespace {

constinit Answers system_places(is_system_place);

/// Frames of the running thread from a site to its nearest caller outside of the system's code, and where on the stack
/// each return address lies. While the stack holds the same there, it is the same way again.
struct Way {
  static constexpr unsigned most_frames = 8;

  SiteId site = 0, outer = 0;
  std::uintptr_t stack = 0;
  unsigned frames = 0;
  std::array<const SiteId*, most_frames> slots{};
  std::array<SiteId, most_frames> sites{};

  bool holds(SiteId from, std::uintptr_t at) const {
    if (site != from || stack != at) return false;
    for (unsigned i = 0; i < frames; ++i) {
      if (*slots[i] != sites[i]) return false;
    }
    return frames > 0;
  }
};

/// The last ways of a thread. Unwinding costs as much as a hundred events do without it, and a loop comes the same few
/// ways each time.
class Ways {
 public:
  const Way* find(SiteId site, std::uintptr_t stack) {
    for (const Way& way : set(site, stack).ways) {
      if (way.holds(site, stack)) return &way;
    }
    return nullptr;
  }
  void remember(const Way& way) {
    Set& into = set(way.site, way.stack);
    into.ways[into.next++ % into.ways.size()] = way;
  }

 private:
  struct Set {
    std::array<Way, 4> ways{};  // one function may unlock in several lines
    unsigned next = 0;
  };
  Set& set(SiteId site, std::uintptr_t stack) { return sets_[(site ^ stack) * 0x9e3779b97f4a7c15 >> 61]; }

  std::array<Set, 8> sets_{};
};

thread_local Ways ways;

_Unwind_Reason_Code visit(_Unwind_Context* context, void* argument) {
  auto& way = *static_cast<Way*>(argument);
  constexpr unsigned endless = 64;
  const SiteId site = _Unwind_GetIP(context);
  if (way.frames == 0 && site != way.site) return _URC_NO_REASON;  // a frame of the runtime
  if (site == 0 || way.frames == endless) return _URC_END_OF_STACK;
  // What the unwinder calls the canonical address of a frame is its callee's.
  if (way.frames < Way::most_frames) {
    way.slots[way.frames] = reinterpret_cast<const SiteId*>(_Unwind_GetCFA(context)) - 1;
    way.sites[way.frames] = site;
  }
  ++way.frames;
  if (system_places.ask(site)) return _URC_NO_REASON;
  way.outer = site;
  return _URC_END_OF_STACK;
}

[[gnu::noinline]] SiteId find_outer_site(SiteId site, std::uintptr_t stack) {
  const OwnWork work;
  if (const Way* const known = ways.find(site, stack)) return known->outer;
  Way way{.site = site, .outer = site, .stack = stack};
  _Unwind_Backtrace(visit, &way);
  if (way.frames <= Way::most_frames) ways.remember(way);
  return way.outer;
}

}  // namespace

SiteId outer_site(SiteId site) {
  if (!is_system_place || !system_places.ask(site)) return site;
  return find_outer_site(site, reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)));
}

}  // namespace muster::tap
