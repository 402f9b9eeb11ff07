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
  std::uint32_t looks_ = 0;  // of those whom it told something
};

class VirtualTime : private VirtualTimeState {
 public:
  explicit VirtualTime(Engine& engine) : engine_(engine) {}

  std::uint64_t look(SiteId site);
  /// The same for who only adds to it.
  std::uint64_t now();
  /// The same for who then sleeps until then: it makes no difference how late it is.
  std::uint64_t now_for_sleep();
  /// The running thread does something that depends on how late it is.
  void decides();
  void advance_to(std::uint64_t time);
  /// The same, by a thread that did nothing else.
  void sleep_until(std::uint64_t time);

 private:
  friend class Engine;
  friend class GoingBack;

  void start();

  Engine& engine_;
};

}  // namespace muster
