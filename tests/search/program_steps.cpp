// One visible step of each instruction of the small language, without the engine.

#include "search/long_actions.hpp"

namespace muster::test {
namespace {

class Mover : private LongActions {
 public:
  using LongActions::LongActions;

  Step go() {
    make();
    if (result_.possible && !result_.fatal) settle();
    if (result_.possible && !result_.fatal && fails_here()) require_not();
    return result_;
  }

  /// What comes next is visible, or nothing does.
  void settle() {
    while (me_.at < code_.size() && me_.phase == 0 && passes(code_[me_.at])) {
    }
    if (me_.at >= code_.size()) me_ = finished(me_);
    std::uint64_t unfinished = 0;
    for (unsigned i = 0; i < most_threads; ++i) unfinished |= std::uint64_t{!state_.threads[i].finished} << i;
    known_.tidy(unfinished);
  }

 private:
  static ThreadPart finished(ThreadPart part) {
    part.at = part.phase = 0;
    part.last = part.old = part.turns = 0;
    part.finished = 1;
    return part;
  }
  /// Steps that nobody can notice.
  bool passes(const Instruction& i) {
    switch (i.op) {
      case Op::skip_if:
        next(me_.last == i.value ? i.other : 0);
        return true;
      case Op::skip_unless:
        next(me_.last != i.value ? i.other : 0);
        return true;
      case Op::yield:
      case Op::sleep:
        next();
        return true;
      case Op::require_not:
        if (fails_here()) return false;
        next();
        return true;
      default:
        return false;
    }
  }
  // ---- one step of each instruction ----

  void make() {
    const Instruction& i = code_[me_.at];
    switch (i.op) {
      case Op::choose:
        result_.options = i.value;
        see(option_);
        return next();
      case Op::timed_lock:  // where it would wait, its time may be over
      case Op::try_lock:
        return attempted(try_lock(i.object), i.value);
      case Op::try_lock_shared:
        return attempted(lock_shared(i.object), i.value);
      case Op::lock_weak:
        return lock_weak(i.value);
      case Op::require_not:
        return require_not();
      default:
        if (!step_in_memory(i) && !step_of_locking(i) && !step_of_waiting(i)) step_through_loop(i);
    }
  }

  bool fails_here() const {
    return me_.at < code_.size() && code_[me_.at].op == Op::require_not && me_.last == code_[me_.at].value;
  }
  void require_not() {
    findings_.insert(failed_requirement(site_of(program_, thread_, me_.at)));
    result_.fatal = true;
  }

  bool step_in_memory(const Instruction& i) {
    switch (i.op) {
      case Op::load:
        see(load(word(i.object)));
        break;
      case Op::store:
        store(word(i.object), i.value);
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
        see(load(word(i.object), Order::relaxed));
        break;
      case Op::relaxed_store:
        store(word(i.object), i.value, Order::relaxed);
        break;
      case Op::relaxed_add:
        see(add(word(i.object), i.value, Order::relaxed));
        break;
      case Op::plain_load:
        see(plain_load(i.object));
        break;
      case Op::plain_store:
        plain_store(plain_location(i.object), state_.plains[i.object], i.value);
        break;
      case Op::free_block:
        destroy();
        break;
      case Op::copy_strong:
        add(strong(), 1);
        break;
      case Op::copy_weak:
        add(weak(), 1);
        break;
      case Op::release_strong:
        return release_strong(), true;
      case Op::release_weak:
        return release_weak(), true;
      default:
        return false;
    }
    next();
    return true;
  }

  bool step_of_locking(const Instruction& i) {
    switch (i.op) {
      case Op::lock:
        if (!lock(i.object)) return true;
        break;
      case Op::unlock:
        unlock(i.object);
        break;
      case Op::lock_shared:
        if (state_.rwlocks[i.object] == 1 + thread_) misused();
        if (!lock_shared(i.object)) return impossible(), true;
        break;
      case Op::lock_exclusive:
        if (state_.rwlocks[i.object] == 1 + thread_) misused();
        if (!lock_exclusive(i.object)) return impossible(), true;
        break;
      case Op::unlock_shared:
        unlock_shared(i.object);
        break;
      default:
        return false;
    }
    next();
    return true;
  }

  bool step_of_waiting(const Instruction& i) {
    bool in_time = true;
    switch (i.op) {
      case Op::wait:
        if (!wait(i.object, i.value, 0, 0, false, in_time)) return true;
        break;
      case Op::timed_wait:
        if (!wait(i.object, i.value, 0, 0, true, in_time)) return true;
        see(in_time);
        break;
      case Op::notify_one:
        touch_condition(i.object, 0);
        wake_one(state_.conditions[i.object]);
        break;
      case Op::notify_all:
        touch_condition(i.object, 0);
        state_.conditions[i.object] = 0;
        break;
      case Op::acquire:
        if (state_.semaphores[i.object] == 0) return impossible(), true;
        take_one(i.object);
        break;
      case Op::try_acquire:
        see(state_.semaphores[i.object] != 0);
        if (me_.last) take_one(i.object);
        break;
      case Op::release:
        known_.release(knower::semaphore(i.object));
        ++state_.semaphores[i.object];
        break;
      case Op::futex_wait:
      case Op::timed_futex_wait:
        return futex_wait(i), true;
      case Op::futex_wake_one:
        see(state_.futexes[i.object] != 0);
        wake_one(state_.futexes[i.object]);
        break;
      case Op::futex_wake_all:
        see(static_cast<std::uint32_t>(std::popcount(std::exchange(state_.futexes[i.object], std::uint8_t{0}))));
        break;
      case Op::barrier:
        return arrive(i.object), true;
      case Op::once:
        return once(i.object), true;
      default:
        return false;
    }
    next();
    return true;
  }

  void take_one(unsigned semaphore) {
    --state_.semaphores[semaphore];
    known_.acquire(knower::semaphore(semaphore));
  }

  void futex_wait(const Instruction& i) {
    enum { woken, value_differs, expired };
    std::uint8_t& waiting = state_.futexes[i.object];
    if (me_.phase == 0) {
      if (load(word(i.object), Order::relaxed) == i.value) {
        waiting |= bit(thread_);
        return go_to(1);
      }
      see(value_differs);
      return next();
    }
    const bool late = waiting & bit(thread_);
    if (late && i.op == Op::futex_wait) return impossible();
    waiting &= static_cast<std::uint8_t>(~bit(thread_));
    see(late ? expired : woken);
    next();
  }

  /// Two meet.
  void arrive(unsigned object) {
    if (me_.phase == 0) {
      known_.release(knower::barrier(object));
      if (++state_.arrived[object] < 2) {
        me_.old = state_.generations[object];
        return go_to(1);
      }
      state_.arrived[object] = 0;
      ++state_.generations[object];
    } else if (state_.generations[object] == me_.old) {
      return impossible();
    }
    known_.acquire(knower::barrier(object));
    see(me_.phase == 0);
    next();
  }

  void once(unsigned object) {
    enum { fresh, running, done };
    if (me_.phase == 1) {
      see(load(word(object)));
      return go_to(2);
    }
    if (me_.phase == 2) {
      state_.onces[object] = done;
      known_.release(knower::once(object));
      return next();
    }
    if (state_.onces[object] == running) return impossible();
    known_.acquire(knower::once(object));
    if (state_.onces[object] == done) return next();
    state_.onces[object] = running;
    go_to(1);
  }
};

}  // namespace

ProgramState first_state(const SmallProgram& program) {
  ProgramState state{};
  state.strong = program.strong;
  state.weak = program.weak + (program.strong > 0);
  std::ranges::fill(state.semaphores, program.semaphore);
  for (unsigned i = static_cast<unsigned>(program.threads.size()); i < most_threads; ++i) state.threads[i].finished = 1;
  std::set<std::string> none;
  for (unsigned i = 0; i < program.threads.size(); ++i) Mover(program, state, i, 0, none).settle();
  return state;
}

Step make_step(const SmallProgram& program, ProgramState& state, unsigned thread, unsigned option,
               std::set<std::string>& findings) {
  return Mover(program, state, thread, option, findings).go();
}

std::string text_of(const SmallProgram& program, const ProgramState& state, bool stuck) {
  std::string text = fmt::format("{}", static_cast<int>(stuck ? Ending::stuck : Ending::completed));
  for (std::size_t i = 0; i < program.threads.size(); ++i) {
    const ThreadPart& part = state.threads[i];
    text += part.finished ? " |" : " #";
    for (unsigned read = 0; read < part.count; ++read) text += fmt::format(" {}", part.reads[read]);
  }
  text += " ||";
  for (unsigned i = 0; i < 4; ++i) text += fmt::format(" {}", state.atomics[i]);
  for (unsigned i = 0; i < 4; ++i) text += fmt::format(" {}", state.plains[i]);
  if (!program.uses_block()) return text;
  if (state.freed_at != 0) return text + " freed";
  return text + fmt::format(" {} {}", state.atomics[in_block], state.plains[in_block]);
}

}  // namespace muster::test
