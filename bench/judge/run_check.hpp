#pragma once
// Runs `muster check` as a process of its own and measures it.

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <vector>

namespace muster::bench {

struct Run {
  double seconds;
  double processor;  ///< seconds of processor time: what a busy machine does not change
  double megabytes;
  int code;
};

/// A program, looked for as a shell does, with its arguments; what it prints is not shown.
inline Run run_program(std::vector<std::string> words) {
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = ::fork();
  if (child == 0) {
    const int null = ::open("/dev/null", O_WRONLY);
    ::dup2(null, 1);
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    ::execvp(argv[0], argv.data());
    ::_exit(127);
  }
  int status = 0;
  rusage usage{};
  ::wait4(child, &status, 0, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
          seconds(usage.ru_utime) + seconds(usage.ru_stime), static_cast<double>(usage.ru_maxrss) / 1024,
          WIFEXITED(status) ? WEXITSTATUS(status) : -1};
}

inline Run run_check(const std::string& command, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {command, "check", "--threads", "1"});
  return run_program(std::move(arguments));
}

}  // namespace muster::bench
