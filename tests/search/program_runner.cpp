// Small programs on the engine, which they call by hand.

#include <cstring>

#include "search/program_world.hpp"

namespace muster::test {

World world;
Log outcome_log;

namespace {

const SmallProgram* program_under_test = nullptr;
std::uint64_t starts = 0;

class Runner : public ProgramThread {
 public:
  using ProgramThread::ProgramThread;

  void run() {
    const auto& code = program_under_test->threads[thread_];
    for (unsigned at = 0; at < code.size(); ++at) {
      site_ = site_of(*program_under_test, thread_, at);
      place_ = 0;
      at += step(code[at]);
    }
    outcome_log.finished[thread_] = true;
  }

 private:
  std::uint64_t deadline() { return engine->time().look(site_) + 1000; }

  /// How many instructions to skip.
  unsigned step(const Instruction& i) {
    switch (i.op) {
      case Op::lock:
        sync::lock(mutex(i.object), sync::MutexKind::normal, site_);
        return 0;
      case Op::unlock:
        sync::unlock(mutex(i.object), sync::MutexKind::normal, site_);
        return 0;
      case Op::try_lock:
        return attempt(sync::try_lock(mutex(i.object), sync::MutexKind::normal, site_), i.value);
      case Op::timed_lock: {
        const std::uint64_t until = deadline();
        return attempt(sync::lock(mutex(i.object), sync::MutexKind::normal, site_, &until), i.value);
      }
      case Op::try_lock_shared:
        return attempt(sync::try_lock_shared(id(&world.rwlocks[i.object]), site_), i.value);
      case Op::lock_weak:
        return lock_weak() ? 0 : i.value;
      case Op::skip_if:
        return last_ == i.value ? i.other : 0;
      case Op::skip_unless:
        return last_ != i.value ? i.other : 0;
      default:
        if (!step_in_memory(i) && !step_of_waiting(i)) step_through_loop(i);
        return 0;
    }
  }

  /// False: it is none of these.
  bool step_in_memory(const Instruction& i) {
    switch (i.op) {
      case Op::load:
        see(load(word(i.object)));
        break;
      case Op::store:
        Memory(*engine).store(word(i.object), i.value, order, site_);
        break;
      case Op::add:
        see(add(word(i.object), i.value));
        break;
      case Op::exchange:
        see(exchange(word(i.object), i.value));
        break;
      case Op::compare_exchange:
        see(compare_exchange(word(i.object), i.value, i.other));
        break;
      case Op::relaxed_load:
        see(Memory(*engine).load(word(i.object), Order::relaxed, site_));
        break;
      case Op::relaxed_store:
        Memory(*engine).store(word(i.object), i.value, Order::relaxed, site_);
        break;
      case Op::relaxed_add:
        see(add(word(i.object), i.value, Order::relaxed));
        break;
      case Op::plain_load:
        see(plain_load(plain_word(i.object)));
        break;
      case Op::plain_store:
        plain_store(plain_word(i.object), i.value);
        break;
      case Op::free_block:
        destroy();
        break;
      case Op::release_strong:
        release_strong();
        break;
      case Op::release_weak:
        release_weak();
        break;
      case Op::copy_strong:
        add(&world.block->strong, 1);
        break;
      case Op::copy_weak:
        add(&world.block->weak, 1);
        break;
      case Op::require_not:
        if (last_ == i.value) engine->fatal(IncidentKind::requirement, site_, "");
        break;
      case Op::choose:
        see(engine->choose(PointKind::value, i.value));
        break;
      case Op::yield:
        engine->yield_point(EventKind::yield, site_);
        break;
      case Op::sleep:
        sleep();
        break;
      case Op::clock:
        see(static_cast<std::uint32_t>(engine->time().look(site_)));
        break;
      default:
        return false;
    }
    return true;
  }

  bool step_of_waiting(const Instruction& i) {
    switch (i.op) {
      case Op::lock_shared:
        sync::lock_shared(id(&world.rwlocks[i.object]), site_);
        break;
      case Op::lock_exclusive:
        sync::lock_exclusive(id(&world.rwlocks[i.object]), site_);
        break;
      case Op::unlock_shared:
        sync::unlock_rwlock(id(&world.rwlocks[i.object]), site_);
        break;
      case Op::wait:
        sync::wait(condition(i.object), mutex(i.value), sync::MutexKind::normal, site_);
        break;
      case Op::timed_wait: {
        const std::uint64_t until = deadline();
        see(sync::wait(condition(i.object), mutex(i.value), sync::MutexKind::normal, site_, &until));
        break;
      }
      case Op::notify_one:
        sync::notify_one(condition(i.object), site_);
        break;
      case Op::notify_all:
        sync::notify_all(condition(i.object), site_);
        break;
      case Op::acquire:
        sync::acquire(id(&world.semaphores[i.object]), site_);
        break;
      case Op::try_acquire:
        see(sync::try_acquire(id(&world.semaphores[i.object]), site_));
        break;
      case Op::release:
        sync::release(id(&world.semaphores[i.object]), site_);
        break;
      case Op::futex_wait:
        see(static_cast<std::uint32_t>(sync::futex_wait(word(i.object), i.value, site_, nullptr, ~0u)));
        break;
      case Op::timed_futex_wait: {
        const std::uint64_t until = deadline();
        see(static_cast<std::uint32_t>(sync::futex_wait(word(i.object), i.value, site_, &until, ~0u)));
        break;
      }
      case Op::futex_wake_one:
        see(sync::futex_wake(word(i.object), 1, site_, ~0u));
        break;
      case Op::futex_wake_all:
        see(sync::futex_wake(word(i.object), 60, site_, ~0u));
        break;
      case Op::barrier:
        see(sync::arrive_and_wait(id(&world.barriers[i.object]), site_));
        break;
      case Op::once:
        if (sync::once_begin(id(&world.onces[i.object]), site_)) {
          see(Memory(*engine).load(word(i.object), order, site_ + 1));
          sync::once_end(id(&world.onces[i.object]), true);
        }
        break;
      default:
        return false;
    }
    return true;
  }

  void step_through_loop(const Instruction& i) {
    switch (i.op) {
      case Op::reload_and_retry:
        return retry_both(word(i.object), i.value);
      case Op::look_and_retry:
        return look_and_retry(word(i.object), i.value);
      case Op::increment_by_retrying:
        return increment(word(i.object));
      case Op::spin_counting:  // who looks at the code sees that the count decides nothing: it is not part of the state
      case Op::spin_until:
        while (load(word(i.object)) != i.value) {
        }
        return;
      case Op::spin_asleep:
        while (load(word(i.object)) != i.value) sleep(1);
        return;
      case Op::spin_lock:
        while (exchange(word(i.object), 1) != 0) {
        }
        return;
      case Op::spin_try_lock:
        while (sync::try_lock(mutex(i.object), sync::MutexKind::normal, site_) != sync::LockResult::taken) {
        }
        return;
      case Op::await_plain:
      case Op::await_atomic:
      case Op::await_mixed:
        while (!holds(i)) sync::wait(condition(i.object), mutex(i.object), sync::MutexKind::normal, at(2));
        return;
      case Op::lock_both:
        return lock_both(i.object);
      case Op::poll:
        return poll(word(i.object), i.value, i.other);
      default:
        return;
    }
  }

  void sleep(SiteId place = 0) {
    const std::uint64_t until = engine->time().now_for_sleep() + 1'000'000;
    engine->yield_point(EventKind::sleep, at(place));
    engine->time().sleep_until(until);
  }

  unsigned attempt(sync::LockResult result, unsigned skip) {
    see(result == sync::LockResult::taken);
    return last_ ? 0 : skip;
  }
};

const Runner* runners[most_threads];

std::uint64_t state_of(unsigned thread) { return thread == 0 ? 0 : runners[thread - 1]->state(); }

void* run_thread(void* number) {
  const auto thread = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(number));
  Runner runner(thread);
  runners[thread] = &runner;
  runner.run();
  return nullptr;
}

void reset_world() {
  std::memset(&world, 0, sizeof world);
  std::memset(&outcome_log, 0, sizeof outcome_log);
  for (auto& semaphore : world.semaphores) sync::semaphore_init(id(&semaphore), program_under_test->semaphore);
  for (auto& barrier : world.barriers) sync::barrier_init(id(&barrier), 2);
  if (!program_under_test->uses_block()) return;
  const std::uint32_t strong = program_under_test->strong, weak = program_under_test->weak + (strong > 0);
  world.block = new (engine->heap().allocate(sizeof(Block), alignof(Block), Allocator::object, 1))
      Block{strong, weak, 0, 0, 0, 0};
}

void run_program(void*) {
  ++starts;
  reset_world();
  const auto count = static_cast<unsigned>(program_under_test->threads.size());
  for (std::uintptr_t i = 0; i < count; ++i) {
    Thread& thread = engine->spawn(&run_thread, reinterpret_cast<void*>(i), 0);
    if (engine->reduction().symmetry() == Symmetry::none) continue;
    std::uintptr_t other = i;
    while (other-- > 0 && program_under_test->threads[other] != program_under_test->threads[i]) {
    }
    ReducedExecution::make_alike(thread, static_cast<ThreadId>(1 + (other == ~std::uintptr_t{0} ? i : other)));
  }
  for (unsigned i = 0; i < count; ++i) sync::join(static_cast<ThreadId>(i + 1), 0);
}

}  // namespace

void prepare_for_small_programs(Engine& engine) {
  const std::span memory(reinterpret_cast<std::byte*>(&world), sizeof world);
  engine.races().arena().watch(memory);
  engine.surroundings().restorer().snapshot({memory});
  engine.surroundings().at_start(sync::reset);
  engine.surroundings().add_state(sync::state_hash);
  if (preferred_context_mode() != ContextMode::fiber) return;
  engine.surroundings().add_rewindable({[] { return true; }, sync::pass});
  engine.surroundings().add_rewindable({[] { return true; }, [](Tape& tape) { tape.pass(outcome_log); }});
  engine.going_back().allow();
}

std::uint64_t small_program_starts() { return starts; }

Program runnable(const SmallProgram& program) {
  program_under_test = &program;
  return {run_program, nullptr, state_of};
}

std::string outcome_of(const Execution& execution) {
  std::string text = fmt::format("{}", static_cast<int>(execution.ending));
  for (std::size_t i = 0; i < program_under_test->threads.size(); ++i) {
    text += outcome_log.finished[i] ? " |" : " #";
    for (unsigned read = 0; read < outcome_log.counts[i]; ++read)
      text += fmt::format(" {}", outcome_log.reads[i][read]);
  }
  text += " ||";
  for (const std::uint32_t value : world.atomics) text += fmt::format(" {}", value);
  for (const std::uint32_t value : world.plains) text += fmt::format(" {}", value);
  if (!world.block) return text;
  if (world.freed) return text + " freed";
  return text + fmt::format(" {} {}", world.block->word, world.block->plain);
}

}  // namespace muster::test
