#include "distribute/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace muster {
namespace {

namespace fs = std::filesystem;

/// Bad input is not what was judged: it counts for more than what is undecided, as in `muster check` itself.
ExitCode worse(ExitCode a, ExitCode b) {
  for (const ExitCode code : {ExitCode::bad_input, ExitCode::finding, ExitCode::undecided}) {
    if (a == code || b == code) return code;
  }
  return ExitCode::no_finding;
}

struct Files {
  std::vector<std::string> command, files;
};

/// A word that names a file is one, unless it is what a flag takes: then it stays where it is.
Files files_of(const std::vector<std::string>& command) {
  Files found;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const bool follows_flag = i > 0 && command[i - 1].starts_with("-") &&
                              command[i - 1].find('=') == std::string::npos && command[i - 1] != "--explain" &&
                              command[i - 1] != "--quiet" && command[i - 1] != "-q";
    const bool is_file = i >= 2 && !command[i].starts_with("-") && !follows_flag && fs::exists(command[i]);
    (is_file ? found.files : found.command).push_back(command[i]);
  }
  return found;
}

}  // namespace

std::optional<ExitCode> check_files(Crew& crew, const DistributeOptions& options,
                                    const std::function<bool()>& interrupted) {
  const std::vector<std::string>& command = options.command;
  if (command.size() < 2 || fs::path(command[0]).filename() != "muster" || command[1] != "check") return std::nullopt;
  const Files asked = files_of(command);
  std::vector<std::optional<JobEnd>> ends(asked.files.size());
  std::size_t next = 0, told = 0;
  ExitCode code = ExitCode::no_finding;
  while (told < ends.size() && !interrupted()) {
    for (const int rank : crew.idle()) {
      if (next == ends.size()) break;
      Job job;
      job.id = next;
      job.command = asked.command;
      job.command.push_back(asked.files[next++]);
      crew.give(rank, job);
    }
    crew.look([&](int, JobEnd end) { ends[end.id] = std::move(end); });
    for (; told < ends.size() && ends[told]; ++told) {  // in the order in which they were given
      fmt::print("{}", ends[told]->said);
      fmt::print(stderr, "{}", ends[told]->errors);
      const int exit_code = ends[told]->exit_code;
      code = worse(code, exit_code < 0 ? ExitCode::bad_input : static_cast<ExitCode>(exit_code));
    }
  }
  if (told < ends.size()) {
    crew.ask_all_to_stop();
    while (crew.anybody_works()) crew.look([](int, const JobEnd&) {});
    return worse(code, ExitCode::undecided);
  }
  return code;
}

}  // namespace muster
