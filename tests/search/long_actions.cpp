#include "search/long_actions.hpp"

namespace muster::test {

void LongActions::step_through_loop(const Instruction& i) {
  switch (i.op) {
    case Op::reload_and_retry:
      return retry_both(i.object, i.value);
    case Op::look_and_retry:
      return look_and_retry(i.object, i.value);
    case Op::increment_by_retrying:
      return increment(i.object);
    case Op::spin_counting:
    case Op::spin_until:
    case Op::spin_asleep:
      if (load(word(i.object)) == i.value) next();
      return;
    case Op::spin_lock:
      if (exchange(word(i.object), 1) == 0) next();
      return;
    case Op::spin_try_lock:
      if (try_lock(i.object)) next();
      return;
    case Op::await_plain:
    case Op::await_atomic:
    case Op::await_mixed:
      return await(i);
    case Op::lock_both:
      return lock_both(i.object);
    case Op::poll:
      return poll(i);
    default:
      fail("the judge does not know {}", static_cast<unsigned>(i.op));
  }
}

void LongActions::increment(unsigned object) {
  if (me_.phase == 0) {
    me_.old = load(word(object));
    return go_to(1);
  }
  const std::uint32_t seen = compare_exchange(word(object), me_.old, me_.old + 1);
  if (seen != std::exchange(me_.old, seen)) return;
  see(seen);
  next();
}

void LongActions::retry_both(unsigned object, bool counts) {
  enum { reads_one, reads_other, writes };
  if (me_.phase == reads_one) {
    me_.old = load(word(object));
    return go_to(reads_other);
  }
  if (me_.phase == reads_other) {
    me_.last = load(word(object == 0 ? 1 : object - 1));
    return go_to(writes);
  }
  const std::uint32_t seen = compare_exchange(word(object), me_.old, me_.old + me_.last + 1);
  if (seen != me_.old) {
    me_.turns += counts;
    me_.old = me_.last = 0;
    return go_to(reads_one);
  }
  see(me_.old);
  see(me_.turns);
  next();
}

void LongActions::look_and_retry(unsigned object, unsigned plain) {
  enum { reads, writes, looks };
  if (me_.phase == looks) {
    plain_load(plain, 2);
    return go_to(reads);
  }
  if (me_.phase == reads) {
    me_.old = load(word(object));
    return go_to(writes);
  }
  if (compare_exchange(word(object), me_.old, me_.old + 1) != me_.old) {
    me_.old = 0;
    return go_to(looks);
  }
  see(me_.old);
  next();
}

void LongActions::await(const Instruction& i) {
  enum { looks, looks_on, waits };
  if (me_.phase == looks) {
    const bool first = i.op == Op::await_atomic ? load(word(0)) == i.value : plain_load(0) == i.value;
    return go_to(first ? looks_on : waits);
  }
  if (me_.phase == looks_on) {
    const bool second = i.op == Op::await_plain ? plain_load(1, 1) == i.other : load(word(1)) == i.other;
    return second ? next() : go_to(waits);
  }
  bool in_time = true;
  if (wait(i.object, i.object, waits, 2, false, in_time)) go_to(looks);
}

void LongActions::lock_both(unsigned first) {
  enum { takes, tries, gives_back };
  const unsigned one = first ^ me_.turns;
  switch (me_.phase) {
    case takes:
      if (lock(one)) go_to(tries);
      break;
    case tries:
      if (try_lock(1 - one, 1)) return next();
      go_to(gives_back);
      break;
    default:
      unlock(one, 2);
      me_.turns ^= 1;
      go_to(takes);
  }
}

void LongActions::poll(const Instruction& i) {
  if (me_.turns < i.other && load(word(i.object)) != i.value) {
    if (++me_.turns < i.other) return;
  }
  see(me_.turns);
  next();
}

// ---- references ----

void LongActions::release_strong() {
  enum { looks, clears_strong, clears_weak, disposes_alone, destroys, counts, disposes, counts_weak };
  switch (me_.phase) {
    case looks: {
      const std::uint32_t one = load(strong(), Order::acquire), other = load(weak(), Order::acquire);
      return go_to(one == 1 && other == 1 ? clears_strong : counts);
    }
    case clears_strong:
      plain_store(Location::strong, state_.strong, 0, 1);
      return go_to(clears_weak);
    case clears_weak:
      plain_store(Location::weak, state_.weak, 0, 2);
      return go_to(disposes_alone);
    case disposes_alone:
    case disposes:
      plain_store(Location::plain, state_.plains[in_block], 7, 3);
      return go_to(me_.phase + 1u);
    case counts:
      return add(strong(), ~0u, Order::acq_rel, 5) == 1 ? go_to(disposes) : next();
    case counts_weak:
      return add(weak(), ~0u, Order::acq_rel, 6) == 1 ? go_to(destroys) : next();
    default:
      destroy();
      next();
  }
}

void LongActions::release_weak() {
  if (me_.phase == 0) return add(weak(), ~0u, Order::acq_rel) == 1 ? go_to(1) : next();
  destroy();
  next();
}

void LongActions::lock_weak(unsigned skip) {
  enum { looks, exchanges };
  if (me_.phase == looks) {
    me_.old = load(strong(), Order::relaxed);
    go_to(exchanges);
  } else {
    const std::uint32_t seen = compare_exchange(strong(), me_.old, me_.old + 1, 1);
    if (seen == std::exchange(me_.old, seen)) return attempted(true, skip);
  }
  if (me_.old == 0) attempted(false, skip);
}

}  // namespace muster::test
