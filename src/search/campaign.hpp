#pragma once
// Searches many subjects in worker processes: each is searched by one worker, and by those that have nothing else to
// do. A subject is a test of a check, or a scenario. The parent waits for workers, takes care of those that die or
// hang, and heeds the clock.

#include <functional>
#include <memory>
#include <vector>

#include "base/halt.hpp"
#include "base/shared_memory.hpp"
#include "base/supervisor.hpp"
#include "search/slot.hpp"

namespace muster {

/// What a worker does next.
struct Assignment {
  Engine& engine;
  Channel& channel;
  WorkerSlot& slot;            // of this worker
  WorkerSlot& owner;           // of the one that has the subject: the same, or the one that is helped
  Interruption& interruption;  // of a search that is to end early
  std::uint64_t number = 0;    // of the subject
  unsigned attempt = 0;        // of the owner
  std::uint64_t worker = 0;    // the owner's number
  std::uint64_t subject = 0;   // this attempt at it, for passes
  bool shareable = false;      // others may help
};

/// What is searched, seen from workers and from their parent.
class Subjects {
 public:
  virtual ~Subjects() = default;
  virtual std::uint64_t count() const = 0;

  // ---- in a worker ----

  /// True if it failed: those after it need not be searched.
  virtual bool search(const Assignment& assigned) = 0;
  virtual void help(const Assignment& assigned) = 0;

  // ---- in the parent ----

  virtual void message(std::span<const std::byte> message) = 0;
  /// What becomes of the subject that a worker, or one that helped it, died in.
  enum class AfterDeath {
    settled,  // its result is known
    again,    // it is searched once more, alone
    stop,     // the campaign ends
  };
  virtual AfterDeath died(WorkerSlot& slot, const ProcessEnd& end) = 0;
  virtual AfterDeath helper_died(WorkerSlot& helper, WorkerSlot& owner, const ProcessEnd& end) = 0;
  /// It did not stop in time.
  virtual void killed(WorkerSlot&) {}
  /// About five times a second.
  virtual void tick() {}
};

struct CampaignOptions {
  RuntimeOptions runtime;
  unsigned jobs = 1;
  bool keep_going = false;   // all subjects, whatever fails
  double hang_seconds = 10;  // no step for so long is a possible hang
  Halt::Clock::time_point deadline = Halt::never;
  std::function<bool()> interrupted;  // asked now and then: true stops the search
};

class Campaign {
 public:
  Campaign(Subjects& subjects, const CampaignOptions& options);

  /// Until all are searched, or the search is stopped.
  void run();

  Board& board() { return *board_; }
  const Board& board() const { return *board_; }
  const std::vector<Shared<WorkerSlot>>& slots() const { return slots_; }
  Halt& halt() { return halt_; }
  /// Of the subjects under way that are done, of the bound they are at; added up.
  double share_begun() const;

 private:
  // ---- in a worker ----

  struct Place {
    Engine& engine;
    Channel& channel;
    WorkerSlot& slot;
    std::uint64_t number;  // of the slot
  };
  void work(const Place& at);
  std::uint64_t next_subject();
  void search(const Place& at, std::uint64_t number, bool shareable);
  bool help_somebody(const Place& at);
  void help(const Place& at, std::uint64_t host, std::uint64_t subject);

  // ---- in the parent ----

  void start_worker(std::size_t i);
  Duties duties();
  void restart_worker(std::size_t i);
  void after_end(std::size_t i, const ProcessEnd& end);
  void after_death(std::size_t i, const ProcessEnd& end);
  void leave_for(WorkerSlot& helper, WorkerSlot& owner);
  void search_again(std::size_t i);
  void kill_workers();

  Subjects& subjects_;
  const CampaignOptions& options_;
  Halt halt_;
  Supervisor workers_;
  Shared<Board> board_;
  std::vector<Shared<WorkerSlot>> slots_;
  bool over_ = false;  // no worker is started any more
  Halt::Clock::time_point last_tick_;
};

}  // namespace muster
