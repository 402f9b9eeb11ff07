#pragma once
// Draws executions at random, and tells from each how many classes there are. An execution of a class that is drawn
// with chance p stands for 1 / p classes (the estimator of Horvitz and Thompson, 1952): on average, over all classes,
// that is their number. The chance of a class is that of all its executions, which are the orders of its transitions
// that keep the causal order; it is told from a sample of these. Executions are drawn in two ways, and the chance of a
// class is that by either (the balance heuristic of Veach and Guibas, 1995): what is unlikely in both is rare. What is
// cut under reduction counts for nothing.

#include "base/rng.hpp"
#include "reduction/reduction_strategy.hpp"

namespace muster {

class ClassProbe final : public Strategy, public Reducer {
 public:
  ClassProbe(const ReductionConfig& config, std::uint64_t seed) : bookkeeper_(config), rng_(seed) {}

  bool begin_execution(Schedule& schedule) override;
  std::uint8_t decide(const Point& point) override;
  void end_execution(const Schedule& schedule, Ending ending) override;
  Reducer* reducer() override { return this; }
  Symmetry symmetry() const override { return bookkeeper_.symmetry(); }
  bool begin_transition(ThreadId thread) override { return bookkeeper_.begin_transition(thread); }
  void accessed(const Access& access) override { bookkeeper_.accessed(access); }
  void waits(ThreadId thread, const Access& access) override { bookkeeper_.waits(thread, access); }
  void arrives(const Arrival& arrival, StateHash state) override { bookkeeper_.arrives(arrival, state); }
  void tries_again(bool same) override { bookkeeper_.tries_again(same); }
  void comes_round(std::uint32_t transitions) override { bookkeeper_.comes_round(transitions); }
  std::uint64_t state_after(std::uint64_t sight, StateHash state) override {
    return bookkeeper_.state_after(sight, state);
  }

  /// How many classes the last execution stands for. Nothing if it only looked at failed attempts of another, or is to
  /// be gone on with since such an attempt was not in vain.
  std::optional<double> classes() const { return classes_; }

 private:
  /// It makes no choices here: it keeps the causal order, and knows which failed attempts leave nothing behind.
  ReductionStrategy bookkeeper_;
  Rng rng_;
  double goes_on_ = 0;  // how often, where it can, the running thread does
  double values_ = 1;   // ways to choose those of this execution
  bool settling_ = false;
  std::optional<double> classes_;
};

/// The chance to get one of the orders of these transitions, if threads are drawn as ClassProbe does.
double chance_of_class(const CausalOrder& order, Rng& rng);

}  // namespace muster
