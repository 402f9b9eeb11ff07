#include "harness/follow/steering.hpp"

#include <utility>

#include "predict/intrusions.hpp"
#include "predict/predict.hpp"
#include "runtime/engine.hpp"

namespace muster {

void PredictionSteering::record() {
  test_events = this;
  tap::listen(given_ ? nullptr : this);
}

std::size_t PredictionSteering::predict() {
  tap::listen(nullptr);
  plans_.clear();
  if (given_) plans_ = std::exchange(*given_, {});
  if (!trace_) return plans_.size();
  predict::PredictOptions options;
  options.every = true;
  options.observed = false;
  options.plans = ~std::size_t{0};
  predict::Report report = predict::predict(*trace_, options);
  const predict::Intrusions intrusions(*trace_);
  const auto add = [&](Plan plan) {
    if (tried_.insert(intrusions.form(plan)).second) plans_.push_back(std::move(plan));
  };
  for (predict::GradedGroup& group : report.groups)
    if (group.plan) add(intrusions.completed(std::move(*group.plan)));
  for (predict::DeadlockPrediction& deadlock : report.deadlocks.predictions)
    if (deadlock.plan) add(std::move(*deadlock.plan));
  for (Plan& plan : intrusions.plans()) add(std::move(plan));
  trace_.reset();
  return plans_.size();
}

Strategy& PredictionSteering::follow(std::size_t prediction) {
  strategy_ = std::make_unique<PlanStrategy>(plans_[prediction]);
  follower_ = std::make_unique<Follower>(plans_[prediction], *strategy_, sighting_);
  tap::listen(follower_.get());
  return *strategy_;
}

void PredictionSteering::end() {
  tap::listen(nullptr);
  test_events = nullptr;
  tried_.clear();
}

void PredictionSteering::access(ThreadId thread, std::uint64_t address, std::uint64_t size, tap::Kind kind,
                                SiteId site) {
  const bool was = std::exchange(controlled, false);  // what writing the trace allocates is not the program's
  trace_->add(thread, kind, address, size, site);
  controlled = was;
}

void PredictionSteering::event(ThreadId thread, tap::Kind kind, std::uint64_t object, SiteId site) {
  access(thread, object, 0, kind, site);
}

}  // namespace muster
