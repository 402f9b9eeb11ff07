#pragma once
// A pass over one program that belongs to one worker, and that others join while they have nothing else to do. Lies in
// shared memory. In a depth-first pass a job is an interval of the order in which one worker would make all executions,
// so of two executions that end the search the one that comes first can be known, and what lies after it is no longer
// looked at: then the result is the one of a single worker. Other passes have no such order: what ends them ends them.

#include <cstdint>
#include <span>
#include <vector>

#include "reduction/reduction_strategy.hpp"
#include "schedule/depth_first_strategy.hpp"
#include "search/job_board.hpp"
#include "search/shared_tree.hpp"

namespace muster {

/// Whether `a` comes before `b` in the order of a depth-first search. A schedule comes before those that go on from it.
bool comes_before(std::span<const Decision> a, std::span<const Decision> b);

enum class PassKind : std::uint8_t { depth_first, reduced, random };

class SharedPass {
 public:
  static constexpr std::uint64_t nothing = ~std::uint64_t{0};

  // ---- its owner ----

  /// What is searched from now on, in passes that follow; `nothing` once it was searched.
  void set_subject(std::uint64_t subject);
  /// Of what the executions show that end a pass, the first in the order counts; else the first in time.
  void set_in_order(bool in_order) { in_order_ = in_order; }
  void begin(PassKind kind, DepthFirstBounds bounds);
  /// From now on it is worth joining.
  void invite() { __atomic_store_n(&inviting_, true, __ATOMIC_RELEASE); }
  /// Waits for the others to leave.
  void end() { work().close(); }

  // ---- others ----

  std::uint64_t subject() const { return __atomic_load_n(&subject_, __ATOMIC_ACQUIRE); }
  bool inviting() const { return __atomic_load_n(&inviting_, __ATOMIC_ACQUIRE); }
  /// Waits for a pass over `subject` after number `last`, and joins it; 0 if there will be none.
  unsigned join(std::uint64_t subject, unsigned last);
  /// How many have joined passes over this subject.
  unsigned helpers() const { return __atomic_load_n(&helpers_, __ATOMIC_ACQUIRE); }
  void count_helper() { __atomic_fetch_add(&helpers_, 1, __ATOMIC_ACQ_REL); }

  // ---- everybody ----

  const DepthFirstBounds& bounds() const { return bounds_; }
  PassKind kind() const { return kind_; }
  bool is_reduced() const { return kind_ == PassKind::reduced; }
  bool in_order() const { return in_order_ && kind_ == PassKind::depth_first; }
  /// Who works at it, whatever the kind of search.
  SharedWork& work() { return is_reduced() ? static_cast<SharedWork&>(tree) : board; }
  /// The number of the next execution of a random pass.
  std::uint64_t take_number() { return __atomic_fetch_add(&next_number, 1, __ATOMIC_RELAXED); }

  /// What the execution with these decisions shows ends the search, or is to be told. Of each, the first one in the
  /// order counts.
  enum class Find { ends, tells };
  void found_at(std::span<const Decision> decisions, Find find);
  bool found(Find find) const { return __atomic_load_n(&found_[static_cast<int>(find)], __ATOMIC_ACQUIRE); }
  std::vector<Decision> first_found(Find find);
  /// Whether nothing from here on counts, because of what ends the search.
  bool is_beyond(std::span<const Decision> decisions);

  /// Schedules along which libraries set themselves up, which they do once in each process that comes along there.
  void add_set_up(std::span<const Decision> decisions);
  std::vector<std::vector<Decision>> set_ups();

  JobBoard board;                   // of a depth-first search, and of a random one
  SharedTree tree;                  // of a reduced one
  std::uint64_t next_number = 0;    // of what is drawn
  std::uint64_t searched = 0;       // what a portfolio has made beside that
  bool whole_tree_left = false;     // its owner has not begun with it
  std::uint64_t own_jobs_left = 0;  // of those that its owner began with: the first ones
  bool found_aside = false;         // a helper did, in what was only an attempt
  bool learned = false, out_of_time = false, found_what_ends_it = false;
  Traversal::LeftOut left_out;

 private:
  /// Longer ones are not kept.
  struct SetUp {
    std::uint32_t size;
    Decision decisions[JobBoard::longest_job];
  };
  static constexpr unsigned most_set_ups = 4;
  void lock();
  void unlock();

  PassKind kind_ = PassKind::depth_first;
  bool in_order_ = true;
  std::uint64_t subject_ = nothing;
  unsigned number_ = 0;
  unsigned helpers_ = 0;
  bool inviting_ = false;
  DepthFirstBounds bounds_;
  int locked_ = 0;
  bool found_[2] = {};
  Schedule first_[2];
  unsigned set_up_count_ = 0;
  SetUp set_ups_[most_set_ups];
};

}  // namespace muster
