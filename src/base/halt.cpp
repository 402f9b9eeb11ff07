#include "base/halt.hpp"

#include <algorithm>

namespace muster {

Halt::Clock::time_point Halt::after(double seconds) {
  constexpr double for_ever = 1e9;
  if (seconds <= 0 || seconds > for_ever) return never;
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

Halt::Clock::time_point Halt::share(Clock::time_point end, std::size_t searches) {
  const auto now = Clock::now();
  if (end == never || end <= now) return end;
  return now + (end - now) / static_cast<std::int64_t>(std::max<std::size_t>(1, searches));
}

Halt::Order Halt::order() {
  const auto now = Clock::now();
  if (!stopped_ && now >= deadline_) stopped_ = deadline_;
  if (!stopped_ && interrupted_ && interrupted_()) stopped_ = now;
  if (!stopped_) return Order::go_on;
  return now < *stopped_ + grace ? Order::stop : Order::kill;
}

int Halt::wait(int milliseconds) const {
  const auto now = Clock::now();
  if (next_order() <= now) return stopped_ ? 1 : 0;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(next_order() - now);
  return static_cast<int>(std::min<std::int64_t>(milliseconds, left.count()));
}

Halt::Clock::duration Halt::time_for(Clock::duration most) const {
  const auto now = Clock::now();
  const auto end = stopped_ ? *stopped_ + longest : now >= deadline_ ? deadline_ + longest : deadline_;
  return std::clamp(end - now, Clock::duration::zero(), most);
}

}  // namespace muster
