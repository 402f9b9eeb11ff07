// A program that ends in the middle of its work, in the way it is told: what was recorded up to there has to be
// readable.
//
//   ends segv | abort | exit | kill

#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>

namespace {

constexpr long rounds = 20'000;

std::mutex mutex;
long total = 0;

void add() {
  const std::lock_guard lock(mutex);
  total = total + 1;
}

void end(const std::string& how) {
  if (how == "segv") raise(SIGSEGV);
  if (how == "abort") std::abort();
  if (how == "exit") _exit(7);
  if (how == "kill") kill(getpid(), SIGKILL);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string how = argc > 1 ? argv[1] : "";
  std::thread other([] {
    for (long i = 0; i < rounds; ++i) add();
  });
  other.join();
  std::thread last([&] {
    for (long i = 0; i < rounds; ++i) add();
    const std::lock_guard lock(mutex);  // held when the program ends
    end(how);
  });
  last.join();
}
