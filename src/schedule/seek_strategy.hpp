#pragma once
// Lets threads run by rank, as somebody says who watches them on their way somewhere.

#include <array>

#include "schedule/strategy.hpp"

namespace muster {

/// Who shall run rather than whom; `last` only where nobody else can.
enum class Rank : std::uint8_t { first, usual, later, last };

class Ranking {
 public:
  virtual ~Ranking() = default;
  virtual Rank rank(ThreadId thread) = 0;
  /// Whether what is looked for cannot be found any more in this execution, or goes on for too long.
  virtual bool gives_up() = 0;
};

class SeekStrategy final : public Strategy {
 public:
  /// To be told before the first execution.
  void set_ranking(Ranking& ranking) { ranking_ = &ranking; }

  bool begin_execution(Schedule& schedule) override;
  void rewind() override { done_ = false; }
  std::uint8_t decide(const Point& point) override;

  /// Whether somebody would rather have `other` run than `running`.
  bool prefers(ThreadId other, ThreadId running) const { return order(other) < order(running); }
  /// Something was reached: whoever waited in vain may wait anew.
  void refresh() { steps_.fill(0); }

 private:
  bool is_tired(ThreadId thread, Rank rank) const;
  unsigned order(ThreadId thread) const;

  Ranking* ranking_ = nullptr;
  std::array<unsigned, max_threads> steps_{};  // made while others could step, since the last refresh
  bool done_ = false;
};

}  // namespace muster
