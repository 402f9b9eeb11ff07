#pragma once
// Running user code on a model thread: what leaves it is a finding, and what it registered for its end runs there.

namespace muster {

/// Thrown by pthread_exit: unwinds the thread's stack.
struct ThreadExit {
  void* result;
};

/// Runs `start(argument)`; an exception that leaves it ends the execution with a finding.
void run_user_code(void* (*start)(void*), void* argument, void*& result);

/// The destructors of the running thread's thread-locals and keys, registered through the interposers.
extern void (*thread_exit_handlers)();
inline void run_thread_exit_handlers() {
  if (thread_exit_handlers) thread_exit_handlers();
}

/// "std::runtime_error: no room" for the exception that is being handled.
void describe_current_exception(char* into, unsigned long size);

}  // namespace muster
