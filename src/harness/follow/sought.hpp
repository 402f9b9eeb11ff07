#pragma once
// What a plan is about, as it is looked for in one execution by places and objects: who has to come where next.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "harness/follow/plan_places.hpp"
#include "harness/follow/sighting.hpp"
#include "harness/follow/standing.hpp"
#include "schedule/plan_threads.hpp"
#include "schedule/seek_strategy.hpp"

namespace muster {

/// One way to look for it.
struct SeekManner {
  bool along_plan = false;    // the plan's turns are followed first, each to the place where it ends
  unsigned first = 1;         // the how-manieth time that the first thread comes to its place is meant
  unsigned before = 0;        // so often the other one makes its access before that
  unsigned rotation = 0;      // which thread of a deadlock is led first
  bool others_first = false;  // threads that the plan is not about go as far as they can
  bool any_memory = false;    // other memory will do
  bool any_thread = false;    // and other threads

  bool operator==(const SeekManner&) const = default;
};

/// All that are worth trying, the more promising first.
std::vector<SeekManner> manners_of_seeking(const Plan& plan);

/// What is known of the execution.
struct SeekScene {
  const Plan& plan;
  const SeekManner& manner;
  const PlanThreads& threads;
  const Standing& standing;
  std::uint64_t memory;  // where the accesses shall be; 0: anywhere

  /// Whether a thread will do for the one that the plan calls so.
  bool is(ThreadId thread, const std::string& name) const {
    return manner.any_thread || threads.planned(thread) == threads.number_of(name);
  }
};

class Sought {
 public:
  virtual ~Sought() = default;

  virtual void saw_access(const Sighting::Access& /*access*/, const std::string& /*place*/) {}
  virtual void saw_event(ThreadId, tap::Kind, std::uint64_t /*object*/) {}
  virtual void about_to_lock(ThreadId, std::uint64_t /*lock*/, bool /*shared*/, const std::string& /*place*/) {}
  virtual Rank rank(ThreadId thread) const = 0;

  bool is_found() const { return found_; }
  bool is_lost() const { return lost_; }
  /// How far it got: grows whenever another thread is led.
  unsigned stage() const { return stage_; }
  /// Whether the thread that is led first came to its place often enough.
  bool has_begun() const { return begun_; }

 protected:
  unsigned stage_ = 0;
  bool found_ = false, lost_ = false, begun_ = false;
};

/// Two accesses of one transaction with one of another thread in between. They are written into `sighting`.
std::unique_ptr<Sought> seek_accesses(const SeekScene& scene, Sighting& sighting);
/// Threads that each hold a lock which the one before them waits for.
std::unique_ptr<Sought> seek_circle(const SeekScene& scene);

}  // namespace muster
