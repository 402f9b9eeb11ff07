#include "harness/steps/asides.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <span>
#include <tuple>

namespace muster {
namespace {

constexpr std::size_t most_told = 16;

std::span<const std::uint64_t> stack_of(const TracedEvent& traced) {
  const auto end = std::ranges::find(traced.stack, 0U);
  return {traced.stack, static_cast<std::size_t>(end - traced.stack)};
}

/// Not only in what the program is checked by.
bool is_in_program(const TracedEvent& traced, Symbolizer& symbolizer) {
  const SourcePlace& place = symbolizer.locate(stack_of(traced));
  return !place.system && !place.file.empty();
}

/// What more than one thread uses, and whether it changes after it was made.
class Sharing {
 public:
  explicit Sharing(const std::vector<TracedEvent>& events) : makes_(events.size()) {
    bool are_several = false;
    for (std::size_t i = 0; i < events.size(); ++i) {
      const Event& event = events[i].event;
      are_several |= event.thread != events[0].event.thread;
      Use& use = uses_[event.object];
      use.threads |= std::uint64_t{1} << event.thread;
      const bool writes = event.kind == EventKind::write;
      makes_[i] = !are_several && !(writes && use.is_made);
      use.is_made |= writes;
      use.changes |= writes && !makes_[i];
    }
  }

  /// That nobody else was there yet, and the event reads something, or gives it its first value.
  bool is_making(std::size_t event) const { return makes_[event]; }

  bool is_shared(ObjectId object) const { return std::popcount(uses_.at(object).threads) > 1; }
  bool is_shared_and_changes(ObjectId object) const { return is_shared(object) && uses_.at(object).changes; }

 private:
  struct Use {
    std::uint64_t threads = 0;
    bool is_made = false, changes = false;
  };
  std::map<ObjectId, Use> uses_;
  std::vector<bool> makes_;
};

/// Where each thread was seen last. What its destructors do at the end of a function says nothing of where that
/// returned.
class LastPlaces {
 public:
  explicit LastPlaces(Symbolizer& symbolizer) : symbolizer_(symbolizer) {}

  void pass(TracedEvent& traced) {
    const TracedEvent*& last = last_[traced.event.thread];
    if (traced.event.kind == EventKind::call) {
      last = nullptr;
    } else if (traced.event.kind == EventKind::ret) {
      if (last && traced.stack[0] == 0) std::ranges::copy(last->stack, traced.stack);
    } else if (is_in_program(traced, symbolizer_) && !symbolizer_.library_call(stack_of(traced)).starts_with('~')) {
      last = &traced;
    }
  }

 private:
  Symbolizer& symbolizer_;
  std::map<ThreadId, const TracedEvent*> last_;
};

/// The last of those that a reader may want to see; what is done again and again counts once.
template <class IsOfUse>
std::vector<bool> chosen_of(const std::vector<TracedEvent>& events, const Sharing& sharing, IsOfUse is_of_use) {
  std::vector<bool> chosen(events.size());
  std::set<std::tuple<ThreadId, std::uint64_t, ObjectId>> told;
  for (std::size_t i = events.size(); i-- > 0;) {
    const TracedEvent& traced = events[i];
    if (!traced.aside || sharing.is_making(i) || !is_of_use(traced)) continue;
    told.emplace(traced.event.thread, traced.stack[0], traced.event.object);
    if (told.size() > most_told) break;
    chosen[i] = true;
  }
  return chosen;
}

/// What nobody changes is told if nothing else is: a flag that somebody forgot to set.
std::vector<bool> chosen_of(const std::vector<TracedEvent>& events, Symbolizer& symbolizer) {
  const auto asides = std::ranges::count_if(events, [](const TracedEvent& traced) { return traced.aside; });
  if (asides == 0 || asides >= most_asides) return std::vector<bool>(events.size());
  const Sharing sharing(events);
  const auto is_own = [&](const TracedEvent& traced) {
    const TracedValues& values = traced.values;
    if (values.deed == AccessValues::Deed::none || values.finds_leftovers) return false;
    return is_in_program(traced, symbolizer) && symbolizer.library_call(stack_of(traced)).empty();
  };
  const auto is_address = [](const TracedEvent& traced) {
    const Location& at = traced.values.found.at[0];
    return at.block != 0 || at.stack_of != no_thread;
  };
  std::vector<bool> chosen = chosen_of(events, sharing, [&](const TracedEvent& traced) {
    return sharing.is_shared_and_changes(traced.event.object) && is_own(traced);
  });
  if (std::ranges::find(chosen, true) != chosen.end()) return chosen;
  // Where variables lie, which closures keep, says nothing.
  return chosen_of(events, sharing, [&](const TracedEvent& traced) {
    return sharing.is_shared(traced.event.object) && !is_address(traced) && is_own(traced);
  });
}

}  // namespace

void settle(std::vector<TracedEvent>& events, Symbolizer& symbolizer) {
  LastPlaces places(symbolizer);
  for (TracedEvent& traced : events) places.pass(traced);
  const std::vector<bool> chosen = chosen_of(events, symbolizer);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (!events[i].aside || chosen[i]) events[kept++] = events[i];
  }
  events.resize(kept);
}

}  // namespace muster
