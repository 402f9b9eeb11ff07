#pragma once
// The one vocabulary for what a thread does that another thread can notice.

#include <cstdint>
#include <string_view>

namespace muster {

/// Model threads are numbered in the order in which an execution creates them; 0 is the one that runs the program's
/// body.
using ThreadId = std::uint8_t;
constexpr unsigned max_threads = 60;  // a choice among all of them prints as one base-62 digit
constexpr ThreadId no_thread = 255;

/// What an event is about: the address of the memory location, mutex, condition variable …
using ObjectId = std::uint64_t;

/// Where in the code: the return address of the hook's caller. Reports turn it into file and line.
using SiteId = std::uint64_t;

enum class EventKind : std::uint8_t {
  start,
  finish,
  spawn,
  join,
  load,
  store,
  rmw,
  fence,
  read,
  write,
  lock,
  try_lock,
  unlock,
  lock_shared,
  try_lock_shared,
  unlock_shared,
  wait,
  timed_wait,
  notify_one,
  notify_all,
  wake,
  expire,
  futex_wait,
  futex_wake,
  acquire_semaphore,
  release_semaphore,
  arrive,
  once,
  yield,
  sleep,
  clock,
  choose,
  call,
  ret,
  allocate,
  free_block,
};

std::string_view name(EventKind kind);

struct Event {
  ObjectId object = 0;
  SiteId site = 0;
  std::uint32_t index = 0;  // counts the events of its thread
  ThreadId thread = 0;
  EventKind kind = EventKind::start;
};

}  // namespace muster
