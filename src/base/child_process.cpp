#include "base/child_process.hpp"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>

#include "base/error.hpp"

namespace muster {

ChildProcess::ChildProcess(const Work& work) {
  std::fflush(nullptr);
  pid_ = fork();
  if (pid_ < 0) fail("cannot start a process: {}", std::strerror(errno));
  if (pid_ > 0) {
    channel_.close_writer();
    return;
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  channel_.close_reader();
  try {
    work(channel_);
  } catch (const Error& error) {
    give_up(channel_, error.what());
  }
  // No destructors of the program's statics, no flushing of its buffers twice: this process is only a copy.
  _exit(0);
}

ChildProcess::~ChildProcess() {
  if (pid_ > 0) {
    kill();
    ChildProcess::join();
  }
}

void ChildProcess::kill() { ::kill(pid_, SIGKILL); }

ProcessEnd ChildProcess::join() {
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  ProcessEnd end;
  if (WIFSIGNALED(status)) {
    end.signal = WTERMSIG(status);
  } else {
    end.code = WEXITSTATUS(status);
  }
  return end;
}

void ChildProcess::give_up(Channel& channel, const char* why) {
  const std::string text = std::string(1, error_letter) + why;
  channel.send(std::as_bytes(std::span(text)));
  _exit(static_cast<int>(ExitCode::bad_input));
}

}  // namespace muster
