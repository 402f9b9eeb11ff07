#pragma once
// All ranks as workers of rank 0, itself included: who is at what, since when, and how long they had nothing to do.

#include <chrono>
#include <functional>
#include <vector>

#include "distribute/ranks.hpp"
#include "distribute/runner.hpp"

namespace muster {

class Crew {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Crew(Ranks& ranks);
  /// The other ranks end.
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  int size() const { return static_cast<int>(members_.size()); }
  std::vector<int> idle() const;
  bool anybody_works() const;
  double seconds_at_work(int rank) const;
  bool was_asked_to_stop(int rank) const { return members_[static_cast<std::size_t>(rank)].asked; }

  void give(int rank, const Job& job);
  void ask_to_stop(int rank);
  void ask_all_to_stop();

  /// Looks once what has come to an end, after a short sleep.
  void look(const std::function<void(int rank, JobEnd end)>& ended);

  struct Times {
    double busy = 0, idle = 0;  // seconds, added up
    std::uint64_t jobs = 0, bytes = 0;
    double idle_share() const { return busy + idle > 0 ? idle / (busy + idle) : 0; }
  };
  const Times& times() const { return times_; }

 private:
  struct Member {
    bool busy = false, asked = false;
    Clock::time_point since = Clock::now();
  };
  void end(int rank, JobEnd end, const std::function<void(int, JobEnd)>& ended);

  Ranks& ranks_;
  Runner runner_;
  std::vector<Member> members_;
  Times times_;
};

}  // namespace muster
