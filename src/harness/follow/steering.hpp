#pragma once
// Steers a check by prediction: records executions through the hooks, predicts from them, follows the predictions.

#include <memory>
#include <optional>
#include <set>
#include <string>

#include "check/steering.hpp"
#include "harness/follow/follower.hpp"
#include "trace/memory_trace.hpp"

namespace muster {

class PredictionSteering final : public Steering, private TestEvents, private tap::Listener {
 public:
  PredictionSteering() = default;
  /// With predictions that were made elsewhere.
  explicit PredictionSteering(std::vector<Plan> plans) : given_(std::move(plans)) {}
  ~PredictionSteering() override { end(); }
  PredictionSteering(const PredictionSteering&) = delete;
  PredictionSteering& operator=(const PredictionSteering&) = delete;

  void record() override;
  std::size_t predict() override;
  Strategy& follow(std::size_t prediction) override;
  void end() override;

 private:
  void started(ThreadId column) override { tell(tap::Kind::fork, column); }
  void joined(ThreadId column) override { tell(tap::Kind::join, column); }
  void called() override { tell(tap::Kind::begin, 0); }
  void returned() override { tell(tap::Kind::end, 0); }
  static void tell(tap::Kind kind, std::uintptr_t object) { tap::tell(kind, reinterpret_cast<const void*>(object), 0); }

  void begin_execution() override { trace_.emplace(); }
  void approach(ThreadId, SiteId) override {}
  void access(ThreadId thread, std::uint64_t address, std::uint64_t size, tap::Kind kind, SiteId site) override;
  void event(ThreadId thread, tap::Kind kind, std::uint64_t object, SiteId site) override;

  std::optional<trace::MemoryTrace> trace_;
  std::optional<std::vector<Plan>> given_;
  std::vector<Plan> plans_;
  std::set<std::string> tried_;  // in this test: the forms of their plans
  std::unique_ptr<PlanStrategy> strategy_;
  std::unique_ptr<Follower> follower_;
  Sighting sighting_;
};

}  // namespace muster
