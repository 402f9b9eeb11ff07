#include "harness/follow/standing.hpp"

#include <algorithm>

namespace muster {

using tap::Kind;

void Standing::begin_execution() {
  const OwnWork work;
  threads_.fill({});
}

void Standing::event(ThreadId thread, Kind kind, std::uint64_t object, SiteId site) {
  const OwnWork work;
  State& state = threads_[thread];
  state.site = site;
  if (kind == Kind::begin && state.depth++ == 0) ++state.transactions;
  if (kind == Kind::end && state.depth > 0) --state.depth;
  if (!is_lock_event(kind)) return;
  const Held lock{object, is_shared(kind)};
  if (is_acquire(kind)) return state.held.push_back(lock);
  const auto found = std::find(state.held.rbegin(), state.held.rend(), lock);
  if (found != state.held.rend()) state.held.erase(std::next(found).base());
}

std::uint32_t Standing::transaction(ThreadId thread) const {
  if (whole_threads_) return 1;
  return threads_[thread].depth > 0 ? threads_[thread].transactions : 0;
}

bool Standing::keeps(ThreadId thread, std::uint64_t lock, bool shared) const {
  return std::ranges::any_of(threads_[thread].held,
                             [&](const Held& held) { return held.lock == lock && !(shared && held.shared); });
}

}  // namespace muster
