#include "harness/follow/waiting_circle.hpp"

#include <algorithm>
#include <vector>

#include "runtime/engine.hpp"

namespace muster {
namespace {

class CircleSearch {
 public:
  CircleSearch(const Plan& plan, const PlanThreads& threads, const Standing& standing, PlanPlaces& places)
      : plan_(plan), threads_(threads), standing_(standing), places_(places) {}

  bool extend() {
    if (circle.size() == plan_.waits.size()) return waits_for(circle.back(), circle.front());
    for (unsigned i = 0; i < engine->thread_count(); ++i) {
      if (!fits(engine->thread(static_cast<ThreadId>(i)))) continue;
      circle.push_back(&engine->thread(static_cast<ThreadId>(i)));
      if (extend()) return true;
      circle.pop_back();
    }
    return false;
  }

  std::vector<const Thread*> circle;

 private:
  bool fits(const Thread& thread) {
    const PlanWait& wanted = plan_.waits[circle.size()];
    const bool waits = thread.status == Thread::Status::blocked && !thread.timed &&
                       (thread.blocked_as == EventKind::lock || thread.blocked_as == EventKind::lock_shared);
    if (!waits || std::ranges::find(circle, &thread) != circle.end()) return false;
    if (!circle.empty() && !waits_for(circle.back(), &thread)) return false;
    if (plan_.only && threads_.planned(thread.id) != threads_.number_of(wanted.thread)) return false;
    return places_.name(standing_.site(thread.id)) == wanted.location;
  }

  bool waits_for(const Thread* thread, const Thread* holder) const {
    return standing_.keeps(holder->id, thread->blocked_on, thread->blocked_as == EventKind::lock_shared);
  }

  const Plan& plan_;
  const PlanThreads& threads_;
  const Standing& standing_;
  PlanPlaces& places_;
};

}  // namespace

void note_waiting_circle(const Plan& plan, const PlanThreads& threads, const Standing& standing, PlanPlaces& places,
                         Sighting& sighting) {
  sighting.waiting = 0;
  if (plan.waits.size() < 2 || plan.waits.size() > sighting.waits.size()) return;
  CircleSearch search(plan, threads, standing, places);
  if (!search.extend()) return;
  for (const Thread* thread : search.circle)
    sighting.waits[sighting.waiting++] = {thread->id, thread->blocked_on, standing.site(thread->id)};
}

}  // namespace muster
