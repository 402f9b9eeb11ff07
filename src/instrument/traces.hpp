#pragma once
// What an execution leaves behind where going back cannot reach: in the kernel, and in the C library. After the first
// such thing a worker's executions begin at their start.

#include <signal.h>

#include <cstdint>

#include "base/event.hpp"

namespace muster {

/// Asks the kernel to report calls that are made while `calls_are_noticed`, except those of the runtime's own code;
/// SIGSYS must go to `on_noticed_call`. False if the kernel cannot.
bool can_notice_calls();

/// The running thread leaves something in the C library.
void leave_trace();

/// How many such things a thread has left in this execution: a loop that leaves one in each turn does not repeat
/// itself.
std::uint64_t traces_hash(ThreadId thread);
void forget_traces();

/// The handler of such a call: it is made here, or again where the handler returns to.
void on_noticed_call(const siginfo_t& info, void* context);

/// As sigaction, but the handler may return while calls are noticed: the call that ends it is made by the runtime's own
/// code.
void handle_signal(int signal, void (*handler)(int, siginfo_t*, void*), int flags);

}  // namespace muster
