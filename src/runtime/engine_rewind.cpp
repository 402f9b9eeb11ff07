// Going back instead of starting again. A depth-first search repeats all decisions of an execution but the last few.
// Where it will come back to a decision, everything that the execution has made so far is copied (stacks,
// thread-locals, heap, globals, what the engine and the race detector know); the next execution puts that back and goes
// on from there. What cannot be put back, such as files and memory of the C library, is noticed, and then executions
// begin at their start. One in many does so anyway, and repeats all its decisions: an execution that is not
// reproducible shows there.

#include <bit>
#include <utility>

#include "base/assert.hpp"
#include "runtime/engine.hpp"
#include "schedule/thread_set.hpp"

namespace muster {
namespace {

// One execution in so many begins at its start: it is compared with what was recorded, decision by decision.
constexpr unsigned repeat_whole_every = 128;

// Savepoints lie so many steps apart that not more than this is copied for each step between them. Rates with 1024 and
// 4096 were 1 to 5 % lower, in plain and in reduced searches.
constexpr std::size_t bytes_worth_a_step = 2048;
constexpr std::size_t largest = 1 << 20;

constexpr std::uintptr_t first_page = 4096;  // numbers below name threads, not memory

}  // namespace

void Engine::left_traces() {
  if (!saves_) return;
  can_go_back_ = false;
  calls_are_noticed = 0;
  restorer_.stop_following();
}

/// Memory that is neither heap, stack nor restored is not put back.
void Engine::look_outside(std::uintptr_t address) {
  if (address >= first_page && !arena_.knows(address)) left_traces();
}

/// The next one is worth it after so many steps.
inline void Engine::expect_savepoint() {
  if (!saves_ || savepoints_.empty()) {
    save_from_ = saves_ ? 0 : never;
  } else {
    const Savepoint& last = savepoints_.back();
    save_from_ = last.steps + 1 + static_cast<std::uint32_t>((last.end - last.begin - 1) / bytes_worth_a_step);
  }
}

/// Before an execution: what of the saved points is on its way.
inline void Engine::prepare_going_back() {
  Traversal* const traversal = strategy_->traversal();
  const auto returns = traversal ? traversal->comes_back() : std::nullopt;
  returns_ = returns.value_or(Traversal::Return());
  saves_ = returns && can_go_back_ && test_heap_in_use && !options_.from_start && !options_.planned && !watch_events_ &&
           observer_->goes_back();
  if (!saves_ || races_.cannot_go_back() || returns_.kept == 0 || std::exchange(heads_grew_, false)) {
    savepoints_.clear();
    if (saves_) restorer_.follow_anew();
  } else {
    while (!savepoints_.empty() && savepoints_.back().position > returns_.kept) savepoints_.pop_back();
  }
  expect_savepoint();
}

/// The running thread, which was about to decide whether to stay, or who comes after its end, does not run to do so.
inline void Engine::decide_for_running(bool may_stay) {
  const std::uint64_t others = enabled() & ~bit(current_->id);
  MUSTER_ASSERT(position_ < replayed_);
  const Decision& recorded = journal_.schedule[position_++];
  MUSTER_ASSERT(recorded.count == may_stay + std::popcount(others));
  if (recorded.index >= may_stay) {
    count_cost(recorded.cost);
    make_running(member(others, recorded.index - may_stay));
  } else if (reducing_) {
    begin_transition(*current_);
  }
  controlled = true;  // a thread that was switched away from does not say so
}

/// Whether it could: then the execution is where it parts from the one before.
bool Engine::go_back() {
  prepare_going_back();
  if (savepoints_.empty() || ++since_start_ >= repeat_whole_every) {
    since_start_ = 0;
    return false;
  }
  ++execution_number_;
  const Savepoint& last = savepoints_.back();
  tape_.start_putting_back(last.begin);
  pass(tape_);
  replayed_ = journal_.schedule.size();
  journal_.steps += steps_;  // as if they had been made again
  journal_.running = current_->id;
  races_.run(current_->id);
  if (reducing_) reducer_->goes_on_after(transitions_);
  if (last.kind != Savepoint::Kind::any) decide_for_running(last.kind == Savepoint::Kind::stay_or_leave);
  return true;
}

/// Whether the search will come back to the decision that is made now.
inline bool Engine::worth_saving(Cost cost) const {
  if (position_ < replayed_ && !reducing_) {
    const Decision& recorded = journal_.schedule[position_];
    if (recorded.index + 1 >= recorded.limit) return false;
  }
  if (cost == Cost::preemption && result_.preemptions >= returns_.preemptions) return false;
  return cost != Cost::late_yield || result_.late_yields < returns_.late_yields;
}

/// What is in the way of counts and small tables is not worth counting.
inline std::size_t Engine::size_to_save() const {
  std::size_t size = heap_.total_used() + races_.touched_cells() * sizeof(Cell) + restorer_.size_to_pass();
  for (std::uint64_t mask = alive_ & ~bit(current_->id); mask; mask &= mask - 1)
    size += threads_[std::countr_zero(mask)].context->stack_in_use().size();
  return size;
}

/// Whether a savepoint is made here: if so, it is entered, and what belongs to it is to be copied.
bool Engine::begin_savepoint(Cost cost, Savepoint::Kind kind) {
  if (!worth_saving(cost)) return false;
  if (!can_go_back_ || result_.learned || !seen_states_.empty()) return false;
  for (const Rewindable& state : rewindables_) {
    if (!state.can_be_saved()) return false;
  }
  const std::size_t begin = savepoints_.empty() ? 0 : savepoints_.back().end;
  tape_.start_saving(begin);
  const std::size_t size = size_to_save();
  if (size > largest || !tape_.has_room(2 * size)) return false;
  controlled = false;  // what is allocated here is not the program's
  savepoints_.push_back({position_, steps_, begin, begin, kind, cost});
  return true;
}

void Engine::copy_to_tape(void* self) {
  Engine& engine = *static_cast<Engine*>(self);
  engine.pass(engine.tape_);
  engine.savepoints_.back().end = engine.tape_.position();
  engine.expect_savepoint();
}

/// The stack and the thread-locals of one thread.
template <class Strip>
[[gnu::always_inline]] inline void Engine::pass_stack(Strip& strip, Context& context) {
  struct Words {
    void* stack_pointer;
    int error_number;
  };
  Words words{context.stack_pointer(), context.error_number()};
  strip.pass(words);
  context.set_stack_pointer(words.stack_pointer);
  context.error_number() = words.error_number;
  strip.pass(context.stack_in_use());
  for (const auto& variables : context.thread_locals()) strip.pass(variables);
}

/// Apart, so that plain search has less code to go through.
[[gnu::noinline]] void Engine::pass_attempts(Tape& tape) {
  tape.run([this](auto& strip) {
    for (std::uint64_t mask = alive_; mask; mask &= mask - 1) threads_[std::countr_zero(mask)].pass_attempt(strip);
  });
}

/// Nothing of a thread that has ended: whoever goes back to a point goes back in an execution that came by there, and
/// so has ended it, too.
void Engine::pass(Tape& tape) {
  tape.run([this](auto& strip) {
    strip.pass(static_cast<ExecutionState&>(*this));
    for (std::uint64_t mask = alive_; mask; mask &= mask - 1) strip.pass(next_[std::countr_zero(mask)]);
    for (std::uint64_t mask = alive_; mask; mask &= mask - 1) threads_[std::countr_zero(mask)].pass(strip);
  });
  if (!tape.saving()) {
    seen_states_.clear();
    doubted_.clear();
  }
  races_.pass(tape, alive_);
  // One that ends may have more to decide than who comes next.
  const std::uint64_t ending = savepoints_.back().kind == Savepoint::Kind::after_end ? 0 : bit(current_->id);
  tape.run([this, ending](auto& strip) {
    for (std::uint64_t mask = alive_ | ending; mask; mask &= mask - 1)
      pass_stack(strip, *threads_[std::countr_zero(mask)].context);
  });
  if (reducing_) [[unlikely]]
    pass_attempts(tape);
  heap_.pass(tape);
  restorer_.pass(tape);
  for (const Rewindable& state : rewindables_) state.pass(tape);
  observer_->pass(tape);
}

}  // namespace muster
