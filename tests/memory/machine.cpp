#include "memory/machine.hpp"

#include <algorithm>

#include "base/assert.hpp"

namespace muster::weak {

Machine::Machine(const std::vector<ThreadCode>& code, Rule rule, Loops loops)
    : code_(&code), rule_(rule), loops_(loops), threads_(code.size()) {
  for (auto& list : messages_) {
    list.emplace_back();
    list.front().seen.fill(0);  // everybody knows the initial value
  }
  for (unsigned t = 0; t < threads_.size(); ++t) {
    threads_[t].known[t] = 1;
    threads_[t].local = code[t].settle({});
    threads_[t].since.push_back(code[t].live(threads_[t].local));
  }
}

void Machine::join(Clock& into, const Clock& other) {
  for (unsigned t = 0; t < most_threads; ++t) into[t] = std::max(into[t], other[t]);
}

Threads Machine::enabled() const {
  Threads enabled = 0;
  for (unsigned t = 0; t < threads_.size(); ++t) {
    const ThreadState& thread = threads_[t];
    if ((*code_)[t].at_end(thread.local) || thread.state == ThreadState::given_up) continue;
    if (thread.state == ThreadState::waiting && saw_the_newest(t)) continue;
    enabled |= only(t);
  }
  return enabled;
}

/// The newest message that the thread knows of.
unsigned Machine::floor(unsigned thread, Location at) const {
  const auto& list = messages_[at];
  const Clock& known = threads_[thread].known;
  for (std::size_t i = list.size(); i-- > 1;) {
    for (unsigned t = 0; t < most_threads; ++t) {
      if (list[i].seen[t] <= known[t]) return static_cast<unsigned>(i);
    }
  }
  return 0;
}

/// All that is newer comes before this event of its thread anyway, or before what it reads: else the event may come
/// before it, and the choice is another order's.
bool Machine::is_essential(unsigned thread, Location at, unsigned place, bool store) const {
  if (rule_ == Rule::all) return true;
  const auto& list = messages_[at];
  Past forced = with_past(threads_[thread].last);
  if (!store && rule_ == Rule::essential) forced |= with_past(list[place].writer);
  return std::all_of(list.begin() + place + (store ? 0 : 1), list.end(),
                     [&](const Message& newer) { return (forced & only_event(newer.writer)) != 0; });
}

Access Machine::access_of(unsigned thread, const Choice& choice) const {
  const ThreadCode& code = (*code_)[thread];
  const Local& local = threads_[thread].local;
  const Op op = code.at(local).op;
  const bool reads = op != Op::store && op != Op::fence;
  const Value value = reads ? messages_[code.at(local).location][choice.place].value : Value{0};
  return code.access(local, value, choice.fails);
}

std::vector<Choice> Machine::choices(unsigned thread) const {
  const ThreadCode& code = (*code_)[thread];
  const Instruction& next = code.at(threads_[thread].local);
  if (next.op == Op::fence) return {{0, false, true}};
  const auto& list = messages_[next.location];
  const auto size = static_cast<unsigned>(list.size());
  const bool store = next.op == Op::store, only_newest = threads_[thread].catches_up || rule_ == Rule::newest;
  const unsigned first = floor(thread, next.location) + (store ? 1 : 0), end = size + (store ? 1 : 0);
  std::vector<Choice> choices;
  for (unsigned place = end; place-- > first;) {
    Choice choice{place, false, place + 1 == end};
    if (!choice.newest && (only_newest || !is_essential(thread, next.location, place, store))) continue;
    const Access access = access_of(thread, choice);
    // Nothing comes between an update and what it read.
    const unsigned behind = place + (store ? 0 : 1);
    const bool fits = !access.writes || behind == size || !list[behind].update;
    if (fits && (choice.newest || is_allowed(thread, choice))) choices.push_back(choice);
    if (threads_[thread].catches_up || !access.writes || !code.may_fail(threads_[thread].local)) continue;
    choice.fails = true;
    if (choice.newest || is_allowed(thread, choice)) choices.push_back(choice);
  }
  return choices;
}

/// As far as seq_cst goes.
bool Machine::is_allowed(unsigned thread, const Choice& choice) const {
  Machine after = *this;
  after.step(thread, choice);
  return is_sequentially_consistent(after.graph_);
}

void Machine::step(unsigned thread, const Choice& choice) {
  const Access access = access_of(thread, choice);
  const auto self = static_cast<EventIndex>(graph_.events.size());
  MUSTER_ASSERT(self < 64);
  Past past = with_past(threads_[thread].last);
  for (EventIndex e = 0; e < self; ++e) {
    if (conflict(graph_.events[index(e)].access, access)) past |= with_past(e);
  }
  past_.push_back(past);
  graph_.events.push_back({thread, access});
  threads_[thread].last = self;
  auto& list = messages_[access.location];
  if (access.is_fence()) pass_fence(thread, access.order);
  if (access.reads) {
    graph_.events.back().source = list[choice.place].writer;
    read(thread, list[choice.place], access.order);
  }
  if (access.writes) write(thread, access, choice.place + (access.reads ? 1 : 0));
  ++threads_[thread].known[thread];
  move_on(thread, {access, choice.fails});
}

void Machine::read(unsigned thread, Message& message, Order order) {
  ThreadState& self = threads_[thread];
  message.seen[thread] = std::min(message.seen[thread], self.known[thread]);
  join(acquires(order) ? self.known : self.acquirable, message.released);
}

void Machine::write(unsigned thread, const Access& access, unsigned place) {
  const ThreadState& self = threads_[thread];
  auto& list = messages_[access.location];
  Message message{.value = access.written, .update = access.reads, .writer = self.last, .seen = {}};
  message.seen.fill(never);
  message.seen[thread] = self.known[thread];
  message.released = releases(access.order) ? self.known : self.at_fence;
  if (access.reads) join(message.released, list[place - 1].released);  // it continues what was released there
  list.insert(list.begin() + place, message);
  auto& order = graph_.order[access.location];
  order.insert(order.begin() + place - 1, self.last);
}

void Machine::pass_fence(unsigned thread, Order order) {
  ThreadState& self = threads_[thread];
  if (acquires(order)) join(self.known, self.acquirable);
  if (releases(order)) self.at_fence = self.known;
}

void Machine::move_on(unsigned thread, const Look& look) {
  ThreadState& self = threads_[thread];
  const ThreadCode& code = (*code_)[thread];
  self.local = code.after(self.local, look.access);
  self.state = ThreadState::running;
  self.looks.push_back(look);
  if (!look.access.is_silent()) {
    self.since.clear();
    self.looks.clear();
    self.catches_up = false;
  }
  if (code.at_end(self.local)) return;
  const Local live = code.live(self.local);
  const auto before = std::ranges::find(self.since, live);
  if (before != self.since.end()) come_round(thread, static_cast<std::size_t>(self.since.end() - before));
  self.since.push_back(live);
}

/// The thread is where it was so many looks ago.
void Machine::come_round(unsigned thread, std::size_t length) {
  ThreadState& self = threads_[thread];
  self.turn.assign(self.looks.end() - static_cast<std::ptrdiff_t>(length), self.looks.end());
  self.since.clear();
  self.looks.clear();
  if (loops_ == Loops::end) {
    self.state = ThreadState::given_up;
  } else {
    self.catches_up = !saw_the_newest(thread);
    self.state = self.catches_up ? ThreadState::running : ThreadState::waiting;
  }
}

Memory Machine::memory() const {
  Memory memory;
  for (Location at = 0; at < location_count; ++at) memory[at] = messages_[at].back().value;
  return memory;
}

/// With the values that are newest now its last turn would be the same.
bool Machine::saw_the_newest(unsigned thread) const {
  return std::ranges::all_of(threads_[thread].turn, [&](const Look& look) {
    return !look.failed && (!look.access.reads || look.access.read == messages_[look.access.location].back().value);
  });
}

bool Machine::ends_too_early() const {
  for (unsigned t = 0; t < threads_.size(); ++t) {
    if (threads_[t].state == ThreadState::given_up && !saw_the_newest(t)) return true;
  }
  return false;
}

Outcome Machine::outcome() const {
  Outcome outcome{.threads = {}, .memory = memory()};
  for (unsigned t = 0; t < threads_.size(); ++t) {
    if ((*code_)[t].at_end(threads_[t].local)) {
      outcome.threads.push_back(Outcome::finished(threads_[t].local));
    } else {
      outcome.threads.push_back({true, find_circle((*code_)[t], threads_[t].local, outcome.memory).least});
    }
  }
  return outcome;
}

}  // namespace muster::weak
