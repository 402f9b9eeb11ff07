#pragma once
// The events of a run, told besides controlling it: on real threads to the recorder, in a controlled execution to a
// listener that counts or writes them. Both hear of the same events of each thread in the same order, so that an event
// of a recorded run can be named by its number and met again.

#include <errno.h>

#include "base/event.hpp"
#include "record/hooks.h"
#include "runtime/engine.hpp"
#include "trace/event.hpp"

namespace muster::tap {

using trace::Kind;

/// Hears of the events of a controlled execution, all of them of the running thread.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual void begin_execution() {}
  /// A plain access is about to happen.
  virtual void approach(ThreadId thread, SiteId site) = 0;
  /// The thread is about to take a lock, and waits until it can; at a condition variable once it is woken.
  virtual void approach_lock(ThreadId, std::uint64_t /*lock*/, Kind, SiteId) {}
  /// An access happens now, or happened just now.
  virtual void access(ThreadId thread, std::uint64_t address, std::uint64_t size, Kind kind, SiteId site) = 0;
  /// Anything else happened. `object` is an address, or the number of a model thread.
  virtual void event(ThreadId thread, Kind kind, std::uint64_t object, SiteId site) = 0;
};

/// Whether anybody hears: the one question that hooks ask when nobody does.
extern bool on;

/// Real threads are recorded into this file from now on; 0 or an errno value. `about` is told to readers of the file.
int start_recording(const char* path, const char* about);
void stop_recording();

/// Controlled executions are told to `listener`; nullptr ends that.
void listen(Listener* listener);
/// Called at the start of each execution.
void begin_execution();

/// Functions that are transactions: asked once for each function entered, by a code address inside it. Nothing: none
/// are.
extern bool (*is_transaction)(SiteId);

// ---- what hooks call where `on` is set ----

void controlled_plain(const volatile void* address, std::size_t size, bool write, SiteId site);
inline void plain(const volatile void* address, std::size_t size, bool write, SiteId site) {
  if (controlled) return controlled_plain(address, size, write, site);
  muster_record_access(address, size, static_cast<int>(write ? Kind::write : Kind::read),
                       reinterpret_cast<const void*>(site));
}
void access(const volatile void* address, std::size_t size, Kind kind, SiteId site);
void event(Kind kind, const volatile void* object, SiteId site);
void approach_lock(Kind kind, const volatile void* lock, SiteId site);
void enter_function(SiteId site);
void leave_function(SiteId site);

/// Events of real threads that touch one atomic are recorded in the order in which they happened: one thread at a time
/// passes.
class AtomicTurn {
 public:
  explicit AtomicTurn(const volatile void* address) noexcept;
  ~AtomicTurn();
  AtomicTurn(const AtomicTurn&) = delete;
  AtomicTurn& operator=(const AtomicTurn&) = delete;

 private:
  unsigned stripe_;
};

// ---- shorthands for interposers ----

inline void tell(Kind kind, const volatile void* object, SiteId site) {
  if (on) [[unlikely]]
    event(kind, object, site);
}
/// Before waiting for a lock under control.
inline void locking(const volatile void* lock, Kind kind, SiteId site) {
  if (on) [[unlikely]]
    approach_lock(kind, lock, site);
}
/// After an attempt to take a lock, with the attempt's error.
inline int locked(int error, const volatile void* lock, Kind kind, SiteId site) {
  if (on && (error == 0 || error == EOWNERDEAD)) [[unlikely]]
    event(kind, lock, site);
  return error;
}

/// Something that makes a wait elsewhere possible: told before it happens on real threads, afterwards under control.
template <class Act>
auto told_around(Kind kind, const volatile void* object, SiteId site, Act act) {
  if (!controlled) tell(kind, object, site);
  auto result = act();
  if (controlled) tell(kind, object, site);
  return result;
}

}  // namespace muster::tap
