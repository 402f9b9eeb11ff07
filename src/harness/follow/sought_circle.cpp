// One thread after the other is led to where it takes a lock while it holds the one that its predecessor wants, and
// held there; the last one wants a lock that the first holds, and then all of them go on.

#include "harness/follow/sought.hpp"

namespace muster {
namespace {

class SoughtCircle final : public Sought {
 public:
  explicit SoughtCircle(const SeekScene& scene) : scene_(scene) {}

  void about_to_lock(ThreadId thread, std::uint64_t lock, bool shared, const std::string& place) override {
    if (found_ || lost_ || is_held(thread) || place != wanted(stage_).location) return;
    if (!scene_.is(thread, wanted(stage_).thread)) return;
    if (stage_ == 0 && (++arrivals_ < scene_.manner.first || !scene_.standing.holds_locks(thread))) return;
    if (stage_ > 0 && !is_waited_for(thread, held_.back())) return;
    begun_ = true;
    held_.push_back({thread, lock, shared});
    if (++stage_ < scene_.plan.waits.size()) return;
    found_ = is_waited_for(held_.front().thread, held_.back());
    lost_ = !found_;
  }

  /// Whoever is held and took its lock all the same leaves no circle to be closed.
  void saw_event(ThreadId thread, tap::Kind kind, std::uint64_t lock) override {
    if (found_ || !is_acquire(kind)) return;
    for (const Waiting& each : held_) lost_ |= each.thread == thread && each.lock == lock;
  }

  Rank rank(ThreadId thread) const override {
    if (found_) return is_held(thread) ? Rank::first : Rank::usual;
    if (is_held(thread)) return Rank::last;
    if (scene_.manner.any_thread) return Rank::usual;
    if (scene_.is(thread, wanted(stage_).thread))
      return stage_ == 0 && scene_.manner.others_first ? Rank::later : Rank::first;
    for (const PlanWait& wait : scene_.plan.waits)
      if (scene_.is(thread, wait.thread)) return Rank::last;
    return Rank::usual;
  }

 private:
  struct Waiting {
    ThreadId thread;
    std::uint64_t lock;
    bool shared;
  };

  const PlanWait& wanted(unsigned stage) const {
    const std::vector<PlanWait>& waits = scene_.plan.waits;
    return waits[(stage + scene_.manner.rotation) % waits.size()];
  }
  bool is_held(ThreadId thread) const {
    for (const Waiting& each : held_)
      if (each.thread == thread) return true;
    return false;
  }
  bool is_waited_for(ThreadId holder, const Waiting& by) const {
    return scene_.standing.keeps(holder, by.lock, by.shared);
  }

  const SeekScene& scene_;
  std::vector<Waiting> held_;
  unsigned arrivals_ = 0;
};

}  // namespace

std::unique_ptr<Sought> seek_circle(const SeekScene& scene) { return std::make_unique<SoughtCircle>(scene); }

}  // namespace muster
