#pragma once
// Makes the execution in which threads take turns as told: how an order that was only computed becomes a schedule.

#include <array>
#include <deque>
#include <utility>

#include "schedule/strategy.hpp"

namespace muster {

/// Calls are events only without reduction, looks at the clock only with it.
constexpr bool counts_in_turns(EventKind kind) { return kind != EventKind::call && kind != EventKind::clock; }

/// Repeats a schedule of a reduced search and counts what each thread had done after each of its transitions.
class TransitionCounter final : public Strategy, public Reducer {
 public:
  explicit TransitionCounter(std::vector<Decision> decisions) : decisions_(std::move(decisions)) {}

  bool begin_execution(Schedule& schedule) override {
    schedule.assign(decisions_);
    return true;
  }
  std::uint8_t decide(const Point&) override { return 0; }
  Manners manners() const override { return {.watches_events = true}; }
  Reducer* reducer() override { return this; }
  Symmetry symmetry() const override { return decisions_.empty() ? Symmetry::none : decisions_.front().symmetry; }
  MemoryModel memory_model(MemoryModel) const override {
    return decisions_.empty() ? MemoryModel::sc : decisions_.front().memory_model;
  }
  bool begin_transition(ThreadId thread) override {
    counts_[thread].push_back(counts_[thread].empty() ? 0 : counts_[thread].back());
    return true;
  }
  void executed(const Event& event) override {
    if (counts_in_turns(event.kind) && !counts_[event.thread].empty()) ++counts_[event.thread].back();
  }

  /// Events of a thread up to the end of its transition number `ordinal`.
  std::uint32_t events(ThreadId thread, std::uint32_t ordinal) const {
    return ordinal < counts_[thread].size() ? counts_[thread][ordinal] : 0;
  }

 private:
  std::vector<Decision> decisions_;
  std::array<std::vector<std::uint32_t>, max_threads> counts_;
};

class TurnStrategy final : public Strategy {
 public:
  /// A turn is over when its thread has done so many visible things; calls do not count.
  struct Turn {
    ThreadId thread;
    std::uint32_t events;
  };
  /// `chosen` holds decisions with the values that each thread chose, in its order.
  TurnStrategy(std::vector<Turn> turns, std::span<const Decision> chosen) : turns_(std::move(turns)) {
    for (const Decision& d : chosen) {
      const bool is_value = d.kind != PointKind::thread && d.kind != PointKind::retry && d.kind != PointKind::message;
      if (is_value && d.running < max_threads) values_[d.running].push_back(d.index);
    }
  }

  bool begin_execution(Schedule& schedule) override {
    schedule.truncate(0);
    return !std::exchange(done_, true);
  }
  /// Where threads took the newest values only, there is nothing to choose.
  MemoryModel memory_model(MemoryModel) const override { return MemoryModel::sc; }
  std::uint8_t decide(const Point& point) override {
    if (point.kind != PointKind::thread) {
      auto& values = values_[point.running];
      if (values.empty() || values.front() >= point.options.size()) return 0;
      return pop(values);
    }
    while (at_ < turns_.size() && made_[turns_[at_].thread] >= turns_[at_].events) ++at_;
    for (std::size_t i = 0; at_ < turns_.size() && i < point.options.size(); ++i) {
      if (point.options[i] == turns_[at_].thread) return static_cast<std::uint8_t>(i);
    }
    return 0;
  }
  Manners manners() const override { return {.watches_events = true}; }
  void executed(const Event& event) override { made_[event.thread] += counts_in_turns(event.kind); }

 private:
  static std::uint8_t pop(std::deque<std::uint8_t>& values) {
    const std::uint8_t first = values.front();
    values.pop_front();
    return first;
  }
  std::vector<Turn> turns_;
  std::array<std::deque<std::uint8_t>, max_threads> values_;
  std::array<std::uint32_t, max_threads> made_{};
  std::size_t at_ = 0;
  bool done_ = false;
};

}  // namespace muster
