#include "stress/sleepers.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace muster {
namespace {

constexpr const char* folder = "/proc/self/task";

int open_of_thread(pid_t thread, const char* file) {
  char path[64];
  std::snprintf(path, sizeof path, "%s/%d/%s", folder, thread, file);
  return open(path, O_RDONLY | O_CLOEXEC);
}

std::string read_again(int fd) {
  char text[256];
  const ssize_t size = fd < 0 ? -1 : pread(fd, text, sizeof text, 0);
  return {text, size > 0 ? static_cast<std::size_t>(size) : 0};
}

/// A folder of folders has a link to each, besides its own two: so many threads does this process have.
std::size_t count_threads() {
  struct stat about {};
  return stat(folder, &about) == 0 && about.st_nlink > 2 ? about.st_nlink - 2 : 0;
}

/// A line of /proc/…/stat: its number, its name in parentheses, a letter. A thread that was woken and waits for a
/// processor to take note of that still has the call in which it slept, but not this letter.
bool sleeps(const std::string& state) {
  const std::size_t name_end = state.rfind(") ");
  return name_end != std::string::npos && state.compare(name_end + 2, 2, "S ") == 0;
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

}  // namespace

Sleepers::~Sleepers() {
  while (!files_.empty()) forget(files_.begin()->first);
}

void Sleepers::forget(pid_t thread) {
  const auto found = files_.find(thread);
  if (found == files_.end()) return;
  for (const int file : {found->second.call, found->second.switches, found->second.state}) {
    if (file >= 0) close(file);
  }
  files_.erase(found);
}

std::vector<pid_t> Sleepers::list_threads() {
  std::vector<pid_t> found;
  DIR* const tasks = opendir(folder);
  if (!tasks) return found;
  while (const dirent* entry = readdir(tasks)) {
    if (entry->d_name[0] != '.') found.push_back(std::atoi(entry->d_name));
  }
  closedir(tasks);
  return found;
}

/// False if it is not asleep, or gone.
bool Sleepers::look(pid_t thread, Concern concern, Look& result) {
  auto [place, fresh] = files_.try_emplace(thread);
  // How often it was given a processor: a thread that ran between two looks differs.
  if (fresh) {
    place->second = {open_of_thread(thread, "syscall"), open_of_thread(thread, "schedstat"),
                     open_of_thread(thread, "stat")};
  }
  result = {thread, concern, {}, read_again(place->second.switches)};
  if (!result.switches.empty()) result.call = read_again(place->second.call);
  if (result.call.empty()) {
    forget(thread);
    threads_.clear();
    return false;
  }
  if (concern == Concern::sleeps) return !result.call.starts_with("running");
  return waits_without_timeout(result.call) && sleeps(read_again(place->second.state));  // in this order
}

bool Sleepers::all_asleep(const std::function<Concern(pid_t)>& concern_of) {
  if (threads_.size() != count_threads()) threads_ = list_threads();
  std::vector<Look> looks;
  const std::vector<pid_t> listed = threads_;
  for (const pid_t thread : listed) {
    const Concern concern = concern_of(thread);
    if (concern != Concern::none && !look(thread, concern, looks.emplace_back())) return false;
  }
  // All of those listed are there now. As many are there as were listed, so no others; and who comes later is started
  // by somebody who is awake.
  const auto for_ever = [](const Look& look) { return look.concern == Concern::sleeps_for_ever; };
  if (std::ranges::none_of(looks, for_ever) || count_threads() != listed.size()) return false;
  return std::ranges::all_of(looks, [&](const Look& before) {
    Look after;
    return look(before.thread, before.concern, after) && after.call == before.call && after.switches == before.switches;
  });
}

}  // namespace muster
