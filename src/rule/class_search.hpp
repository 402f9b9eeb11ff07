#pragma once
// Whether all histories of a class are explained, without going through them one by one: for what is still to come it
// only matters what was called so far, and how far its explanations may have come. Where operations do not concern each
// other, there are as many histories as orders of them, but only as many such situations as sets of them.

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>
#include <vector>

#include "rule/serial_spec.hpp"

namespace muster {

/// `Step` says how a serial execution goes on: `step(state, operation)` is the state after the operation, if it answers
/// there what it answered in the class. States are numbers; 0 is the first.
template <class Step>
class ClassSearch {
 public:
  ClassSearch(const HistoryClass& classed, std::uint64_t asynchronous, Step step, absl::FunctionRef<bool()> go_on)
      : class_(classed), asynchronous_(asynchronous), step_(std::move(step)), go_on_(go_on) {}

  ClassRuling run() {
    const bool passes = class_.called == 0 || search(0, {{0, 0}});
    if (gives_up_) return {};
    if (passes) return {ClassRuling::Kind::passes, {}};
    return {ClassRuling::Kind::fails, history_of(class_, calls_)};
  }

 private:
  static constexpr std::uint64_t most_tries = 4'000'000;

  /// How far an explanation may have come.
  struct Configuration {
    std::uint64_t placed;
    std::uint32_t state;
    auto operator<=>(const Configuration&) const = default;
    template <class H>
    friend H AbslHashValue(H hash, const Configuration& c) {
      return H::combine(std::move(hash), c.placed, c.state);
    }
  };
  using Configurations = std::vector<Configuration>;  // sorted

  /// Whether everything that can follow is explained, where these are called, and all that has returned is placed. If
  /// not, `calls_` are calls after which there is no explanation.
  bool search(std::uint64_t called, const Configurations& now) {
    const std::uint64_t returned = class_.with_returns(called, 0);
    for (std::uint64_t mask = class_.called & ~called; mask; mask &= mask - 1) {
      const auto b = static_cast<unsigned>(std::countr_zero(mask));
      if (class_.always_before[b] & ~returned) continue;
      calls_.push_back(static_cast<std::uint8_t>(b));
      if (!call(called | bit_of(b), returned, now)) return false;
      calls_.pop_back();
    }
    return true;
  }

  /// False if it is enough.
  bool try_more() {
    constexpr std::uint64_t ask_every = 512;
    ++tries_;
    gives_up_ = gives_up_ || tries_ > most_tries || (tries_ % ask_every == 0 && !go_on_());
    return !gives_up_;
  }

  bool call(std::uint64_t called, std::uint64_t returned, const Configurations& now) {
    if (!try_more()) return false;
    const bool all = called == class_.called;
    const std::uint64_t then = class_.with_returns(called, returned);
    if (then == returned && !all) return known(called, now) || search(called, now);
    const Configurations next = ways_to_place(now, called, all ? then : then & ~asynchronous_);
    return !next.empty() && (all || known(called, next) || search(called, next));
  }

  /// Whether this was looked at before. Compared as a whole: a clash of hashes must not make anything pass.
  bool known(std::uint64_t called, const Configurations& now) {
    const auto number = static_cast<std::uint32_t>(numbers_.size());
    return !seen_.emplace(called, numbers_.try_emplace(now, number).first->second).second;
  }

  /// The ways to place at least the `required` ones of those that are called, and no more than leads there.
  Configurations ways_to_place(const Configurations& from, std::uint64_t called, std::uint64_t required) {
    Configurations open = from, done;
    met_.clear();
    met_.insert(from.begin(), from.end());
    while (!open.empty()) {
      const Configuration c = open.back();
      open.pop_back();
      if (!(required & ~c.placed)) {
        done.push_back(c);
        continue;
      }
      for (std::uint64_t mask = called & ~c.placed; mask; mask &= mask - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(mask));
        if (!try_more()) return {};
        const std::optional<std::uint32_t> state = step_(c.state, i);
        if (state && met_.insert({c.placed | bit_of(i), *state}).second) open.push_back({c.placed | bit_of(i), *state});
      }
    }
    std::sort(done.begin(), done.end());
    return done;
  }

  const HistoryClass& class_;
  std::uint64_t asynchronous_;
  Step step_;
  absl::FunctionRef<bool()> go_on_;
  bool gives_up_ = false;
  std::vector<std::uint8_t> calls_;
  std::uint64_t tries_ = 0;
  absl::flat_hash_map<Configurations, std::uint32_t> numbers_;
  absl::flat_hash_set<std::pair<std::uint64_t, std::uint32_t>> seen_;
  absl::flat_hash_set<Configuration> met_;  // by `ways_to_place`, whose memory is used again
};

}  // namespace muster
