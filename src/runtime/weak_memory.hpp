#pragma once
// What an atomic access does where executions have older values: chooses a message, as a decision, and tells all who
// keep something about it. Also which steps of a thread show nothing new: the place at which it took an older value,
// and to which it came back with nothing done since that others can notice, is not tried with older values again.

#include <absl/functional/function_ref.h>

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "memory/messages.hpp"
#include "memory/race_detector.hpp"
#include "runtime/observer.hpp"
#include "schedule/point.hpp"

namespace muster {

class Engine;

class WeakMemory {
 public:
  WeakMemory(Engine& engine, const ClockOps& clocks) : engine_(engine), messages_(clocks) {}

  void begin_execution();
  /// A thread is about to be started.
  void start(ThreadId parent, ThreadId child, bool was_alone);

  /// The accesses of code that is watched. What is to be written to memory is left to the caller, as far as it is the
  /// newest. `in_memory`: whoever calls reads what is in memory.
  Bits load(std::uintptr_t address, unsigned size, Order order, SiteId site, bool in_memory = false);
  /// The kernel reads what is in memory for the running thread, which has read it then.
  void look(std::uintptr_t address, unsigned size, SiteId site);
  bool store(std::uintptr_t address, unsigned size, Bits value, Order order, SiteId site);
  struct Update {
    absl::FunctionRef<std::optional<Bits>(Bits)> change;  // what it writes where the value is this; nothing: a load
    bool may_fail;                                        // all the same, for no reason
  };
  struct Updated {
    Bits old;
    std::optional<Bits> fresh;  // what it wrote,
    bool newest;                // which is to go to memory
  };
  Updated update(std::uintptr_t address, unsigned size, const Update& update, Order success, Order failure,
                 SiteId site);
  void fence(Order order, SiteId site);
  /// The running thread gave way: a step that others cannot notice.
  void gave_way(ThreadId thread) { ++silent_[thread]; }
  /// The running thread touches something that is no atomic.
  void touch(ObjectId object, std::size_t size, bool reads_only);

  /// What the access that was made last took no notice of.
  AccessValues::Missed take_missed() { return std::exchange(missed_, {}); }

  /// How many choices of this execution were not the newest: a state that comes back after one is another state.
  std::uint32_t older_choices() const { return messages_.older_choices(); }

  StrongOrder& order() { return messages_.order(); }

  void pass(Tape& tape, std::uint64_t threads);

 private:
  struct Step;
  struct OlderRead {
    SiteId site;
    std::uint64_t place, done;
    ThreadId thread;
  };
  [[noreturn]] void give_up(SiteId site);
  template <class Writes>
  Messages::Choice choose(const Step& step, Writes writes);
  unsigned decide(const Step& step, std::span<const Messages::Choice> choices);
  MessageName name(const Messages::Choice& choice) const;
  Messages::Choice told(const Messages::Choice& choice);
  void note_missed(const Step& step, const Messages::Choice& choice);
  void note_told(const Step& step, Order order);
  bool comes_back(const Step& step);
  void read(Step& step, Messages::Choice choice, Order order);
  bool write(Step& step, Messages::Choice choice, Bits value);
  Updated update_alone(std::uintptr_t address, unsigned size, const Update& update, Order success, Order failure,
                       SiteId site);
  void finish(const Step& step, bool silent);

  Engine& engine_;
  Messages messages_;
  /// By number of StrongOrder: the event's order and place. For replays that are told in full.
  struct Told {
    Order order;
    std::uint32_t site;
  };
  std::vector<Told> told_;
  AccessValues::Missed missed_;
  std::vector<OlderRead> older_reads_;      // that a thread may come back to
  std::uint32_t silent_[max_threads] = {};  // steps that others cannot notice
};

}  // namespace muster
