#pragma once

namespace muster {

/// Installs handlers for faults of user code. They note the place in the journal; the process then dies of the signal.
void catch_faults();

/// Installs a seccomp filter that traps sleeping system calls which no interposer caught. There is no way back: workers
/// only.
void catch_escaped_calls();

}  // namespace muster
