#pragma once
// Records a run under control in which no thread is preempted: the same trace every time.

#include "harness/options/options.hpp"
#include "harness/record/record_run.hpp"

namespace muster {

/// In a process of its own. Throws Error if the file cannot be written or the program does not get to its end.
void record_serially(const std::string& file, const RunDescription& about, const Program& program,
                     const HarnessOptions& options);

/// Whether MUSTER_SERIAL asks for that.
bool serial_recording_requested();

}  // namespace muster
