// The transaction's thread is held behind its first access until the other thread made its own to the same memory, and
// that one behind it until the last access.

#include <algorithm>

#include "harness/follow/sought.hpp"

namespace muster {
namespace {

class SoughtAccesses final : public Sought {
 public:
  SoughtAccesses(const SeekScene& scene, Sighting& sighting) : scene_(scene), sighting_(sighting) {
    stage_ = scene.manner.before > 0 ? placing : first;
  }

  void saw_access(const Sighting::Access& access, const std::string& place) override {
    if (is_at(access, place, 1) && stage_ <= first && ++made_between_ >= scene_.manner.before) stage_ = first;
    if (found_ || !shares_memory(access)) return;
    if (stage_ <= first) {
      if (is_at(access, place, 0) && access.transaction != 0 && ++arrivals_ >= scene_.manner.first) begin(access);
    } else if (stage_ == between) {
      if (access.thread != host_ && is_at(access, place, 1)) take(1, access, last);
    } else if (access.thread == host_ && is_at(access, place, 2)) {
      take(2, access, over);
      found_ = true;
    }
  }

  /// The violation is one of a transaction: it cannot come after its end.
  void saw_event(ThreadId thread, tap::Kind, std::uint64_t) override {
    if (begun_ && !found_ && thread == host_)
      lost_ = scene_.standing.transaction(thread) != sighting_.accesses[0].transaction;
  }

  Rank rank(ThreadId thread) const override {
    switch (stage_) {
      case placing:
        return is_guest(thread) ? Rank::first : is_host(thread) ? Rank::later : Rank::usual;
      case first:
        if (is_host(thread)) return scene_.manner.others_first ? Rank::later : Rank::first;
        return is_guest(thread) ? Rank::last : Rank::usual;
      case between:
        return thread == host_ ? Rank::last : is_guest(thread) ? Rank::first : Rank::usual;
      case last:
        return thread == host_ ? Rank::first : thread == sighting_.accesses[1].thread ? Rank::later : Rank::usual;
      default:
        return Rank::usual;
    }
  }

 private:
  enum Stage : unsigned { placing, first, between, last, over };

  bool is_host(ThreadId thread) const { return !scene_.manner.any_thread && scene_.is(thread, wanted(0).thread); }
  bool is_guest(ThreadId thread) const { return !scene_.manner.any_thread && scene_.is(thread, wanted(1).thread); }
  const PlanAccess& wanted(std::size_t number) const { return scene_.plan.accesses[number]; }

  bool is_at(const Sighting::Access& access, const std::string& place, std::size_t number) const {
    const PlanAccess& like = wanted(number);
    return access.write == like.write && place == like.location && scene_.is(access.thread, like.thread);
  }

  /// With the accesses seen so far, and with the memory that the plan names.
  bool shares_memory(const Sighting::Access& access) const {
    std::uint64_t begin = access.address, end = access.address + access.size;
    for (std::size_t i = 0; begun_ && i < sighting_.seen; ++i) {
      begin = std::max(begin, sighting_.accesses[i].address);
      end = std::min(end, sighting_.accesses[i].address + sighting_.accesses[i].size);
    }
    if (scene_.memory == 0 || scene_.manner.any_memory) return begin < end;
    return begin <= scene_.memory && scene_.memory < end;
  }

  void begin(const Sighting::Access& access) {
    begun_ = true;
    host_ = access.thread;
    take(0, access, between);
  }
  void take(std::size_t number, const Sighting::Access& access, Stage next) {
    sighting_.note(number, access);
    stage_ = next;
  }

  const SeekScene& scene_;
  Sighting& sighting_;
  ThreadId host_ = no_thread;
  unsigned arrivals_ = 0, made_between_ = 0;
};

}  // namespace

std::unique_ptr<Sought> seek_accesses(const SeekScene& scene, Sighting& sighting) {
  return std::make_unique<SoughtAccesses>(scene, sighting);
}

}  // namespace muster
