#include "stress/sleepers.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace muster {
namespace {

std::string read_of_thread(pid_t thread, const char* file) {
  char path[64], text[2048];
  std::snprintf(path, sizeof path, "/proc/self/task/%d/%s", thread, file);
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  const ssize_t size = read(fd, text, sizeof text);
  close(fd);
  return {text, size > 0 ? static_cast<std::size_t>(size) : 0};
}

std::vector<pid_t> threads() {
  std::vector<pid_t> found;
  DIR* const folder = opendir("/proc/self/task");
  if (!folder) return found;
  while (const dirent* entry = readdir(folder)) {
    if (entry->d_name[0] != '.') found.push_back(std::atoi(entry->d_name));
  }
  closedir(folder);
  return found;
}

/// A line of /proc/…/syscall: the number of the call, six arguments, stack pointer, program counter; or "running".
bool waits_without_timeout(const std::string& call) {
  long number = -1;
  unsigned long arguments[4] = {};
  if (std::sscanf(call.c_str(), "%ld %lx %lx %lx %lx", &number, &arguments[0], &arguments[1], &arguments[2],
                  &arguments[3]) != 5 ||
      number != SYS_futex)
    return false;
  const unsigned long operation = arguments[1] & FUTEX_CMD_MASK;
  return (operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET) && arguments[3] == 0;
}

/// How often it was switched away: a thread that ran between two looks differs.
std::string switches(pid_t thread) {
  const std::string status = read_of_thread(thread, "status");
  const auto at = status.find("voluntary_ctxt_switches");
  return at == std::string::npos ? std::string() : status.substr(at);
}

struct Look {
  pid_t thread;
  std::string call, switches;
};

}  // namespace

bool all_asleep(const std::function<bool(pid_t)>& concerns) {
  std::vector<Look> looks;
  for (const pid_t thread : threads()) {
    if (!concerns(thread)) continue;
    Look look{thread, {}, switches(thread)};
    look.call = read_of_thread(thread, "syscall");
    if (look.switches.empty() || !waits_without_timeout(look.call)) return false;
    looks.push_back(std::move(look));
  }
  for (const Look& look : looks) {
    if (read_of_thread(look.thread, "syscall") != look.call || switches(look.thread) != look.switches) return false;
  }
  // Who came meanwhile was started by somebody who was awake.
  std::size_t count = 0;
  for (const pid_t thread : threads()) count += concerns(thread);
  return !looks.empty() && count == looks.size();
}

}  // namespace muster
