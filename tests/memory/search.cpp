#include "memory/search.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace muster::weak {
namespace {

class Explorer {
 public:
  Explorer(const Program& program, const Search& how, const std::function<void(const Machine&)>& visit)
      : code_(threads_of(program)), how_(how), visit_(visit), start_(code_, how.rule, how.loops) {
    explore(start_, {}, 0);
  }
  Found found;

 private:
  using Footprints = std::array<Access, most_threads>;  // of threads that sleep: what their next step touches
  struct State {
    Threads enabled;
    Threads asleep = 0;  // known from elsewhere, or explored here
    Threads to_explore = 0;
    Threads fruitful = 0, vain = 0;     // explored here: whether something came of it
    std::vector<Threads> answers = {};  // one of these threads, to reverse a race
  };

  static unsigned lowest(Threads threads) { return static_cast<unsigned>(std::countr_zero(threads)); }
  static Threads lowest_of(Threads threads) { return threads & -threads; }

  void explore(const Machine& machine, Footprints footprints, Threads asleep) {
    const Threads enabled = machine.enabled();
    if (enabled == 0) return finish(machine);
    if ((enabled & ~asleep) == 0) {
      ++found.asleep;
      return;
    }
    const std::size_t depth = states_.size();
    states_.push_back({enabled, asleep});
    states_[depth].to_explore = how_.reduction == Reduction::source ? lowest_of(enabled & ~asleep) : enabled;
    while (found.complete) {
      const Threads open = states_[depth].to_explore & ~states_[depth].asleep;
      if (open == 0) break;
      const unsigned thread = lowest(open);
      states_[depth].to_explore &= ~only(thread);
      footprints[thread] = try_all(machine, thread, footprints);
      if ((states_[depth].fruitful & only(thread)) == 0) look_further(states_[depth], thread);
      if (how_.reduction != Reduction::none) states_[depth].asleep |= only(thread);
    }
    states_.pop_back();
  }

  /// All choices of a thread's next step. Gives what it touched.
  Access try_all(const Machine& machine, unsigned thread, const Footprints& footprints) {
    const std::size_t depth = states_.size() - 1;
    Access touched;
    for (const Choice& choice : machine.choices(thread)) {
      Machine next = machine;
      next.step(thread, choice);
      const Access& access = next.graph().events.back().access;
      const bool wrote = touched.writes;
      touched = access;
      touched.writes |= wrote;
      const bool in_vain = how_.cut != Cut::never && next.was_given_up(thread) && next.ends_too_early();
      if (how_.reduction == Reduction::source) reverse_races(next, in_vain && how_.look_further);
      if (in_vain || (how_.cut == Cut::any_step && next.ends_too_early())) {
        ++found.ended_early;
        if (visit_) visit_(next);
        continue;
      }
      if (choice.newest) states_[depth].fruitful |= only(thread);  // it fits to whatever the others choose
      Threads asleep = 0;
      for (Threads left = states_[depth].asleep; left; left &= left - 1) {
        const unsigned other = lowest(left);
        if (!Machine::conflict(footprints[other], access)) asleep |= only(other);
      }
      explore(next, footprints, asleep);
    }
    return touched;
  }

  /// What a thread did in vain shows nothing of what the others do: one of them is explored instead.
  void look_further(State& state, unsigned thread) const {
    state.vain |= only(thread);
    if (how_.reduction != Reduction::source || !how_.look_further) return;
    for (const Threads threads : state.answers) want(state, threads);
    if (state.fruitful != 0 || (state.to_explore & ~state.asleep) != 0) return;
    state.to_explore |= lowest_of(state.enabled & ~state.asleep & ~state.vain);
  }

  /// One of these threads shall be explored, and not in vain.
  static void want(State& state, Threads threads) {
    if ((threads & (state.to_explore | state.fruitful)) != 0) return;
    const Threads possible = threads & state.enabled;
    state.to_explore |= possible == 0 ? state.enabled : lowest_of(possible & ~state.vain);
  }

  /// The last event shall also come before each earlier one that it races with: conflicts, with nothing in between.
  void reverse_races(const Machine& machine, bool in_vain) {
    const auto& events = machine.graph().events;
    const auto last = static_cast<EventIndex>(events.size()) - 1;
    for (EventIndex e = last - 1; e >= 0; --e) {
      if (events[at(e)].thread == events[at(last)].thread) continue;
      if (!machine.before(e, last) || comes_between(machine, e, last)) continue;
      State& state = states_[at(e)];
      const Threads answers = initials_of(machine, e, last, in_vain);
      if ((answers & (state.fruitful | (state.asleep & ~state.vain))) != 0) continue;
      if (std::ranges::find(state.answers, answers) != state.answers.end()) continue;
      state.answers.push_back(answers);
      want(state, answers);
    }
  }
  static bool comes_between(const Machine& machine, EventIndex earlier, EventIndex later) {
    for (EventIndex e = earlier + 1; e < later; ++e) {
      if (machine.before(earlier, e) && machine.before(e, later)) return true;
    }
    return false;
  }
  /// Threads with which an execution may begin that makes all that does not depend on the earlier event, and then the
  /// later one. If that is in vain, only what it must come after counts.
  static Threads initials_of(const Machine& machine, EventIndex earlier, EventIndex later, bool in_vain) {
    const auto& events = machine.graph().events;
    std::vector<EventIndex> kept;
    for (EventIndex e = earlier + 1; e <= later; ++e) {
      if (e == later || (!machine.before(earlier, e) && (!in_vain || machine.before(e, later)))) kept.push_back(e);
    }
    Threads initials = 0;
    for (const EventIndex e : kept) {
      const bool first = std::none_of(kept.begin(), kept.end(),
                                      [&](EventIndex other) { return other < e && machine.before(other, e); });
      if (first) initials |= only(events[at(e)].thread);
    }
    return initials;
  }

  void finish(const Machine& machine) {
    ++found.executions;
    if (found.executions + found.ended_early > how_.most_executions) found.complete = false;
    if (visit_) visit_(machine);
    if (how_.check_graphs && !allowed(machine.graph())) ++found.refuted;
    if (!machine.ends_too_early()) found.outcomes.insert(machine.outcome());
  }

  static std::size_t at(EventIndex event) { return static_cast<std::size_t>(event); }

  std::vector<ThreadCode> code_;
  const Search& how_;
  const std::function<void(const Machine&)>& visit_;
  Machine start_;
  std::vector<State> states_;  // before each event of this execution
};

}  // namespace

Found search(const Program& program, const Search& how, const std::function<void(const Machine&)>& visit) {
  return std::move(Explorer(program, how, visit).found);
}

}  // namespace muster::weak
