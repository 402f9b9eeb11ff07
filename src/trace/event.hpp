#pragma once
// What a trace is made of: one event is one step of one thread that other threads can notice.

#include <array>
#include <cstdint>
#include <string_view>

namespace muster::trace {

using ThreadIndex = std::uint16_t;

/// A failed try-lock is no event, and whoever succeeded would not have waited for ever, with a timeout or without one;
/// a reentrant lock is recorded each time it is taken and released.
enum class Kind : std::uint8_t {
  read,
  write,
  atomic_read,
  atomic_write,
  atomic_update,
  lock,
  unlock,
  lock_shared,
  unlock_shared,
  fork,
  join,
  signal,  // "once" done, semaphore posted: orders what was before it in front of every later await of the same object
  await,
  notify,  // condition variable; a wake is recorded when the wait returned, between the unlock and the lock of its
           // mutex
  wake,
  arrive,  // barrier
  leave,
  begin,  // of a transaction
  end,
  try_lock,
  try_lock_shared,
};
inline constexpr unsigned kind_count = 21;

/// The spelling in text traces; the index is the kind.
inline constexpr std::array<std::string_view, kind_count> kind_names{
    "r",      "w",     "ar",     "aw",   "au",     "acq",   "rel",   "racq", "rrel", "fork", "join",
    "signal", "await", "notify", "wake", "arrive", "leave", "begin", "end",  "tacq", "tracq"};

/// Objects are numbered densely within their class, in order of first appearance. Begin and end have none.
enum class NameClass : std::uint8_t { thread, variable, lock, order, site };
inline constexpr unsigned name_class_count = 5;

struct Event {
  std::uint32_t object = 0;  // thread, variable, lock or order object, as the kind says
  std::uint32_t site = 0;
  std::uint32_t line = 0;   // line of a text trace; number of the event, from 1, in a binary one
  std::uint32_t index = 0;  // within its thread, from 0
  ThreadIndex thread = 0;
  Kind kind = Kind::read;

  bool operator==(const Event&) const = default;
};

constexpr bool is_plain(Kind kind) { return kind <= Kind::write; }
constexpr bool is_access(Kind kind) { return kind <= Kind::atomic_update; }
/// An atomic update reads too, but whatever conflicts with its read conflicts with its write.
constexpr bool is_write(Kind kind) {
  return kind == Kind::write || kind == Kind::atomic_write || kind == Kind::atomic_update;
}
constexpr bool is_attempt(Kind kind) { return kind == Kind::try_lock || kind == Kind::try_lock_shared; }
constexpr bool is_lock_event(Kind kind) {
  return (kind >= Kind::lock && kind <= Kind::unlock_shared) || is_attempt(kind);
}
constexpr bool is_acquire(Kind kind) { return kind == Kind::lock || kind == Kind::lock_shared || is_attempt(kind); }
constexpr bool is_shared(Kind kind) {
  return kind == Kind::lock_shared || kind == Kind::unlock_shared || kind == Kind::try_lock_shared;
}
/// Signal-like events order themselves before the await-like events of the same object that follow them.
constexpr bool is_signal(Kind kind) { return kind == Kind::signal || kind == Kind::notify || kind == Kind::arrive; }
constexpr bool is_await(Kind kind) { return kind == Kind::await || kind == Kind::wake || kind == Kind::leave; }
constexpr bool has_object(Kind kind) { return kind != Kind::begin && kind != Kind::end; }

constexpr NameClass object_class(Kind kind) {
  if (is_access(kind)) return NameClass::variable;
  if (is_lock_event(kind)) return NameClass::lock;
  if (kind == Kind::fork || kind == Kind::join) return NameClass::thread;
  return NameClass::order;
}

}  // namespace muster::trace
