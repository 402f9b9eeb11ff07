#pragma once
// The subcommands of `muster`, a file each. A command adds its flags to its own CLI::App and gives back what to run.

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "trace/trace_reader.hpp"

namespace muster::cli {

using Action = std::function<ExitCode()>;

Action add_predict(CLI::App& app);
Action add_record(CLI::App& app);
Action add_trace(CLI::App& app);
Action add_version(CLI::App& app);
std::string version_line();
Action add_check(CLI::App& app);
Action add_new(CLI::App& app);
Action add_merge(CLI::App& app);
Action add_split(CLI::App& app);
Action add_distribute(CLI::App& app);
Action add_completion(CLI::App& app);
Action add_manual(CLI::App& app);

/// The trace format of that name; nothing for an empty one.
std::optional<trace::Format> parse_format(const std::string& name);

/// A trace without any shows nothing: throws Error, after what its reader has to say.
[[noreturn]] void complain_of_no_events(const trace::TraceReader& reader, const std::string& file);

}  // namespace muster::cli
