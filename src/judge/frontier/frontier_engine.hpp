#pragma once
// The search that frontier_search.hpp describes, for an Object as in frontier_object.hpp.

#include <absl/container/flat_hash_map.h>
#include <algorithm>
#include <vector>

#include "judge/core/limits.hpp"
#include "judge/frontier/frontier.hpp"
#include "judge/frontier/frontier_object.hpp"
#include "judge/frontier/frontier_search.hpp"
#include "judge/frontier/frontier_set.hpp"
#include "judge/frontier/frontier_words.hpp"

namespace muster {

template <class Object, unsigned words>
class FrontierSearch {
 public:
  FrontierSearch(const Binding& binding, std::span<const OperationId> ids, const FrontierPlan& plan, Object& object,
                 const JudgeOptions& options)
      : binding_(binding), ids_(ids), plan_(plan), object_(object), limits_(options) {}

  Verdict run() {
    object_.restart();
    layer_.assign(1, Frontier{.state = object_.initial()});
    for (unsigned tries = 0; !go_on(); ++tries) {
      if (!limits_.reason().empty()) return undecided();
      if (!cut_off_) return counterexample();
      if (width_ == unlimited && went_back_to_ == 0)
        return Undecided{"more ways to make a sum than could be tried" + what_overlaps(), returned_};
      if (event_ > furthest_) tries = 0;
      furthest_ = std::max(furthest_, event_);
      try_again(tries);
    }
    return Witness{};
  }

 private:
  using State = typename Object::State;
  using Frontier = muster::Frontier<State, words>;
  static constexpr Index no_first = ~Index{0};

  const Operation& operation(Index op) const { return binding_.history()[ids_[op]]; }
  bool is_marked(const Frontier& at, Index op) const { return at.is_marked(plan_.slot[op]); }
  void mark(Frontier& at, Index op) const { at.mark(plan_.slot[op], object_.kind(op)); }
  void unmark(Frontier& at, Index op) const { at.unmark(plan_.slot[op], object_.kind(op)); }

  /// On to the end; false where no frontier is left, or a limit was hit.
  bool go_on() {
    for (; event_ < plan_.events.size(); ++event_) {
      if (event_ >= next_save_) save();
      const Index op = plan_.events[event_] >> 1;
      const bool is_return = plan_.events[event_] & 1;
      if (plan_.slot[op] == FrontierPlan::no_slot) {
        if (operation(op).is_pending()) {
          object_.called_for_ever(op);
        } else if (!is_return) {
          object_.called_deferred(op);
        } else if (!last_chance(op)) {
          return false;
        }
      } else if (!is_return) {
        call(op);
      } else if (!force(op)) {
        return false;
      }
      returned_ += is_return;
    }
    return true;
  }

  /// Where the search can go back to.
  struct Saved {
    std::size_t event;
    std::size_t returned;
    bool cut_off;
    std::vector<Frontier> layer;
  };

  void save() {
    // What made going back necessary is behind: few frontiers do again.
    if (width_ > least_width_ && event_ > furthest_ + (furthest_ - went_back_to_) + save_every) set_width(least_width_);
    thin_out(saved_, event_);
    saved_.push_back({event_, returned_, cut_off_, layer_});
    object_.collect([this](auto&& visit) {
      for (Frontier& at : layer_) visit(at.state);
      for (Saved& saved : saved_) {
        for (Frontier& at : saved.layer) visit(at.state);
      }
    });
    next_save_ = event_ + save_every;
  }

  /// Goes back, further with each try in vain, and on from there with more frontiers.
  void try_again(unsigned tries) {
    const std::size_t distance = tries < 10 ? save_every << 2 * tries : furthest_;
    const std::size_t target = furthest_ > distance ? furthest_ - distance : 0;
    while (saved_.size() > 1 && saved_.back().event > target) saved_.pop_back();
    while (event_ > saved_.back().event) step_back();
    layer_ = saved_.back().layer;
    returned_ = saved_.back().returned;
    cut_off_ = saved_.back().cut_off;
    went_back_to_ = event_;
    next_save_ = event_ + save_every;
    set_width(tries < 7 ? least_width_ << 2 * (tries + 1) : unlimited);
  }

  /// Undoes what the event before this one has done, but for the frontiers.
  void step_back() {
    --event_;
    const Index op = plan_.events[event_] >> 1;
    const bool is_return = plan_.events[event_] & 1;
    if (plan_.slot[op] != FrontierPlan::no_slot) {
      is_return ? open(op) : close(op);
    } else if (operation(op).is_pending()) {
      object_.uncalled_for_ever(op);
    } else {
      is_return ? object_.unforget_deferred(op) : object_.uncalled_deferred(op);
    }
  }

  void set_width(std::size_t width) {
    width_ = width;
    object_.limit(width);
  }

  void open(Index op) { insert_open(open_, {op, object_.kind(op), operation(op).ret}); }
  void close(Index op) {
    std::erase_if(open_, [&](const OpenOperation& opened) { return opened.op == op; });
  }

  void call(Index op) {
    open(op);
    if (!object_.is_observer(op)) return;
    object_.begin(operation(op).call, open_);
    for (Frontier& at : layer_) {
      if (object_.is_free(at.state, op)) mark(at, op);
    }
  }

  bool is_settled(const Frontier& at, Index op) const { return is_marked(at, op) || object_.is_hidden(at.state, op); }
  bool is_doomed(const Frontier& at) const {
    return std::ranges::any_of(open_, [&](const OpenOperation& opened) {
      return object_.is_doomed(at.state, opened.op) && !is_marked(at, opened.op);
    });
  }

  /// The operation returns: only frontiers in which it is linearized remain, or in which it can have been unnoticed.
  bool force(Index op) {
    const auto has_it = [&](const Frontier& at) { return is_marked(at, op); };
    if (!std::ranges::all_of(layer_, has_it)) {
      object_.spend_least();
      while (!linearize_now(op, has_it)) {
        if (!limits_.reason().empty() || !object_.spend_more()) return false;
        layer_.swap(kept_.all);  // as it was
      }
    }
    close(op);
    for (Frontier& at : layer_) {
      if (is_marked(at, op)) unmark(at, op);
    }
    object_.settle(layer_, open_, [this](const Frontier& at, Index other) { return is_marked(at, other); });
    return true;
  }

  template <class HasIt>
  bool linearize_now(Index op, const HasIt& has_it) {
    begin_closure(operation(op).ret);
    for (const Frontier& at : layer_) {
      if (is_settled(at, op)) keep(at);
    }
    for (const Frontier& at : layer_) {
      if (!has_it(at)) later(at);
    }
    const auto may_stay = [&](const Frontier&, const Frontier& at) { return is_settled(at, op); };
    return reach(has_it, may_stay, op);
  }

  /// A deferred operation returns: what must come before it may be linearized now, or not.
  bool last_chance(Index op) {
    const auto waits = [&](const Frontier& at, const OpenOperation& opened) {
      return !is_marked(at, opened.op) && object_.must_come_before(opened.op, op);
    };
    const auto waiting = [&](const Frontier& at) {
      return std::ranges::count_if(open_, [&](const OpenOperation& opened) { return waits(at, opened); });
    };
    const auto survives = [&](Frontier at) {
      object_.returned_deferred(at.state, op);
      return !is_doomed(at);
    };
    if (std::ranges::any_of(layer_, [&](const Frontier& at) { return waiting(at) > 0; })) {
      begin_closure(operation(op).ret);
      for (const Frontier& at : layer_) {
        if (survives(at)) keep(at);
      }
      for (const Frontier& at : layer_) {
        if (waiting(at) > 0) later(at);
      }
      const auto all_done = [&](const Frontier& at) { return waiting(at) == 0; };
      const auto did_some = [&](const Frontier& from, const Frontier& at) {
        return waiting(at) < waiting(from) && survives(at);
      };
      if (!reach(all_done, did_some, no_first)) return false;
    }
    for (Frontier& at : layer_) object_.returned_deferred(at.state, op);
    object_.forget_deferred(op);
    object_.settle(layer_, open_, [this](const Frontier& at, Index other) { return is_marked(at, other); });
    return true;
  }

  void begin_closure(Position now) {
    std::uint64_t least = ~std::uint64_t{0}, most = 0;
    for (const Frontier& at : layer_) {
      least = std::min(least, cost(at));
      most = std::max(most, cost(at));
    }
    most_kept_ = least == most || width_ == unlimited ? width_ : 2 * width_;
    work_.clear();
    kept_.clear();
    seen_.clear();
    object_.begin(now, open_);
    object_.spent_at_least(least);
  }
  /// Whatever leads to a frontier has made fewer.
  std::uint64_t steps(const Frontier& at) const { return at.marked() + object_.count(at.spent); }
  std::uint64_t cost(const Frontier& at) const { return object_.cost(at.state, at.spent); }

  /// Goes on from the frontiers in work_ until all that can be reached are in kept_, which becomes the layer.
  template <class IsDone, class IsKept>
  bool reach(const IsDone& is_done, const IsKept& is_kept, Index first) {
    for (place_.level = 1; work_.size() > 0; ++place_.level) {
      work_.take(batch_);
      place_.marks = 0;
      if constexpr (Object::merges) {
        object_.merge(batch_);
        numbers_.clear();
      }
      if (batch_.size() / 4 >= width_) keep_cheapest(batch_, 4 * width_);
      for (const Frontier& at : batch_) {
        if (kept_.all.size() >= most_kept_) {
          cut_off_ = true;
          break;
        }
        if (limits_.hit([&] { return bytes(); })) return false;
        if constexpr (Object::merges) {
          if (is_kept(at, at)) keep(at);
          if (is_done(at)) continue;
        }
        expand(at, first, is_done, is_kept);
      }
      if (kept_.all.size() >= most_kept_ && work_.size() > 0) {
        cut_off_ = true;
        break;
      }
    }
    cut_off_ |= object_.was_limited();
    layer_.swap(kept_.all);
    if (layer_.size() > width_) keep_cheapest(layer_, width_);
    return !layer_.empty();
  }

  /// What never returns can be spent later, too: those that have spent the least can still do the most.
  void keep_cheapest(std::vector<Frontier>& from, std::size_t count) {
    std::ranges::stable_sort(from, {}, [&](const Frontier& at) { return cost(at); });
    from.resize(count);
    cut_off_ = true;
  }

  template <class IsDone, class IsKept>
  void expand(const Frontier& at, Index first, const IsDone& is_done, const IsKept& is_kept) {
    if (first != no_first) {
      linearize(at, first, is_done, is_kept);
      if (kept_.all.size() >= most_kept_) {
        cut_off_ = true;
        return;
      }
    }
    std::uint32_t last_kind = ~std::uint32_t{0};
    for (const OpenOperation& opened : open_) {
      if (opened.kind == last_kind || is_marked(at, opened.op)) continue;
      last_kind = opened.kind;  // the others of this kind must return later
      if (opened.op != first && object_.is_useful(opened.op)) linearize(at, opened.op, is_done, is_kept);
    }
    Frontier changed = at;
    number(changed);
    steps_.clear();
    object_.spend(place_, at.state, at.spent, steps_);
    take_steps(at, changed, is_done, is_kept);
  }

  template <class IsDone, class IsKept>
  void linearize(const Frontier& at, Index op, const IsDone& is_done, const IsKept& is_kept) {
    const auto is_left_behind = [&](const OpenOperation& other) {
      return object_.dooms(op, other.op) && other.op != op && !is_marked(at, other.op);
    };
    if (std::ranges::any_of(open_, is_left_behind)) return;
    Frontier changed = at;
    mark(changed, op);
    number(changed);
    steps_.clear();
    object_.step(place_, at.state, at.spent, op, steps_);
    take_steps(at, changed, is_done, is_kept);
  }

  template <class IsDone, class IsKept>
  void take_steps(const Frontier& from, const Frontier& changed, const IsDone& is_done, const IsKept& is_kept) {
    for (const auto& [state, spent] : steps_) {
      Frontier reached = changed;
      reached.state = state;
      reached.spent = spent;
      for (const OpenOperation& opened : open_) {
        // What changes nothing is done as soon as it can be: no later moment could be better.
        if (object_.is_observer(opened.op) && !is_marked(reached, opened.op) && object_.is_free(state, opened.op))
          mark(reached, opened.op);
      }
      if (is_doomed(reached)) continue;
      if constexpr (Object::merges) {
        later(reached);  // first it becomes one with others
      } else {
        if (is_kept(from, reached)) keep(reached);
        if (!is_done(reached)) later(reached);
      }
    }
  }

  void number(const Frontier& at) {
    if constexpr (Object::merges) {
      place_.marks = numbers_.try_emplace(at.marks, static_cast<std::uint32_t>(numbers_.size())).first->second;
    }
  }

  void keep(const Frontier& at) { add(at, kept_); }
  void later(const Frontier& at) {
    if (add(at, seen_)) work_.add(at, Object::merges ? steps(at) : cost(at));
  }

  bool add(const Frontier& at, FrontierSet<Frontier>& to) {
    return to.add(at, [this](const Frontier& a, const Frontier& b) { return covers(a, b); });
  }

  /// Whether all that can still explain the rest from `b` can do so from `a`: of each kind as many are linearized, and
  /// those that must return first.
  bool covers(const Frontier& a, const Frontier& b) const {
    if (a.tally != b.tally || !object_.includes(a.state, b.state)) return false;
    if (a.spent != b.spent && !object_.spends_no_more(a.spent, b.spent)) return false;
    return is_ahead(a, b, std::span<const OpenOperation>(open_), std::span<const std::uint16_t>(plan_.slot));
  }

  std::size_t bytes() const {
    std::size_t frontiers = layer_.capacity() + work_.capacity() + batch_.capacity();
    for (const Saved& saved : saved_) frontiers += saved.layer.capacity();
    return frontiers * sizeof(Frontier) + kept_.bytes() + seen_.bytes() + object_.bytes();
  }

  Verdict counterexample() const { return no_order_explains(binding_, ids_, plan_.events[event_] >> 1); }
  Verdict undecided() const { return Undecided{limits_.reason() + what_overlaps(), returned_}; }
  std::string what_overlaps() const {
    return muster::what_overlaps(binding_.history(), ids_, {plan_.events.data(), event_});
  }

  const Binding& binding_;
  std::span<const OperationId> ids_;
  const FrontierPlan& plan_;
  Object& object_;
  Limits limits_;
  static constexpr std::size_t unlimited = ~std::size_t{0}, save_every = 64;
  const std::size_t least_width_ = object_.least_width();
  std::size_t width_ = least_width_;
  bool cut_off_ = false;  ///< frontiers were left out
  std::size_t event_ = 0;
  std::size_t returned_ = 0;
  std::size_t furthest_ = 0;      ///< event where no frontier was left
  std::size_t went_back_to_ = 0;  ///< last time
  std::size_t next_save_ = 0;
  std::vector<Saved> saved_;
  std::vector<OpenOperation> open_;       ///< by kind, then by return
  std::size_t most_kept_ = least_width_;  ///< of one closure; more than the width, if the cheapest of them remain
  std::vector<Frontier> layer_, batch_;
  FrontierWork<Frontier> work_;
  FrontierSet<Frontier> kept_, seen_;
  absl::flat_hash_map<decltype(Frontier::marks), std::uint32_t> numbers_;
  Place place_;
  std::vector<std::pair<State, std::uint32_t>> steps_;
};

}  // namespace muster
