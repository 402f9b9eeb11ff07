/* What a program that records itself calls: C functions, so that compiler hooks and interposers can. None of them
 * throws, locks or allocates on the heap; without a recording they do nothing. The caller's place is a return address
 * (`pc`).
 *
 *   muster_record_start("bank.trace");
 *   ...
 *   muster_record_stop();
 */
#ifndef MUSTER_RECORD_HOOKS_H
#define MUSTER_RECORD_HOOKS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* 0, or an errno value if the file cannot be made. The calling thread is thread 0. */
int muster_record_start(const char* path);
/* Ends the recording. Threads that still run stop recording at their next event. */
void muster_record_stop(void);
/* Writes the modules loaded since the last time, for symbolising; called by start and stop, and to be called after
 * dlopen. */
void muster_record_modules(void);

/* What a reader shall know of the run: lines `name value`. */
void muster_record_about(const char* text);
/* What the calling thread does between the two is not recorded; pairs may be nested. */
void muster_record_pause(void);
void muster_record_resume(void);

/* Before an access. */
enum { MUSTER_READ, MUSTER_WRITE, MUSTER_ATOMIC_READ, MUSTER_ATOMIC_WRITE, MUSTER_ATOMIC_UPDATE };
void muster_record_access(const volatile void* address, size_t size, int kind, const void* pc);

/* After a lock was taken (a failed try is nothing), and before it is released. Also for each level of a reentrant lock.
 */
void muster_record_lock(const volatile void* lock, int shared, const void* pc);
void muster_record_unlock(const volatile void* lock, int shared, const void* pc);

/* Before a thread is made: gives its number, to be handed to it. */
uint32_t muster_record_fork(const void* pc);
/* First and last in the new thread; an end that is not called is made up for when the thread exits. */
void muster_record_thread_start(uint32_t thread);
void muster_record_thread_end(void);
/* After the join returned. */
void muster_record_join(uint32_t thread, const void* pc);

/* Condition variables: before notifying; after a wait returned, between the unlock and the lock of its mutex. */
void muster_record_notify(const volatile void* condition, const void* pc);
void muster_record_wake(const volatile void* condition, const void* pc);
/* Barriers: before waiting, after it. */
void muster_record_arrive(const volatile void* barrier, const void* pc);
void muster_record_leave(const volatile void* barrier, const void* pc);
/* Once, semaphores, other order: before making it possible, after having waited for it. */
void muster_record_signal(const volatile void* object, const void* pc);
void muster_record_await(const volatile void* object, const void* pc);

void muster_record_begin_transaction(const void* pc);
void muster_record_end_transaction(const void* pc);

/* Any of the events above by its number in trace/event.hpp, except accesses. */
void muster_record_event(int kind, const volatile void* object, const void* pc);

#ifdef __cplusplus
}
#endif

#endif
