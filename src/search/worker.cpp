#include "search/worker.hpp"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "base/error.hpp"

namespace muster {
namespace {

void silence() {
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
}

}  // namespace

Worker::Worker(Journal& journal, RacySites& racy_sites, const RuntimeOptions& options, bool silent, const Work& work)
    : journal_(journal) {
  std::fflush(nullptr);
  pid_ = fork();
  if (pid_ < 0) fail("cannot start a worker process: {}", std::strerror(errno));
  if (pid_ > 0) {
    channel_.close_writer();
    return;
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  channel_.close_reader();
  if (silent) silence();
  int code = 0;
  try {
    Engine engine(options, journal, racy_sites, preferred_context_mode());
    engine.surroundings().set_in_worker();
    if (take_control) take_control(engine);
    work(engine, channel_);
  } catch (const Error& error) {
    const std::string text = std::string(1, error_letter) + error.what();
    channel_.send(std::as_bytes(std::span(text)));
    code = 2;
  }
  // No destructors of the program's statics, no flushing of its buffers twice: this process is only a copy.
  _exit(code);
}

Worker::~Worker() {
  if (pid_ > 0) {
    kill();
    join();
  }
}

bool Worker::hangs(double seconds) {
  const auto now = std::chrono::steady_clock::now();
  const std::uint64_t steps = __atomic_load_n(&journal_.steps, __ATOMIC_RELAXED);
  const std::uint64_t executions = __atomic_load_n(&journal_.executions, __ATOMIC_RELAXED);
  if (steps != last_steps_ || executions != last_executions_ || !journal_.in_execution) {
    last_steps_ = steps;
    last_executions_ = executions;
    last_change_ = now;
    return false;
  }
  return std::chrono::duration<double>(now - last_change_).count() > seconds;
}

void Worker::kill() { ::kill(pid_, SIGKILL); }

int Worker::join() {
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  if (WIFSIGNALED(status)) return WTERMSIG(status);
  return journal_.in_execution ? SIGABRT : 0;  // the program asked the kernel itself to end the process
}

}  // namespace muster
