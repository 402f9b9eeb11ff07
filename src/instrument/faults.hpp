#pragma once

namespace muster {

/// Installs handlers for faults of user code. They note the place in the journal; the process then dies of the signal.
void catch_faults();

/// Installs a seccomp filter that traps system calls which no interposer caught: those that sleep end the process, and after others that
/// leave something behind outside its memory, executions do not go back any more. There is no way to take it off: workers only. False if it
/// cannot be had.
bool catch_escaped_calls();

}  // namespace muster
