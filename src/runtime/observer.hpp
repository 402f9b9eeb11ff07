#pragma once
// What an execution tells to whoever runs it.

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/event.hpp"
#include "base/incident.hpp"
#include "base/tape.hpp"

namespace muster {

enum class Mark : std::uint8_t { call, ret, signal };

class Observer {
 public:
  virtual ~Observer() = default;

  /// Whether `event` wants to be called: only then do executions pay for it.
  virtual bool watches_events() const { return false; }
  virtual void event(const Event&) noexcept {}
  /// In its last event the thread took no notice of an atomic's newest value, which another one wrote.
  virtual void older_value(ThreadId, ThreadId /*newer_by*/, std::uint32_t /*newer_at*/) noexcept {}
  /// The running thread cannot go on; told where events are.
  virtual void blocked(ThreadId, EventKind /*why*/, ObjectId) noexcept {}

  /// A call or return of operation `operation` of the test, or a signal point, with what it carries.
  virtual void mark(ThreadId, std::uint32_t /*operation*/, Mark, std::span<const std::byte>) noexcept {}

  /// Something is pending, and everything pending is blocked; threads with calls left may go on.
  virtual void all_pending_blocked() noexcept {}

  virtual void incident(const Incident&) noexcept {}

  /// Whether it can go back to an earlier point of an execution: then it passes what it holds of one.
  virtual bool goes_back() const noexcept { return false; }
  virtual void pass(Tape&) noexcept {}
};

}  // namespace muster
