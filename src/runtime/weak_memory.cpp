#include "runtime/weak_memory.hpp"

#include <algorithm>
#include <optional>

#include "runtime/engine.hpp"

namespace muster {
namespace {

// A thread's clock counts its steps here: there is no more room in it.
constexpr std::uint16_t most_steps = Clock::last - 8;

Bits bits_at(std::uintptr_t address, unsigned size) {
  Bits value = 0;
  switch (size) {  // no call: who copies memory is asked who calls it
    case 1:
      return *reinterpret_cast<const volatile std::uint8_t*>(address);
    case 2:
      return *reinterpret_cast<const volatile std::uint16_t*>(address);
    case 4:
      return *reinterpret_cast<const volatile std::uint32_t*>(address);
    case 8:
      return *reinterpret_cast<const volatile std::uint64_t*>(address);
    default:
      value = *reinterpret_cast<const volatile Bits*>(address);
      return value;
  }
}

std::uint64_t hash_of(Bits value) {
  return static_cast<std::uint64_t>(value) ^ (static_cast<std::uint64_t>(value >> 64) * 0x9e3779b97f4a7c15);
}

}  // namespace

/// One access of the running thread, from when its turn has come.
struct WeakMemory::Step {
  Step(WeakMemory& memory, std::uintptr_t address, unsigned size, SiteId site, bool reads, bool writes, Order order,
       Order failure)
      : thread(memory.engine_.current()),
        address(address),
        size(size),
        site(site),
        before(size == 0 ? 0 : bits_at(address, size)),
        request{thread.id, memory.engine_.races().now(), memory.engine_.races().known(), reads, writes, order, failure,
                site} {
    if (request.number >= most_steps || memory.messages_.too_long()) memory.give_up(site);
    const OwnWork work;
    memory.messages_.prepare(request);
    if (size != 0) find(memory);
  }
  /// Its list, which ends with what was in memory before. An atomic that was not used yet has none.
  void find(WeakMemory& memory) {
    const auto place = memory.engine_.races().place_of(address, size);
    atomic = place.number;
    if (atomic == 0) return;
    memory.messages_.look_at(atomic, before, place.stamp, place.written_otherwise);
  }

  Messages::Choice newest(const WeakMemory& memory) const {
    return {atomic == 0 ? 0 : memory.messages_.newest(atomic), true};
  }

  Thread& thread;
  std::uintptr_t address;
  unsigned size;
  SiteId site;
  Bits before;
  Messages::Request request;
  std::uint32_t atomic = 0;
};

void WeakMemory::give_up(SiteId site) {
  engine_.fatal(IncidentKind::limit, site,
                "with older values of atomics an execution may have at most 65,000 steps of a thread, 10,000 stores to "
                "atomics, 60 values to read and 2,000 accesses before one that seq_cst matters to, fixed limits");
}

void WeakMemory::begin_execution() {
  messages_.begin_execution();
  older_reads_.clear();
  told_.clear();
  std::fill(std::begin(silent_), std::end(silent_), 0);
}

void WeakMemory::start(ThreadId parent, ThreadId child, bool was_alone) {
  if (was_alone) messages_.forget();
  messages_.start(parent, child);
}

template <class Writes>
Messages::Choice WeakMemory::choose(const Step& step, Writes writes) {
  Messages::Choices choices{{{0, true, false}, {0, true, true}}};
  unsigned count = step.request.may_fail && writes(step.before) ? 2 : 1;
  if (step.atomic != 0) {
    const OwnWork work;
    // What is repeated has the choices that it had when it was recorded.
    const bool every = engine_.memory_model_ == MemoryModel::c11_every && engine_.position_ >= engine_.replayed_;
    count = messages_.list_choices(step.atomic, step.request, writes, every, choices);
  }
  const auto only_newest = [&] {
    return engine_.must_see_newest() || (step.request.reads && !engine_.reduction().reducing() && comes_back(step));
  };
  if (count == 1 || only_newest()) return told(choices[0]);
  const Messages::Choice chosen = choices[decide(step, {choices.data(), count})];
  if (chosen.fails) --engine_.spurious_left_;
  if (!chosen.newest && engine_.is_watched()) note_missed(step, chosen);
  return told(chosen);
}

/// A loop that counts its turns comes to no place twice: where the thread had such a choice at this very access before,
/// and has done nothing since that others could notice, what is not the newest is a late yield.
unsigned WeakMemory::decide(const Step& step, std::span<const Messages::Choice> choices) {
  MessageName names[Messages::most_choices];
  Option options[Messages::most_choices];
  for (unsigned i = 0; i < choices.size(); ++i) {
    names[i] = name(choices[i]);
    options[i] = static_cast<Option>(i);
  }
  const auto is_here = [&](const OlderRead& read) { return read.thread == step.thread.id && read.site == step.site; };
  const bool polls = std::ranges::count_if(older_reads_, is_here) > 1;
  engine_.messages_ = names;
  const unsigned chosen =
      engine_.decide(PointKind::message, polls ? Cost::late_yield : Cost::free, {options, choices.size()});
  engine_.messages_ = nullptr;
  engine_.result_.late_yields += polls && chosen != 0;
  return chosen;
}

/// A failure for no reason is a choice of its own.
MessageName WeakMemory::name(const Messages::Choice& choice) const {
  constexpr MessageName fails = MessageName{1} << 31;
  return messages_.name(choice.message) | (choice.fails ? fails : 0);
}

Messages::Choice WeakMemory::told(const Messages::Choice& choice) {
  engine_.reduction().takes(name(choice));
  return choice;
}

/// For replays that are told in full.
void WeakMemory::note_missed(const Step& step, const Messages::Choice& choice) {
  const OwnWork work;
  const Messages::Number newest = messages_.newest(step.atomic);
  const Messages::Author author = messages_.author(newest);
  const Bits value = messages_.value(newest);
  missed_ = {.value = {static_cast<std::uint64_t>(value), static_cast<std::uint64_t>(value >> 64)},
             .site = author.site,
             .writer = author.thread,
             .written = author.order,
             .order = step.request.order};
  if (author.event == 0 || !step.request.reads) return;
  const auto links = messages_.order().way_to(author.event, step.thread.id);
  const auto add = [&](StrongOrder::Index event, bool releases) {
    if (event >= told_.size() || missed_.weak_count == missed_.weak.size()) return;
    const Told& told = told_[event];
    if (!(releases ? muster::releases(told.order) : acquires(told.order)))
      missed_.weak[missed_.weak_count++] = {told.site, told.order, releases};
  };
  for (const StrongOrder::Link& link : links) {
    add(link.write, true);
    add(link.read, false);
  }
  missed_.only_strong = links.empty() && messages_.would_be_forbidden(step.atomic, step.request, choice.message);
}

void WeakMemory::note_told(const Step& step, Order order) {
  if (!engine_.is_watched()) return;
  const OwnWork work;
  told_.resize(messages_.order().last_of(step.thread.id) + 1);
  told_.back() = {order, static_cast<std::uint32_t>(step.site)};
}

/// Whether the thread was at this place before, where it could have read something older, and has done nothing since
/// that others could notice: the execution without that turn shows what older values lead to.
bool WeakMemory::comes_back(const Step& step) {
  const OwnWork work;
  const ThreadId self = step.thread.id;
  const std::uint64_t done = std::uint64_t{step.thread.events - silent_[self]} << 32 | step.thread.spin.resets();
  std::erase_if(older_reads_, [&](const OlderRead& read) { return read.thread == self && read.done != done; });
  const std::uint64_t place = engine_.state_of(*engine_.current_, Lens::this_loop_and_after);
  for (const OlderRead& read : older_reads_) {
    if (read.thread == self && read.site == step.site && read.place == place) return true;
  }
  older_reads_.push_back({step.site, place, done, self});
  return false;
}

/// The step is made; `silent`: others cannot notice it.
void WeakMemory::finish(const Step& step, bool silent) {
  if (engine_.races().now() == step.request.number) engine_.races().tick();
  silent_[step.thread.id] += silent;
}

Bits WeakMemory::load(std::uintptr_t address, unsigned size, Order order, SiteId site, bool in_memory) {
  engine_.ask_for(order, site);
  engine_.reading_point(EventKind::load, address, site, hash_of(bits_at(address, size)));
  if (engine_.races().alone()) {
    const Bits value = bits_at(address, size);
    engine_.reduction().reads(address, size, hash_of(value));
    engine_.races().load(address, size, order, site);
    return value;
  }
  Step step(*this, address, size, site, true, false, order, order);
  const Messages::Choice choice = in_memory ? step.newest(*this) : choose(step, [](Bits) { return false; });
  const Bits value = choice.newest ? step.before : messages_.value(choice.message);
  read(step, choice, order);
  engine_.reduction().read_atomic(address, size, hash_of(value), value == step.before);
  return value;
}

/// A call into the kernel is a full barrier, and libraries rely on that: who counts itself as a waiter and then sleeps
/// is seen by whoever changed the value too late for it. Nothing else happens before by it.
void WeakMemory::look(std::uintptr_t address, unsigned size, SiteId site) {
  if (engine_.races().alone()) return engine_.races().load(address, size, Order::relaxed, site);
  {
    Step barrier(*this, 0, 0, site, false, false, Order::seq_cst, Order::seq_cst);
    const OwnWork work;
    messages_.has_fenced(barrier.request);
    finish(barrier, false);
  }
  Step step(*this, address, size, site, true, false, Order::relaxed, Order::relaxed);
  read(step, step.newest(*this), Order::relaxed);
}

/// The step reads and does not write.
void WeakMemory::read(Step& step, Messages::Choice choice, Order order) {
  if (choice.newest) {
    engine_.races().load(step.address, step.size, order, step.site);
  } else {
    engine_.races().load_older(step.address, step.size, order, step.site, messages_.released(choice.message));
  }
  const OwnWork work;
  messages_.touch(step.request, step.address, step.size, true);
  if (step.atomic == 0) {
    step.find(*this);
    if (step.atomic != 0) choice.message = messages_.newest(step.atomic);
  }
  if (step.atomic != 0) {
    messages_.has_read(step.atomic, step.request, choice);
    note_told(step, order);
  }
  finish(step, true);
}

/// It writes, and reads if it is an update. True if what it writes is the newest.
bool WeakMemory::write(Step& step, Messages::Choice choice, Bits value) {
  RaceDetector& races = engine_.races();
  const Messages::Request& request = step.request;
  Clock released;
  if (choice.newest) {
    if (step.atomic != 0) messages_.keep_release(step.atomic, races.release_of(step.atomic));
    if (request.reads) {
      races.rmw(step.address, step.size, request.order, step.site);
    } else {
      races.store(step.address, step.size, request.order, step.site);
    }
  } else {
    races.write_older(step.address, step.size, request.order, step.site,
                      request.reads ? &messages_.released(choice.message) : nullptr, released);
  }
  const OwnWork work;
  messages_.touch(request, step.address, step.size, false);
  if (step.atomic == 0) {
    step.find(*this);
    if (step.atomic != 0) choice.message = messages_.newest(step.atomic);
  }
  if (step.atomic != 0) {
    messages_.has_written(step.atomic, request, choice, value, choice.newest ? nullptr : &released);
    note_told(step, request.order);
    races.list(step.atomic, step.address, step.size);
  }
  return choice.newest;
}

bool WeakMemory::store(std::uintptr_t address, unsigned size, Bits value, Order order, SiteId site) {
  engine_.ask_for(order, site);
  engine_.point(EventKind::store, address, site);
  if (engine_.races().alone()) {
    engine_.reduction().touches({.object = address, .size = size, .mode = AccessMode::write});
    engine_.races().store(address, size, order, site);
    return true;
  }
  Step step(*this, address, size, site, false, true, order, order);
  const bool newest = write(step, choose(step, [](Bits) { return true; }), value);
  finish(step, false);
  engine_.reduction().wrote_atomic(address, size, true);
  if (!newest) engine_.wrote(address);
  return newest;
}

WeakMemory::Updated WeakMemory::update(std::uintptr_t address, unsigned size, const Update& update, Order success,
                                       Order failure, SiteId site) {
  engine_.ask_for(success, site);
  engine_.reading_point(EventKind::rmw, address, site, hash_of(bits_at(address, size)));
  if (engine_.races().alone()) return update_alone(address, size, update, success, failure, site);
  const bool may_ever_fail = update.may_fail && engine_.options().spurious_failures > 0;
  if (may_ever_fail) engine_.reduction().touches({.object = objects::spurious_failures, .mode = AccessMode::write});
  Step step(*this, address, size, site, true, true, success, failure);
  step.request.may_fail = may_ever_fail && engine_.spurious_left_ > 0;
  const auto writes = [&](Bits old) { return update.change(old).has_value(); };
  const Messages::Choice choice = choose(step, writes);
  const Bits old = choice.newest ? step.before : messages_.value(choice.message);
  const std::optional<Bits> fresh = update.change(old);
  if (choice.fails || !fresh) {
    read(step, choice, failure);
    engine_.reduction().exchange_failed();
    engine_.reduction().read_atomic(address, size, hash_of(old), old == step.before);
    return {old, std::nullopt, true};
  }
  const bool newest = write(step, choice, *fresh), changes = *fresh != old;
  finish(step, !changes);
  engine_.reduction().wrote_atomic(address, size, changes);
  engine_.reduction().notice(hash_of(old));
  if (!newest && changes) engine_.wrote(address);
  return {old, fresh, newest};
}

WeakMemory::Updated WeakMemory::update_alone(std::uintptr_t address, unsigned size, const Update& update, Order success,
                                             Order failure, SiteId site) {
  const Bits old = bits_at(address, size);
  const std::optional<Bits> fresh = update.change(old);
  if (!fresh || (update.may_fail && engine_.fails_spuriously())) {
    engine_.reduction().exchange_failed();
    engine_.reduction().reads(address, size, hash_of(old));
    engine_.races().load(address, size, failure, site);
    return {old, std::nullopt, true};
  }
  engine_.reduction().touches({.object = address, .size = size, .mode = AccessMode::write, .changes = *fresh != old});
  engine_.reduction().notice(hash_of(old));
  engine_.races().rmw(address, size, success, site);
  return {old, fresh, true};
}

void WeakMemory::fence(Order order, SiteId site) {
  engine_.ask_for(order, site);
  engine_.point(EventKind::fence, 0, site);
  if (engine_.races().alone()) return engine_.races().fence(order);
  Step step(*this, 0, 0, site, false, false, order, order);
  engine_.races().fence(order);
  const OwnWork work;
  messages_.has_fenced(step.request);
  finish(step, true);
}

void WeakMemory::touch(ObjectId object, std::size_t size, bool reads_only) {
  if (engine_.races().alone()) return;
  const std::uint16_t number = engine_.races().now();
  if (number >= most_steps) give_up(0);
  const OwnWork work;
  messages_.touch(
      {engine_.current().id, number, engine_.races().known(), false, false, Order::relaxed, Order::relaxed, 0}, object,
      size, reads_only);
  engine_.races().tick();
}

void WeakMemory::pass(Tape& tape, std::uint64_t threads) {
  tape.run([=, this](auto& strip) {
    messages_.pass(strip, threads);
    strip.pass_lists(older_reads_);
    strip.pass(silent_);
  });
}

}  // namespace muster
