#pragma once
// What one worker process of a run does: tests of its own, one after the other, then a part in those of others.

#include <vector>

#include "base/channel.hpp"
#include "base/shared_memory.hpp"
#include "check/run.hpp"

namespace muster {

/// Of work that nothing cuts short.
class Patient final : public Interruption {};

/// What all workers share.
struct RunBoard {
  std::uint64_t next = 0;  // number of the next test
  std::uint64_t least_failing = SharedPass::nothing;
  std::uint64_t stopped = 0;
};

/// One worker's own part of the shared memory.
struct RunSeat {
  static constexpr std::uint64_t none = SharedPass::nothing;
  Journal journal;
  RacySites racy_sites;
  std::uint64_t current = none;  // the test it is at
  std::uint64_t again = none;    // a test to do once more, alone
  unsigned attempt = 0;          // how many tests it has begun
  bool spoilt = false;           // by a crash: another process shall go on
  SharedPass pass;               // of that test, for others to join
  Counters counters;             // of the part of the search under way
  bool shows_again = false;      // the execution under way was found by another
  bool confirms = false;         // it shows what was found
  std::uint64_t host = none;     // the number of the seat it helps

  TestSharing sharing() {
    return {.pass = pass, .counters = counters, .shows_again = shows_again, .confirms = confirms};
  }
};

inline std::uint64_t load(const std::uint64_t& value) { return __atomic_load_n(&value, __ATOMIC_RELAXED); }
void lower(std::uint64_t& value, std::uint64_t to);

/// Messages to the parent begin with a letter: `result` for the result of a test, `part` for a part in one, `found` for
/// what was found in one that goes on.
constexpr char result_letter = 'r', part_letter = 'p', found_letter = 'f';

class RunWorker {
 public:
  RunWorker(const CheckDefinition& check, const TestSource& source, const CheckRunOptions& options, RunBoard& board,
            std::vector<Shared<RunSeat>>& seats, std::uint64_t number)
      : check_(check),
        source_(source),
        options_(options),
        board_(board),
        seats_(seats),
        seat_(*seats[number]),
        number_(number) {}

  void run(Engine& engine, Channel& channel);

 private:
  std::uint64_t next_test();
  void run_test(std::uint64_t number, bool alone, Engine& engine, Channel& channel);
  bool is_spoilt(const Engine& engine);
  bool help_somebody(Engine& engine, Channel& channel);
  void help(std::uint64_t host, std::uint64_t subject, Engine& engine, Channel& channel);
  static std::function<void(const Failure&)> found_in(std::uint64_t test, Channel& channel);

  const CheckDefinition& check_;
  const TestSource& source_;
  const CheckRunOptions& options_;
  RunBoard& board_;
  std::vector<Shared<RunSeat>>& seats_;
  RunSeat& seat_;
  std::uint64_t number_;
};

}  // namespace muster
