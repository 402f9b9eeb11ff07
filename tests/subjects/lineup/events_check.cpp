// Checks of the classes that threads wait on: Lazy Initialization, ManualResetEvent, SemaphoreSlim, CountdownEvent,
// Barrier.
#include <muster/check.hpp>

#include "barrier.hpp"
#include "countdown_event.hpp"
#include "lazy_initialization.hpp"
#include "manual_reset_event.hpp"
#include "semaphore_slim.hpp"
#include "thread_pool.hpp"

namespace {

using namespace subjects::lineup;

MUSTER_CHECK(lazy_initialization) {
  auto lazy = check.object<LazyInitialization>();
  lazy.operation("Value", &LazyInitialization::value);
  lazy.operation("ToString", &LazyInitialization::to_string);
  lazy.operation("IsValueCreated", &LazyInitialization::is_value_created);
}

template <class Event>
void check_event(muster::Check& check) {
  auto event = check.object<Event>();
  event.operation("Set", &Event::set);
  event.operation("Wait", &Event::wait);
  event.operation("Reset", &Event::reset);
  event.operation("IsSet", &Event::is_set);
  event.operation("WaitOne", &Event::wait_one);
}

MUSTER_CHECK(manual_reset_event_pre) { check_event<ManualResetEventPre>(check); }
MUSTER_CHECK(manual_reset_event) { check_event<ManualResetEvent>(check); }

MUSTER_CHECK(semaphore_slim) {
  auto semaphore = check.object<SemaphoreSlim>(1);
  semaphore.operation("CurrentCount", &SemaphoreSlim::current_count);
  semaphore.operation("Release", &SemaphoreSlim::release).with(1).with(2);
  semaphore.operation("Wait", &SemaphoreSlim::wait);
  semaphore.operation("TryWait", &SemaphoreSlim::try_wait);
}

MUSTER_CHECK(countdown_event) {
  auto event = check.object<CountdownEvent>(2);
  event.operation("IsSet", &CountdownEvent::is_set);
  event.operation("Wait", &CountdownEvent::wait);
  event.operation("TryWait", &CountdownEvent::try_wait);
  event.operation("CurrentCount", &CountdownEvent::current_count);
  event.operation("WaitOne", &CountdownEvent::wait_one);
  event.operation("Signal", &CountdownEvent::signal).with(1).with(2);
  event.operation("AddCount", &CountdownEvent::add_count).with(1).with(2);
  event.operation("TryAddCount", &CountdownEvent::try_add_count).with(1).with(2);
}

void check_barrier(muster::Check& check, bool declared) {
  auto barrier = check.object<Barrier>(2);
  auto signal = barrier.operation("SignalAndWait", &Barrier::signal_and_wait);
  if (declared) signal.asynchronous();
  barrier.operation("ParticipantsRemaining", &Barrier::participants_remaining);
  barrier.operation("RemoveParticipant", &Barrier::remove_participant);
  barrier.operation("CancelToken", &Barrier::cancel_token);
  barrier.operation("CurrentPhaseNumber", &Barrier::current_phase_number);
  barrier.operation("ParticipantCount", &Barrier::participant_count);
  barrier.operation("AddParticipant", &Barrier::add_participant);
}

MUSTER_CHECK(barrier) { check_barrier(check, false); }
/// That the effect may come late does not explain why anybody returns at all.
MUSTER_CHECK(barrier_declared) { check_barrier(check, true); }

MUSTER_CHECK(thread_pool) {
  auto pool = check.object<ThreadPool>();
  pool.operation("Submit", &ThreadPool::submit).with(1).with(2);
  pool.operation("Completed", &ThreadPool::completed);
}

MUSTER_CHECK(thread_pool_drained) {
  auto pool = check.object<ThreadPool>();
  pool.operation("Submit", &ThreadPool::submit).with(1).with(2);
  pool.operation("Drain", &ThreadPool::drain);
}

}  // namespace
