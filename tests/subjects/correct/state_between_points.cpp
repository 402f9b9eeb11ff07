// What an execution has set up by the time threads meet is there after they met, whichever order they met in: also
// where a search goes back to the meeting instead of starting again. Each scenario sets something up, lets two threads
// race a little, and changes it afterwards.
#include <fenv.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <locale>
#include <memory>
#include <muster/scenario.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

/// Two threads that meet twice.
int meet() {
  std::atomic<int> turn{0};
  std::thread a([&] { turn.fetch_add(1), turn.fetch_add(2); });
  std::thread b([&] { turn.fetch_add(4), turn.fetch_add(8); });
  a.join();
  b.join();
  return turn.load();
}

}  // namespace

MUSTER_SCENARIO(error_number_between_points) {
  errno = EDOM;
  meet();
  MUSTER_REQUIRE(errno == EDOM);
  errno = ERANGE;
}

MUSTER_SCENARIO(error_number_at_start) {
  MUSTER_REQUIRE(errno == 0);
  std::atomic<int> wrong{0};
  const auto work = [&] {
    wrong.fetch_add(errno != 0);
    errno = EDOM;
    wrong.fetch_add(errno != EDOM);
  };
  std::thread a{work}, b{work};
  a.join();
  b.join();
  MUSTER_REQUIRE(wrong == 0);
  errno = ERANGE;
}

MUSTER_SCENARIO(exception_between_points) {
  int caught = 0;
  try {
    try {
      throw std::runtime_error("outer");
    } catch (const std::exception& outer) {
      meet();
      try {
        throw std::logic_error("inner");
      } catch (const std::exception&) {
        meet();
        ++caught;
      }
      MUSTER_REQUIRE(std::uncaught_exceptions() == 0);
      MUSTER_REQUIRE(outer.what() == std::string("outer"));
      throw;
    }
  } catch (const std::runtime_error& again) {
    MUSTER_REQUIRE(caught == 1 && again.what() == std::string("outer"));
  }
}

MUSTER_SCENARIO(unwinding_between_points) {
  struct Meets {
    int& count;
    ~Meets() {
      MUSTER_REQUIRE(std::uncaught_exceptions() == 1);
      count += meet();
    }
  };
  int count = 0;
  try {
    const Meets second{count}, first{count};
    throw 7;
  } catch (int seven) {
    MUSTER_REQUIRE(seven == 7 && count == 30);
  }
}

MUSTER_SCENARIO(rounding_between_points) {
  fesetround(FE_UPWARD);
  meet();
  MUSTER_REQUIRE(fegetround() == FE_UPWARD);
  fesetround(FE_TONEAREST);
}

MUSTER_SCENARIO(random_numbers_between_points) {
  srand(7);
  meet();
  const int first = rand();
  srand(7);
  MUSTER_REQUIRE(first == rand());
  srand(static_cast<unsigned>(rand()));
}

MUSTER_SCENARIO(words_between_points) {
  char text[] = "one two", other[] = "three four";
  MUSTER_REQUIRE(strtok(text, " ") == std::string("one"));
  meet();
  MUSTER_REQUIRE(strtok(nullptr, " ") == std::string("two"));
  strtok(other, " ");
}

MUSTER_SCENARIO(environment_between_points) {
  setenv("MUSTER_TEST_COLOUR", "green", 1);
  meet();
  MUSTER_REQUIRE(getenv("MUSTER_TEST_COLOUR") == std::string("green"));
  setenv("MUSTER_TEST_COLOUR", "red", 1);
}

MUSTER_SCENARIO(signal_handler_between_points) {
  constexpr auto mine = [](int) {};
  const auto old = signal(SIGUSR1, mine);
  meet();
  struct sigaction now {};
  sigaction(SIGUSR1, nullptr, &now);
  MUSTER_REQUIRE(now.sa_handler == mine);
  signal(SIGUSR1, old);
}

MUSTER_SCENARIO(signal_mask_between_points) {
  sigset_t mask, old;
  sigemptyset(&mask);
  sigaddset(&mask, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &mask, &old);
  sigdelset(&old, SIGUSR2);
  meet();
  pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  MUSTER_REQUIRE(sigismember(&mask, SIGUSR2) == 1);
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
}

MUSTER_SCENARIO(child_between_points) {
  meet();
  const int status = system("exit 3");
  MUSTER_REQUIRE(WIFEXITED(status) && WEXITSTATUS(status) == 3);
}

MUSTER_SCENARIO(mapping_between_points) {
  auto* page = static_cast<int*>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  *page = 5;
  meet();
  MUSTER_REQUIRE(*page == 5);
  *page = 6;
  munmap(page, 4096);
}

namespace {

// From before the search.
int* const counter = new int(0);
std::atomic<int>* const atomic_counter = new std::atomic<int>(0);
std::string& text = *new std::string(100, ' ');
std::vector<std::string> words(2, std::string(64, '-'));
int* const page = static_cast<int*>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));

}  // namespace

MUSTER_SCENARIO(old_block_between_points) {
  *counter = 1;
  meet();
  MUSTER_REQUIRE(*counter == 1);
  *counter = 2;
}

MUSTER_SCENARIO(old_atomic_between_points) {
  atomic_counter->store(1);
  meet();
  MUSTER_REQUIRE(atomic_counter->load() == 1);
  atomic_counter->store(2);
}

MUSTER_SCENARIO(old_string_between_points) {
  text.assign("ab");
  meet();
  MUSTER_REQUIRE(text == "ab");
  text.replace(0, 1, "c");
  text.append("d");
}

MUSTER_SCENARIO(old_words_between_points) {
  words[0].assign("ab");
  meet();
  MUSTER_REQUIRE(words[0] == "ab");
  words[0].replace(0, 1, "c");
}

MUSTER_SCENARIO(old_page_between_points) {
  *page = 1;
  meet();
  MUSTER_REQUIRE(*page == 1);
  *page = 2;
}

MUSTER_SCENARIO(once_between_points) {
  static std::atomic<int> made;
  const auto value = [] {
    static const int once = (made.fetch_add(1), made.fetch_add(1), 9);
    return once;
  };
  std::thread a([&] { MUSTER_REQUIRE(value() == 9); }), b([&] { MUSTER_REQUIRE(value() == 9); });
  a.join();
  b.join();
  MUSTER_REQUIRE(made.load() == 2);
}

namespace {

struct Owner {
  std::unique_ptr<int> value = std::make_unique<int>(1);
  ~Owner() { *value = 0; }
};
thread_local Owner owner;
thread_local int plain_owner = 0;

}  // namespace

MUSTER_SCENARIO(thread_locals_between_points) {
  std::atomic<int> turn{0};
  const auto use = [&](int mine) {
    plain_owner = mine;
    turn.fetch_add(1);
    MUSTER_REQUIRE(plain_owner == mine);
    *owner.value = mine;
    turn.fetch_add(1);
    MUSTER_REQUIRE(*owner.value == mine && plain_owner == mine);
    plain_owner = 0;
  };
  std::thread a(use, 1), b(use, 2);
  a.join();
  b.join();
}

MUSTER_SCENARIO(locale_between_points) {
  struct Comma final : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
  };
  const std::locale old = std::locale::global(std::locale(std::locale::classic(), new Comma));
  meet();
  std::ostringstream out;
  out << 1.5;
  MUSTER_REQUIRE(out.str() == "1,5");
  std::locale::global(old);
}

MUSTER_SCENARIO(printing_between_points) {
  std::printf("before ");
  meet();
  std::printf("after\n");
  std::fflush(stdout);
}
