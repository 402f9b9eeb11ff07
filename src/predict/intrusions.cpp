#include "predict/intrusions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace muster::predict {

using trace::Kind;

namespace {

constexpr std::size_t no_transaction = ~std::size_t{0};

/// Each thread has one turn after the other; turns in a row become one.
void give_turn(std::vector<PlanTurn>& turns, const std::string& thread, std::uint64_t events) {
  if (turns.empty() || turns.back().thread != thread) turns.push_back({thread, 0, {}});
  turns.back().events = events;
}

}  // namespace

Intrusions::Intrusions(trace::TraceReader& trace) {
  trace.rewind();
  for (auto batch = trace.next(); !batch.empty(); batch = trace.next())
    for (const trace::Event& event : batch) add(event);
  const std::size_t threads = std::max<std::size_t>(places_.size(), trace.count(trace::NameClass::thread));
  places_.resize(threads);
  for (std::uint32_t thread = 0; thread < threads; ++thread)
    names_.push_back(trace.name(trace::NameClass::thread, thread));
  makes_threads_.resize(threads);
  for (const Step& step : steps_) {
    if (step.kind != Kind::fork) continue;
    makes_threads_[step.thread] = true;
    forks_.push_back({names_[step.object], names_[step.thread], step.index, {}});
  }
}

void Intrusions::add(const trace::Event& event) {
  if (event.thread >= places_.size()) {
    places_.resize(event.thread + 1u);
    open_.resize(event.thread + 1u, no_transaction);
    held_.resize(event.thread + 1u);
  }
  std::size_t& open = open_[event.thread];
  std::uint32_t& held = held_[event.thread];
  const bool others_may_come = held == 0 && !trace::is_plain(event.kind);
  if (open != no_transaction && others_may_come) {
    Transaction& transaction = transactions_[open];
    if (std::exchange(transaction.accesses, 0) > 0) transaction.openings.push_back(event.index);
  }
  if (is_acquire(event.kind)) ++held;
  if ((event.kind == Kind::unlock || event.kind == Kind::unlock_shared) && held > 0) --held;
  if (event.kind == Kind::begin && open == no_transaction) {
    open = transactions_.size();
    transactions_.push_back({.thread = event.thread,
                             .position = static_cast<std::uint32_t>(steps_.size()),
                             .begin = event.index,
                             .openings = {},
                             .held = {},
                             .attempts = {},
                             .uses = {},
                             .locks = {}});
  }
  if (open != no_transaction) {
    transactions_[open].end = event.index + 1;
    if (is_access(event.kind)) add_access(transactions_[open], event);
    if (is_acquire(event.kind)) add_lock(transactions_[open], event);
    if (event.kind == Kind::end) open = no_transaction;
  }
  // An access to several variables is one event of its thread.
  auto& places = places_[event.thread];
  if (event.index < places.size()) return;
  places.push_back(static_cast<std::uint32_t>(steps_.size()));
  steps_.push_back({event.thread, event.index, event.object, event.kind, held});
}

void Intrusions::add_access(Transaction& transaction, const trace::Event& event) {
  ++transaction.accesses;
  Uses& uses = transaction.uses[event.object];
  const bool writes = is_write(event.kind), reads = !writes || event.kind == Kind::atomic_update;
  if (reads) uses.first_read = std::min(uses.first_read, event.index);
  if (writes) uses.first_write = std::min(uses.first_write, event.index);
  uses.end_of_accesses = event.index + 1;
  if (writes) uses.end_of_writes = event.index + 1;
}

void Intrusions::add_lock(Transaction& transaction, const trace::Event& event) {
  transaction.held.push_back({event.object, event.index + 1});
  if (is_attempt(event.kind)) transaction.attempts.push_back(event.object);
  Uses& uses = transaction.locks[event.object];
  uses.first_read = std::min(uses.first_read, event.index);
  uses.end_of_accesses = event.index + 1;
}

Intrusions::Promise Intrusions::promise(const Transaction& host, std::uint32_t opening, const Transaction& guest) {
  bool before = false, after = false, stale = false;
  for (const auto& [variable, theirs] : guest.uses) {
    const auto found = host.uses.find(variable);
    if (found == host.uses.end()) continue;
    const Uses& mine = found->second;
    const bool reads = theirs.first_read != never, writes = theirs.first_write != never;
    const bool written_before = mine.first_write<opening, written_after = mine.end_of_writes> opening;
    before |= (reads && written_before) || (writes && (written_before || mine.first_read < opening));
    after |= (reads && written_after) || (writes && mine.end_of_accesses > opening);
    stale |= reads && mine.first_read < opening && written_after;
  }
  if (before && after) return Promise::cycle;
  // Whoever came first in the run saw just this, already.
  if (stale && host.position < guest.position) return Promise::stale_read;
  bool taken_before = false, taken_after = false;
  for (const auto& [lock, theirs] : guest.locks) {
    const auto found = host.locks.find(lock);
    if (found == host.locks.end()) continue;
    taken_before |= found->second.first_read < opening;
    taken_after |= found->second.end_of_accesses > opening;
  }
  return taken_before && taken_after ? Promise::lock : Promise::none;
}

std::vector<Plan> Intrusions::plans() const {
  std::vector<Plan> plans;
  for (const Promise wanted : {Promise::cycle, Promise::attempt, Promise::stale_read, Promise::lock}) {
    for (const Transaction& host : transactions_) {
      for (const Transaction& guest : transactions_) {
        // Who makes the threads works before them and after them.
        if (host.thread == guest.thread || makes_threads_[host.thread] || makes_threads_[guest.thread]) continue;
        add_plans(host, guest, wanted, plans);
      }
    }
  }
  return plans;
}

void Intrusions::add_plans(const Transaction& host, const Transaction& guest, Promise wanted,
                           std::vector<Plan>& plans) const {
  if (wanted == Promise::attempt) {
    for (const Held& held : host.held)
      if (std::ranges::count(guest.attempts, held.lock) > 0) plans.push_back(plan(host, held.taken, guest));
    return;
  }
  for (const std::uint32_t opening : host.openings)
    if (promise(host, opening, guest) == wanted) plans.push_back(plan(host, opening, guest));
}

/// The order of the run, except that the guest waits for the opening, or comes as early as that.
Plan Intrusions::plan(const Transaction& host, std::uint32_t opening, const Transaction& guest) const {
  Plan plan;
  plan.about = fmt::format("a transaction of {} within one of {}", names_[guest.thread], names_[host.thread]);
  plan.forks = forks_;
  const auto& places = places_[host.thread];
  const std::uint32_t until = opening < places.size() ? places[opening] : static_cast<std::uint32_t>(steps_.size());
  for (std::uint32_t i = 0; i < until; ++i) {
    const Step& step = steps_[i];
    if (step.thread == guest.thread && step.index >= guest.begin) continue;
    give_turn(plan.turns, names_[step.thread], step.index + 1);
  }
  give_turn(plan.turns, names_[guest.thread], guest.end);
  give_turn(plan.turns, names_[host.thread], host.end);
  return plan;
}

std::uint32_t Intrusions::number(const std::string& thread) const {
  return static_cast<std::uint32_t>(std::find(names_.begin(), names_.end(), thread) - names_.begin());
}

Plan Intrusions::completed(Plan plan) const {
  if (plan.accesses.size() < 2) return plan;
  for (PlanTurn& turn : plan.turns) {
    if (turn.thread != plan.accesses[1].thread || &turn == &plan.turns.back() || turn.events == 0) continue;
    const auto& places = places_[number(turn.thread)];
    if (turn.events > places.size() || steps_[places[turn.events - 1]].held > 0) continue;
    std::uint64_t at = turn.events;
    while (at < places.size() && trace::is_plain(steps_[places[at]].kind)) ++at;
    if (at < places.size() && steps_[places[at]].kind == Kind::end) turn.events = at + 1;
  }
  return plan;
}

std::string Intrusions::form(const Plan& plan) const {
  std::vector<PlanTurn> turns;
  std::vector<std::uint64_t> noticed(names_.size());
  for (const PlanTurn& turn : plan.turns) {
    const std::uint32_t thread = number(turn.thread);
    if (makes_threads_[thread]) continue;
    std::uint64_t count = 0;
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(turn.events, places_[thread].size()); ++i)
      count += !trace::is_plain(steps_[places_[thread][i]].kind);
    if (count > std::exchange(noticed[thread], count)) give_turn(turns, turn.thread, count);
  }
  std::string text;
  for (const PlanTurn& turn : turns)  // the last one goes on by itself
    text += &turn == &turns.back() ? turn.thread : fmt::format("{} {}, ", turn.thread, turn.events);
  return text;
}

}  // namespace muster::predict
