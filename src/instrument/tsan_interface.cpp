// tsan_interface.h and the Annotate* functions: libraries with locks of their own (Abseil, Folly) describe them through
// these.

#include "instrument/hook.hpp"
#include "instrument/tap.hpp"

namespace muster {
namespace {

void acquired(const volatile void* object, SiteId site) {
  if (controlled) sync::declare_acquire(id(object));
  tap::tell(trace::Kind::await, object, site);
}
void released(const volatile void* object, SiteId site) {
  if (controlled) sync::declare_release(id(object));
  tap::tell(trace::Kind::signal, object, site);
}

}  // namespace

MUSTER_HOOK void __tsan_acquire(void* object) { acquired(object, MUSTER_SITE); }
MUSTER_HOOK void __tsan_release(void* object) { released(object, MUSTER_SITE); }

// The lock itself is made of atomics that are seen anyway: a mutex annotation adds the order it promises.
MUSTER_HOOK void __tsan_mutex_create(void*, unsigned) {}
MUSTER_HOOK void __tsan_mutex_destroy(void*, unsigned) {}
MUSTER_HOOK void __tsan_mutex_pre_lock(void*, unsigned) {}
MUSTER_HOOK void __tsan_mutex_post_lock(void* mutex, unsigned, int) { acquired(mutex, MUSTER_SITE); }
MUSTER_HOOK int __tsan_mutex_pre_unlock(void* mutex, unsigned) {
  released(mutex, MUSTER_SITE);
  return 0;
}
MUSTER_HOOK void __tsan_mutex_post_unlock(void*, unsigned) {}
MUSTER_HOOK void __tsan_mutex_pre_signal(void*, unsigned) {}
MUSTER_HOOK void __tsan_mutex_post_signal(void*, unsigned) {}
MUSTER_HOOK void __tsan_mutex_pre_divert(void*, unsigned) {}
MUSTER_HOOK void __tsan_mutex_post_divert(void*, unsigned) {}

MUSTER_HOOK void* __tsan_external_register_tag(const char*) { return nullptr; }
MUSTER_HOOK void __tsan_external_register_header(void*, const char*) {}
MUSTER_HOOK void __tsan_external_assign_tag(void*, void*) {}
MUSTER_HOOK void __tsan_external_read(void* a, void*, void*) { (void)a; }
MUSTER_HOOK void __tsan_external_write(void* a, void*, void*) { (void)a; }
MUSTER_HOOK void __tsan_flush_memory() {}

// Fibers of the program's own would need contexts of their own kind.
namespace {
[[noreturn]] void no_fibers(SiteId site) {
  engine->fatal(IncidentKind::unsupported, site, "the program switches fibers of its own: that cannot be controlled");
}
}  // namespace
MUSTER_HOOK void* __tsan_get_current_fiber() { return controlled ? &engine->current() : nullptr; }
MUSTER_HOOK void* __tsan_create_fiber(unsigned) { return nullptr; }
MUSTER_HOOK void __tsan_destroy_fiber(void*) {}
MUSTER_HOOK void __tsan_set_fiber_name(void*, const char*) {}
MUSTER_HOOK void __tsan_switch_to_fiber(void* fiber, unsigned) {
  if (controlled && fiber != &engine->current()) no_fibers(MUSTER_SITE);
}

MUSTER_HOOK void __tsan_func_entry(void*) {
  if (tap::on) [[unlikely]]
    tap::enter_function(MUSTER_SITE);
}
MUSTER_HOOK void __tsan_func_exit() {
  if (tap::on) [[unlikely]]
    tap::leave_function(MUSTER_SITE);
}

MUSTER_HOOK void AnnotateHappensBefore(const char*, int, const volatile void* object) { released(object, MUSTER_SITE); }
MUSTER_HOOK void AnnotateHappensAfter(const char*, int, const volatile void* object) { acquired(object, MUSTER_SITE); }
MUSTER_HOOK void AnnotateRWLockCreate(const char*, int, const volatile void*) {}
MUSTER_HOOK void AnnotateRWLockCreateStatic(const char*, int, const volatile void*) {}
MUSTER_HOOK void AnnotateRWLockDestroy(const char*, int, const volatile void*) {}
MUSTER_HOOK void AnnotateRWLockAcquired(const char*, int, const volatile void* lock, long) {
  acquired(lock, MUSTER_SITE);
}
MUSTER_HOOK void AnnotateRWLockReleased(const char*, int, const volatile void* lock, long) {
  released(lock, MUSTER_SITE);
}
MUSTER_HOOK void AnnotateCondVarSignal(const char*, int, const volatile void* c) { released(c, MUSTER_SITE); }
MUSTER_HOOK void AnnotateCondVarSignalAll(const char*, int, const volatile void* c) { released(c, MUSTER_SITE); }
MUSTER_HOOK void AnnotateCondVarWait(const char*, int, const volatile void* c, const volatile void*) {
  acquired(c, MUSTER_SITE);
}

// Requests to look away are not followed: a benign race is still a race in C++. Suppress it by function or file
// instead.
MUSTER_HOOK void AnnotateBenignRace(const char*, int, const volatile void*, const char*) {}
MUSTER_HOOK void AnnotateBenignRaceSized(const char*, int, const volatile void*, long, const char*) {}
MUSTER_HOOK void AnnotateIgnoreReadsBegin(const char*, int) {}
MUSTER_HOOK void AnnotateIgnoreReadsEnd(const char*, int) {}
MUSTER_HOOK void AnnotateIgnoreWritesBegin(const char*, int) {}
MUSTER_HOOK void AnnotateIgnoreWritesEnd(const char*, int) {}
MUSTER_HOOK void AnnotateIgnoreSyncBegin(const char*, int) {}
MUSTER_HOOK void AnnotateIgnoreSyncEnd(const char*, int) {}
MUSTER_HOOK void AnnotateEnableRaceDetection(const char*, int, int) {}
MUSTER_HOOK void AnnotateExpectRace(const char*, int, const volatile void*, const char*) {}
MUSTER_HOOK void AnnotateFlushExpectedRaces(const char*, int) {}
MUSTER_HOOK void AnnotateFlushState(const char*, int) {}
MUSTER_HOOK void AnnotateMemoryIsInitialized(const char*, int, const volatile void*, long) {}
MUSTER_HOOK void AnnotateMemoryIsUninitialized(const char*, int, const volatile void*, long) {}
MUSTER_HOOK void AnnotateMutexIsNotPHB(const char*, int, const volatile void*) {}
MUSTER_HOOK void AnnotateMutexIsUsedAsCondVar(const char*, int, const volatile void*) {}
MUSTER_HOOK void AnnotateNewMemory(const char*, int, const volatile void*, long) {}
MUSTER_HOOK void AnnotateNoOp(const char*, int, const volatile void*) {}
MUSTER_HOOK void AnnotatePCQCreate(const char*, int, const volatile void*) {}
MUSTER_HOOK void AnnotatePCQDestroy(const char*, int, const volatile void*) {}
MUSTER_HOOK void AnnotatePCQGet(const char*, int, const volatile void* q) { acquired(q, MUSTER_SITE); }
MUSTER_HOOK void AnnotatePCQPut(const char*, int, const volatile void* q) { released(q, MUSTER_SITE); }
MUSTER_HOOK void AnnotatePublishMemoryRange(const char*, int, const volatile void*, long) {}
MUSTER_HOOK void AnnotateUnpublishMemoryRange(const char*, int, const volatile void*, long) {}
MUSTER_HOOK void AnnotateThreadName(const char*, int, const char*) {}
MUSTER_HOOK void AnnotateTraceMemory(const char*, int, const volatile void*) {}
MUSTER_HOOK int RunningOnValgrind() { return 0; }

}  // namespace muster
