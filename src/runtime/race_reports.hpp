#pragma once
// What the race detector finds, as incidents of the execution, and as what the next ones take into account.

#include <optional>

#include "memory/race_detector.hpp"

namespace muster {

class Engine;

class RaceReports final : public RaceListener {
 public:
  explicit RaceReports(Engine& engine) : engine_(engine) {}

  void race(std::uintptr_t address, ThreadId thread, const EarlierAccess& earlier, SiteId site, bool writes,
            const std::optional<PossibleLink>& link) override;
  void use_after_free(std::uintptr_t address, ThreadId freed_by, std::uint32_t freed_at, SiteId site) override;
  void out_of_bounds(std::uintptr_t address, SiteId site) override;
  void stack_is_shared(ThreadId owner) override;
  void outside_is_written() override;
  bool adopt(std::uintptr_t address, Cell& cell) override;
  void out_of_clock() override;

 private:
  Engine& engine_;
};

}  // namespace muster
