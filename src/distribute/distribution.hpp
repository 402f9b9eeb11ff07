#pragma once
// A run of a test program, spread over ranks: rank 0 begins it, divides what is left after a while, hands out the
// parts, divides those that take long again, joins what comes back, and goes on with what comes next.

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/halt.hpp"
#include "distribute/crew.hpp"
#include "division/divide.hpp"
#include "finding/finding.hpp"

namespace muster {

struct DistributeOptions {
  std::vector<std::string> command;
  std::string checkpoint, resume;  // files
  double budget_seconds = 0;
  double piece_seconds = 5;        // a part that takes longer may be divided again
  double checkpoint_seconds = 60;  // so often it is written
  bool quiet = false;
};

class Distribution {
 public:
  Distribution(Crew& crew, DistributeOptions options, std::function<bool()> interrupted);

  ExitCode run();

 private:
  /// A part that somebody has to do.
  struct Piece {
    CheckpointText part;
    unsigned losses = 0;  // so often it was begun and nothing came of it
  };

  /// The program runs on rank 0, for a while. What is left, unless it came to its end.
  std::optional<std::string> begin(const std::string& checkpoint);
  /// Everybody works at what is left, until nothing is or somebody stopped it. Nothing if it failed.
  std::optional<CheckpointText> search(const CheckpointText& whole);
  void hand_out();
  void divide_what_takes_long();
  void ended(int rank, JobEnd end);
  void take_result(Piece piece, const JobEnd& end);
  void lose(Piece piece, const JobEnd& end);
  void compact();
  CheckpointText all_that_is_known(bool everything) const;
  void keep_checkpoint();
  bool is_over() { return halt_.order() != Halt::Order::go_on; }
  ExitCode stopped(const std::string& checkpoint);
  void tell(const std::string& report, bool finished_only);
  void tell_times() const;

  DistributeOptions options_;
  Crew& crew_;
  Halt halt_;
  Crew::Clock::time_point started_ = Crew::Clock::now(), kept_ = Crew::Clock::now();
  std::deque<Piece> waiting_;
  std::map<int, Piece> under_way_;  // by rank
  std::vector<CheckpointText> done_;
  bool learned_ = false, failed_ = false;
  // Before anything is divided: the first pieces of a search are the largest, and most of what it learns it learns
  // here.
  double seconds_to_begin_ = 2;
  std::uint64_t next_id_ = 0;
  ExitCode code_ = ExitCode::no_finding;
};

}  // namespace muster
