// What would have made a write known to a thread that reads something older.

#include <vector>

#include "memory/strong_order.hpp"

namespace muster {
namespace {

constexpr unsigned far = ~0u;
constexpr std::size_t most_looked_at = 500;  // events, by the square

}  // namespace

/// The way from the write to the thread with the fewest reads of what was written after it, each of which would have to
/// acquire what that releases.
std::vector<StrongOrder::Link> StrongOrder::way_to(Index write, ThreadId thread) const {
  const auto count = static_cast<Index>(events_.size());
  if (count > most_looked_at) return {};
  std::vector<unsigned> links(count + 1, far);
  std::vector<Index> from(count + 1, 0);
  links[write] = 0;
  for (bool changes = true; changes;) {
    changes = false;
    const auto reach = [&](Index a, Index b, unsigned more) {
      if (links[a] + more >= links[b]) return;
      links[b] = links[a] + more;
      from[b] = a;
      changes = true;
    };
    for (Index a = 1; a <= count; ++a) {
      for (Index b = 1; links[a] != far && b <= count; ++b) {
        if (before(a, b))
          reach(a, b, 0);
        else if (at(b).reads && at(b).source == a)
          reach(a, b, 1);
      }
    }
  }
  Index end = 0;
  for (Index e = 1; e <= count; ++e) {
    if (at(e).thread == thread && links[e] < (end == 0 ? far : links[end])) end = e;
  }
  std::vector<Link> way;
  for (; end != 0 && end != write; end = from[end]) {
    if (links[end] != links[from[end]]) way.insert(way.begin(), {from[end], end});
  }
  return way;
}

bool StrongOrder::would_forbid(const Event& event) const {
  if (events_.size() > most_looked_at) return false;
  StrongOrder strong = *this;
  Event same = event;
  same.strong = true;
  for (Event& each : strong.events_) each.strong |= each.is_access();
  return strong.forbids(same, 0);
}

}  // namespace muster
