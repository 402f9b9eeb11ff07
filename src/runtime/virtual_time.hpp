#pragma once
// The time that programs see: it passes when somebody looks, or sleeps.

#include <cstdint>

#include "base/event.hpp"

namespace muster {

class Engine;

/// What of it goes back with the execution.
struct VirtualTimeState {
  std::uint64_t now_ = 0;  // nanoseconds
  std::uint64_t step_ = 0;
};

class VirtualTime : private VirtualTimeState {
 public:
  explicit VirtualTime(Engine& engine) : engine_(engine) {}

  std::uint64_t look(SiteId site);
  /// The same for who only adds to it.
  std::uint64_t now();
  void advance_to(std::uint64_t time);

 private:
  friend class Engine;
  friend class GoingBack;

  void start();

  Engine& engine_;
};

}  // namespace muster
