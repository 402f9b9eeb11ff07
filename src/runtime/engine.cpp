#include "runtime/engine.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.hpp"
#include "runtime/cut.hpp"
#include "schedule/thread_set.hpp"

namespace muster {

Engine* engine = nullptr;
bool controlled = false;
bool test_heap_in_use = true;
volatile char calls_are_noticed = 0;
void (*take_control)(Engine&) = nullptr;
bool (*is_unwatched)(std::uint32_t) = [](std::uint32_t) { return false; };
const UnwatchedWorld* unwatched_world = nullptr;
SiteSet* weak_orders = nullptr;

Engine::Engine(const RuntimeOptions& options, Journal& journal, RacySites& racy_sites, ContextMode mode)
    : options_(options),
      journal_(journal),
      racy_sites_(racy_sites),
      contexts_(mode, Arena::stacks(), Arena::stack_size),
      races_(arena_, race_reports_),
      weak_memory_(*this, races_.clocks()),
      reduction_(*this),
      blocking_(*this),
      time_(*this),
      heap_(*this),
      going_back_(*this) {}

// ---- one execution ----

void Engine::enter(const Program& program, Strategy& strategy, Observer& observer) {
  strategy_ = &strategy;
  thread_state_ = program.thread_state;
  observer_ = &observer;
  manners_ = strategy.manners();
  reduction_.enter(strategy.reducer(), options_.serial);
  step_limit_ = reduction_.reducing_ ? std::min(options_.step_limit, longest_reduced) : options_.step_limit;
  is_watched_ = observer.watches_events();
  watch_events_ = manners_.watches_events || is_watched_;
  takes_first_ = manners_.takes_first;
  is_plain_ = !reduction_.reducing_ && !watch_events_ && !options_.serial && !options_.planned;
  choose_memory_model();
  engine = this;
  if (!going_back_.go_back()) start_execution(program);
  journal_.in_execution = true;
  calls_are_noticed = going_back_.saves_;
}

/// Older values are there from the first execution in which an order was seen that is weaker than seq_cst: searches
/// that have to do so begin again then. Executions that repeat decisions have what those had.
void Engine::choose_memory_model() {
  memory_model_ = strategy_->memory_model(options_.memory_model);
  const bool c11 = memory_model_ != MemoryModel::sc && !options_.serial && !options_.planned;
  const Schedule& schedule = journal_.schedule;
  const bool late = schedule.size() > 0 ? schedule[0].memory_model == MemoryModel::sc : !racy_sites_.uses_weak_orders();
  weak_ = c11 && !late && options_.races;  // an execution that looks for nothing looks for weak orders, too
  looks_for_weak_orders_ = c11 && late;
  if (!weak_) memory_model_ = MemoryModel::sc;
  reduction_.weak_ = weak_;
}

void Engine::meet_weak_order(SiteId site) {
  const auto low = static_cast<std::uint32_t>(site);
  known_weak_orders_[low % std::size(known_weak_orders_)] = low;
  if (weak_orders) weak_orders->insert(low);
  if (!looks_for_weak_orders_) return;
  racy_sites_.use_weak_orders();
  result_.learned = true;
}

Execution Engine::leave() {
  calls_are_noticed = 0;
  controlled = false;
  journal_.in_execution = false;
  ++journal_.executions;
  strategy_->end_execution(journal_.schedule, result_.ending);
  return result_;
}

void Engine::start_execution(const Program& program) {
  surroundings_.restorer().restore();
  ++execution_number_;
  ready_ = timed_ = held_back_ = pending_ = internal_ = alive_ = 0;
  steps_ = position_ = 0;
  replayed_ = journal_.schedule.size();
  thread_count_ = locks_left_ = 0;
  spurious_left_ = options_.spurious_failures;
  writes_ = 0;
  last_write_ = last_change_ = 0;
  doubted_.clear();
  alone_ = no_thread;
  seen_states_.clear();
  result_ = {};
  current_ = nullptr;
  reduction_.start();
  blocking_.start();
  time_.start();
  heap_.blocks().begin_execution(options_.heap);
  RaceDetector::Assumptions assumptions;
  if (options_.races && manners_.begins_again) {  // only then may it assume the best
    assumptions = {.private_stacks = ~racy_sites_.shared_stacks(),
                   .constant_outside = !racy_sites_.outside_is_written(),
                   .certain_order = unwatched_world && racy_sites_.finds_all_ordered()};
  }
  races_.begin_execution(1, options_.races, assumptions);
  if (weak_) weak_memory_.begin_execution();
  surroundings_.reset();
  struct Start {
    static void* run(void* program) {
      static_cast<const Program*>(program)->body(static_cast<const Program*>(program)->argument);
      return nullptr;
    }
  };
  Thread& main = spawn(Start::run, const_cast<Program*>(&program), 0);
  current_ = &main;
  races_.run(main.id);
  journal_.running = main.id;
  reduction_.begin(main);
}

void Engine::end(Ending ending) {
  controlled = false;
  if (position_ < replayed_ && ending != Ending::incident && ending != Ending::abandoned) [[unlikely]] {
    Incident difference{.kind = IncidentKind::not_reproducible, .place = {}, .earlier = {}};
    difference.say(fmt::format("the execution ended after {} of {} recorded decisions", position_, replayed_));
    observer_->incident(difference);
    result_.diverged_at = position_;
    ending = Ending::incident;
  }
  ending = reduction_.end(ending);
  result_.ending = is_aside() ? Ending::abandoned : ending;
  result_.older_values = weak_ && weak_memory_.older_choices() > 0;
  Context::switch_to(*current_->context, contexts_.host());
  __builtin_unreachable();
}

void Engine::incident(Incident& incident) {
  if (incident.place.thread == no_thread) incident.place.thread = current_->id;
  if (!is_aside()) observer_->incident(incident);
}

void Engine::fatal(Incident& what) {
  controlled = false;
  incident(what);
  end(Ending::incident);
}

void Engine::fatal(IncidentKind kind, SiteId site, std::string_view message) {
  Incident what{
      .kind = kind, .place = {.site = site, .thread = current_->id, .kind = next_[current_->id].kind}, .earlier = {}};
  what.say(message);
  fatal(what);
}

// ---- marks ----

void Engine::mark(std::uint32_t operation, Mark mark, std::span<const std::byte> bytes) {
  Thread& t = *current_;
  if (mark == Mark::call) {
    if (!reduction_.reducing_) {
      point(EventKind::call, operation, 0);
      t.attached = true;
    }
    t.in_operation = true;
    pending_ |= bit(t.id);
    t.spin.reset();
  } else if (mark == Mark::ret) {
    if (reduction_.reducing_) [[unlikely]]
      reduction_.returns(operation, bytes);
    t.attached = false;  // also if it did nothing others can notice: they may come before the next operation
    t.in_operation = false;
    reduction_.answered_since_ = true;
    pending_ &= ~bit(t.id);
    t.spin.reset();
  }
  observer_->mark(t.id, operation, mark, bytes);
  if (mark == Mark::ret && pending_ != 0) look_for_blocked_operations();
  if (mark == Mark::call && reduction_.reducing_) {
    t.looked_at = true;  // the frames that pass on a call have holes, and what was there before reaches deep
    reduction_.wipe_stack();
  }
}

/// Where nothing pending can go on without a new call, what is pending is stuck, whether or not calls are left to make.
void Engine::look_for_blocked_operations() {
  if (!reduction_.hides_threads() && ((ready_ | timed_) & (pending_ | internal_)) == 0)
    observer_->all_pending_blocked();
}

}  // namespace muster
