#pragma once
// What an execution tells to whoever runs it.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/event.hpp"
#include "base/incident.hpp"
#include "base/tape.hpp"
#include "memory/order.hpp"

namespace muster {

/// What an access found in memory and what it left there, as far as it is at most 16 bytes wide.
struct AccessValues {
  enum class Deed : std::uint8_t { none, read, write, update, exchange, failed_exchange };
  static constexpr unsigned widest = 16;
  using Word = std::array<std::uint64_t, widest / 8>;

  ObjectId object = 0;
  Word found{}, left{},
      wanted{};  // `left` of a failed exchange: what would have been written; `wanted`: instead of what
  std::uint8_t size = 0;
  Deed deed = Deed::none;
  /// The newest value, which the access took no notice of: who wrote it, and where, by which order, and by which order
  /// the access was made.
  struct Missed {
    Word value{};
    std::uint32_t site = 0;
    ThreadId writer = no_thread;  // else there is none
    Order written = Order::relaxed, order = Order::relaxed;
    /// An access that would have had to release, or to acquire, for the newest value to be known.
    struct Weak {
      std::uint32_t site = 0;
      Order order = Order::relaxed;
      bool releases = false;
    };
    std::array<Weak, 4> weak{};
    std::uint8_t weak_count = 0;
    bool only_strong = false;  // no acquire and release would have, but seq_cst of all
  };
  Missed missed{};
};

enum class Mark : std::uint8_t { call, ret, signal };

class Observer {
 public:
  virtual ~Observer() = default;

  /// Whether `event` wants to be called: only then do executions pay for it.
  virtual bool watches_events() const { return false; }
  virtual void event(const Event&) noexcept {}
  /// The running thread cannot go on; told where events are.
  virtual void blocked(ThreadId, EventKind /*why*/, ObjectId) noexcept {}

  /// What the access found and left that the last event of the running thread is about; told where events are. A plain
  /// write is told before it is made: then nothing is known yet of what it leaves.
  virtual void values(const AccessValues&) noexcept {}

  /// The last event of the running thread fails although it need not; told where events are.
  virtual void fails_spuriously() noexcept {}

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
