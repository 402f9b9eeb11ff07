#pragma once
// Runs of a test on real threads. Each run has objects of its own; threads write what they did, with stamps, into logs
// of their own, and afterwards the logs become a history.

#include <pthread.h>

#include <atomic>
#include <deque>
#include <functional>

#include "rule/handle_names.hpp"
#include "rule/handles.hpp"
#include "rule/recorded.hpp"
#include "stress/stress.hpp"

namespace muster {

/// How one run goes: concurrently, or serially in a given order of all operations.
struct StressPlan {
  std::vector<std::uint8_t> order;    // empty: concurrently
  std::vector<std::uint8_t> excuses;  // by operation: whether it answers as declared, without running
};

class StressColumns final : public StressSubject {
 public:
  StressColumns(const CheckDefinition& check, const Test& test, std::vector<StressPlan> plans);
  ~StressColumns() override;

  void begin(std::size_t run) override;
  void end(std::size_t run) override;
  void work(std::size_t run, unsigned thread) override;

  /// One entry of what a thread did.
  enum class Entry : std::uint8_t { call, ret, signal, signal_back };
  struct Line {
    std::uint32_t stamp;
    std::uint8_t operation;
    Entry entry;
    std::uint8_t role = 0;
    std::string answer = {};
  };
  /// What happened in a run, in the order of the stamps; what has not returned is pending.
  std::vector<Line> read(std::size_t run) const;
  /// An invariant that did not hold at the end of a run, if any.
  const std::string* broken_invariant(std::size_t run) const { return runs_[run].broken; }

  /// The threads that runs take: one a column and, serially, one for each asynchronous operation.
  unsigned threads() const { return static_cast<unsigned>(test_.columns.size() + asynchronous_.size()); }

  /// What to do where the objects of a run cannot be made, given why: it must not return.
  std::function<void(const std::string&)> cannot_begin;

  /// For signal points: what the calling thread is doing, if it takes part in a run.
  static void signal(unsigned role, bool back);

 private:
  /// Written by one thread; others may read at any time. Its lines never move: there is room for all of them.
  struct Log {
    std::vector<Line> lines;
    std::atomic<std::size_t> count{0};  // (1) release: lines below it are complete for the acquire in read
  };
  struct Run {
    std::vector<void*> objects;
    std::vector<void*> thread_states;
    std::optional<Handles> handles;
    std::deque<Log> logs;  // of the columns, then of who begins and ends
    Stamps stamps;
    // Serially: the place in the order that is next. By the C library's names, so that thread sanitizers see it.
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t next = PTHREAD_COND_INITIALIZER;
    std::size_t turn = 0;
    const std::string* broken = nullptr;
  };
  struct Current {
    Run* run;
    Log* log;
    unsigned operation;
  };

  static void write(Log& log, Line line);
  void perform(std::size_t run, unsigned thread, unsigned operation);
  void wait_for_turn(Run& run, const StressPlan& plan, unsigned operation);
  void end_turn(Run& run, const StressPlan& plan);
  void make_objects(Run& run);
  void destroy(Run& run);
  void** states_of(Run& run, int column) {
    return run.thread_states.data() + static_cast<std::size_t>(column + 1) * check_.thread_states.size();
  }
  template <class Function>
  void for_each_thread_state(Run& run, Function function);

  static thread_local Current* current_;

  const CheckDefinition& check_;
  Test test_;
  std::vector<TestOperation> operations_;
  std::vector<unsigned> first_of_column_;
  unsigned first_end_ = 0, last_begin_ = 0;
  std::vector<unsigned> asynchronous_;  // operations whose effect may come after their return
  std::vector<std::uint64_t> uses_;
  std::vector<StressPlan> plans_;
  std::deque<Run> runs_;
};

/// The lines of a run as a history.
void to_history(const std::vector<StressColumns::Line>& lines, unsigned operations, const HandleNames& names,
                Responses& responses, Recorded& history);

}  // namespace muster
