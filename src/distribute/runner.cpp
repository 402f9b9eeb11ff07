#include "distribute/runner.hpp"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/error.hpp"

namespace muster {
namespace {

namespace fs = std::filesystem;

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// What tells a program that it is itself a rank is not for those that a rank runs.
bool is_of_a_rank(std::string_view variable) {
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{"OMPI_", "PMIX_", "PMI_", "PRTE_", "MPIR_", "HYDI_"},
      [&](std::string_view prefix) { return variable.starts_with(prefix); });
}

}  // namespace

Runner::Runner() {
  folder_ = (fs::temp_directory_path() / "muster-rank-XXXXXX").string();
  if (!mkdtemp(folder_.data())) fail("{}: cannot be made: {}", folder_, strerror(errno));
}

Runner::~Runner() {
  kill();
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void Runner::start(const Job& job) {
  const std::string input = path("input"), said = path("said"), errors = path("errors");
  output_ = job.output_suffix.empty() ? path("output") : input + job.output_suffix;
  for (const std::string& old : {output_, path("report")}) fs::remove(old);
  std::ofstream(input, std::ios::binary) << job.input;
  std::vector<std::string> words = job.command;
  for (std::string& word : words) {
    if (word == Job::input_word) word = input;
    if (word == Job::output_word) word = output_;
    if (word == Job::report_word) word = path("report");
  }
  std::vector<char*> arguments, environment;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  for (char** variable = environ; *variable; ++variable) {
    if (!is_of_a_rank(*variable)) environment.push_back(*variable);
  }
  environment.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  constexpr int readable = 0600;
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, said.c_str(), O_WRONLY | O_CREAT | O_TRUNC, readable);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, readable);
  // In a group of its own: Ctrl-C is for the ranks, which ask it to stop.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  const int problem = posix_spawnp(&process_, arguments[0], &files, &attributes, arguments.data(), environment.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (problem != 0) {
    process_ = -1;
    fail("{}: cannot be run: {}", words[0], strerror(problem));
  }
  id_ = job.id;
  started_ = Clock::now();
}

std::optional<JobEnd> Runner::poll() {
  int status = 0;
  if (!is_busy() || waitpid(process_, &status, WNOHANG) != process_) return std::nullopt;
  process_ = -1;
  JobEnd end;
  end.id = id_;
  end.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  end.said = contents(path("said"));
  end.errors = contents(path("errors"));
  end.output = contents(output_);
  end.report = contents(path("report"));
  end.seconds = std::chrono::duration<double>(Clock::now() - started_).count();
  return end;
}

void Runner::stop() {
  if (is_busy()) ::kill(process_, SIGTERM);
}

void Runner::kill() {
  if (!is_busy()) return;
  ::kill(-process_, SIGKILL);
  ::kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
  process_ = -1;
}

}  // namespace muster
