#include "cli/process.hpp"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.hpp"

namespace muster::cli {

ProcessEnd run_process(const std::vector<std::string>& command,
                       const std::vector<std::pair<std::string, std::string>>& environment) {
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  int report[2];  // the child tells here why it could not start; it closes by itself when it did
  if (pipe2(report, O_CLOEXEC) != 0) fail("cannot start {}: {}", command[0], strerror(errno));
  const pid_t child = fork();
  if (child < 0) fail("cannot start {}: {}", command[0], strerror(errno));
  if (child == 0) {
    for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
    execvp(arguments[0], arguments.data());
    const int error = errno;
    [[maybe_unused]] const auto written = ::write(report[1], &error, sizeof error);
    _exit(127);
  }
  close(report[1]);
  int error = 0;
  const bool failed = ::read(report[0], &error, sizeof error) == sizeof error;
  close(report[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (failed) fail("cannot start {}: {}", command[0], strerror(error));
  if (WIFSIGNALED(status)) return {128 + WTERMSIG(status), WTERMSIG(status)};
  return {WEXITSTATUS(status), 0};
}

}  // namespace muster::cli
