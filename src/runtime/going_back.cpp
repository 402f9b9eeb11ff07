#include "runtime/going_back.hpp"

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

void GoingBack::left_traces() {
  if (!saves_) return;
  allowed_ = false;
  calls_are_noticed = 0;
  engine_.surroundings_.restorer().stop_following();
}

/// Memory that is neither heap, stack nor restored is not put back.
void GoingBack::look_outside(std::uintptr_t address) {
  if (address >= first_page && !engine_.arena_.knows(address)) left_traces();
}

/// The next one is worth it after so many steps.
inline void GoingBack::expect_savepoint() {
  if (!saves_ || savepoints_.empty()) {
    save_from_ = saves_ ? 0 : never;
  } else {
    const Savepoint& last = savepoints_.back();
    save_from_ = last.steps + 1 + static_cast<std::uint32_t>((last.end - last.begin - 1) / bytes_worth_a_step);
  }
}

/// Before an execution: what of the saved points is on its way.
inline void GoingBack::prepare() {
  Traversal* const traversal = engine_.strategy_->traversal();
  const auto returns = traversal ? traversal->comes_back() : std::nullopt;
  returns_ = returns.value_or(Traversal::Return());
  saves_ = returns && allowed_ && test_heap_in_use && !engine_.options_.from_start && !engine_.options_.planned &&
           !engine_.watch_events_ && engine_.observer_->goes_back();
  if (!saves_ || engine_.races_.cannot_go_back() || returns_.kept == 0 ||
      std::exchange(engine_.reduction_.heads_grew_, false)) {
    savepoints_.clear();
    if (saves_) engine_.surroundings_.restorer().follow_anew();
  } else {
    while (!savepoints_.empty() && savepoints_.back().position > returns_.kept) savepoints_.pop_back();
  }
  expect_savepoint();
}

/// The running thread, which was about to decide whether to stay, or who comes after its end, does not run to do so.
inline void GoingBack::decide_for_running(bool may_stay) {
  const std::uint64_t others = engine_.enabled() & ~bit(engine_.current_->id);
  MUSTER_ASSERT(engine_.position_ < engine_.replayed_);
  const Decision& recorded = engine_.journal_.schedule[engine_.position_++];
  MUSTER_ASSERT(recorded.count == may_stay + std::popcount(others));
  if (recorded.index >= may_stay) {
    engine_.count_cost(recorded.cost);
    engine_.make_running(member(others, recorded.index - may_stay));
  } else if (engine_.reduction_.reducing_) {
    engine_.reduction_.begin(*engine_.current_);
  }
  controlled = true;  // a thread that was switched away from does not say so
}

/// Whether it could: then the execution is where it parts from the one before.
bool GoingBack::go_back() {
  prepare();
  if (savepoints_.empty() || ++since_start_ >= repeat_whole_every) {
    since_start_ = 0;
    return false;
  }
  ++engine_.execution_number_;
  const Savepoint& last = savepoints_.back();
  tape_.start_putting_back(last.begin);
  pass(tape_);
  engine_.replayed_ = engine_.journal_.schedule.size();
  engine_.journal_.steps += engine_.steps_;  // as if they had been made again
  engine_.journal_.running = engine_.current_->id;
  engine_.races_.run(engine_.current_->id);
  if (engine_.reduction_.reducing_) engine_.reduction_.reducer_->goes_on_after(engine_.reduction_.begun_);
  if (last.kind != Savepoint::Kind::any) decide_for_running(last.kind == Savepoint::Kind::stay_or_leave);
  return true;
}

/// Whether the search will come back to the decision that is made now.
inline bool GoingBack::worth_saving(Cost cost) const {
  if (engine_.position_ < engine_.replayed_ && !engine_.reduction_.reducing_) {
    const Decision& recorded = engine_.journal_.schedule[engine_.position_];
    if (recorded.index + 1 >= recorded.limit) return false;
  }
  if (cost == Cost::preemption && engine_.result_.preemptions >= returns_.preemptions) return false;
  return cost != Cost::late_yield || engine_.result_.late_yields < returns_.late_yields;
}

/// What is in the way of counts and small tables is not worth counting.
inline std::size_t GoingBack::size_to_save() const {
  std::size_t size = engine_.heap_.blocks().total_used() + engine_.races_.touched_cells() * sizeof(Cell) +
                     engine_.surroundings_.restorer().size_to_pass();
  for (std::uint64_t mask = engine_.alive_ & ~bit(engine_.current_->id); mask; mask &= mask - 1)
    size += engine_.threads_[std::countr_zero(mask)].context->stack_in_use().size();
  return size;
}

/// Whether a savepoint is made here: if so, it is entered, and what belongs to it is to be copied.
bool GoingBack::make_savepoint(Cost cost, Savepoint::Kind kind) {
  if (!worth_saving(cost)) return false;
  if (!allowed_ || engine_.result_.learned || !engine_.seen_states_.empty()) return false;
  if (!engine_.surroundings_.can_be_saved()) return false;
  const std::size_t begin = savepoints_.empty() ? 0 : savepoints_.back().end;
  tape_.start_saving(begin);
  const std::size_t size = size_to_save();
  if (size > largest || !tape_.has_room(2 * size)) return false;
  controlled = false;  // what is allocated here is not the program's
  savepoints_.push_back({engine_.position_, engine_.steps_, begin, begin, kind, cost});
  return true;
}

void GoingBack::copy_to_tape(void* self) {
  GoingBack& here = static_cast<Engine*>(self)->going_back_;
  here.pass(here.tape_);
  here.savepoints_.back().end = here.tape_.position();
  here.expect_savepoint();
}

/// The stack and the thread-locals of one thread.
template <class Strip>
[[gnu::always_inline]] inline void GoingBack::pass_stack(Strip& strip, Context& context) {
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

/// Nothing of a thread that has ended: whoever goes back to a point goes back in an execution that came by there, and
/// so has ended it, too.
void GoingBack::pass(Tape& tape) {
  tape.run([&e = engine_](auto& strip) {
    strip.pass(static_cast<ExecutionState&>(e));
    strip.pass(static_cast<BlockingState&>(e.blocking_));
    strip.pass(static_cast<VirtualTimeState&>(e.time_));
    for (std::uint64_t mask = e.alive_; mask; mask &= mask - 1) {
      strip.pass(e.next_[std::countr_zero(mask)]);
      e.threads_[std::countr_zero(mask)].pass(strip);
    }
  });
  if (!tape.saving()) {
    engine_.seen_states_.clear();
    engine_.doubted_.clear();
  }
  engine_.races_.pass(tape, engine_.alive_);
  if (engine_.weak_) [[unlikely]]
    engine_.weak_memory_.pass(tape, engine_.alive_);
  // One that ends may have more to decide than who comes next.
  const std::uint64_t ending = savepoints_.back().kind == Savepoint::Kind::after_end ? 0 : bit(engine_.current_->id);
  tape.run([&e = engine_, ending](auto& strip) {
    for (std::uint64_t mask = e.alive_ | ending; mask; mask &= mask - 1)
      pass_stack(strip, *e.threads_[std::countr_zero(mask)].context);
  });
  if (engine_.reduction_.reducing_) [[unlikely]]
    engine_.reduction_.pass(tape);
  engine_.heap_.blocks().pass(tape);
  engine_.surroundings_.pass(tape);
  engine_.observer_->pass(tape);
}

}  // namespace muster
