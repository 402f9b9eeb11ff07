#include "history/event_order.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>
#include <vector>

#include "base/assert.hpp"

namespace muster {
namespace {

/// At one time: returns of what was called earlier, calls, returns of what was called just now; or calls first, if
/// touching is overlapping.
unsigned tie_code(bool is_return, bool same_time, Ties ties) {
  if (ties == Ties::overlap) return is_return ? 1 : 0;
  if (!is_return) return 1;
  return same_time ? 2 : 0;
}

/// Least significant digit first, on the bits from `low` to `high` only: the order of equal keys stays.
void radix_sort(std::vector<std::uint64_t>& keys, unsigned low, unsigned high) {
  constexpr unsigned digit_bits = 11;
  std::vector<std::uint64_t> other(keys.size());
  for (unsigned shift = low; shift < high; shift += digit_bits) {
    const unsigned bits = std::min(digit_bits, high - shift);
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    std::array<std::uint32_t, 1 << digit_bits> starts{};
    for (const std::uint64_t key : keys) ++starts[key >> shift & mask];
    std::uint32_t sum = 0;
    for (std::uint32_t& start : starts) sum += std::exchange(start, sum);
    for (const std::uint64_t key : keys) other[starts[key >> shift & mask]++] = key;
    keys.swap(other);
  }
}

void place(std::span<Operation> operations, std::uint64_t event, Position position) {
  Operation& operation = operations[event >> 1];
  (event & 1 ? operation.ret : operation.call) = position;
}

}  // namespace

Position order_by_time(std::span<Operation> operations, std::span<const std::int64_t> calls,
                       std::span<const std::int64_t> returns, Ties ties) {
  if (operations.empty()) return 0;
  std::int64_t first = calls[0], last = calls[0];
  for (std::size_t id = 0; id < operations.size(); ++id) {
    first = std::min(first, calls[id]);
    last = std::max(last, calls[id]);
    if (returns[id] != HistoryBuilder::still_pending) last = std::max(last, returns[id]);
  }
  // A key is time, tie code, event; where all three fit into one word, sorting words is several times faster than
  // comparing records.
  const std::uint64_t range = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
  const unsigned event_bits = std::bit_width(operations.size() * 2);
  const unsigned time_bits = std::bit_width(range);
  const bool fits = event_bits + 2 + time_bits <= 64;

  struct WideKey {
    std::uint64_t time;
    std::uint32_t tie;
    std::uint64_t event;
  };
  std::vector<std::uint64_t> keys;
  std::vector<WideKey> wide;
  fits ? keys.reserve(operations.size() * 2) : wide.reserve(operations.size() * 2);
  const auto add = [&](std::uint64_t time, unsigned tie, std::uint64_t event) {
    if (fits) {
      keys.push_back((time << 2 | tie) << event_bits | event);
    } else {
      wide.push_back({time, tie, event});
    }
  };
  for (std::uint64_t id = 0; id < operations.size(); ++id) {
    add(static_cast<std::uint64_t>(calls[id]) - static_cast<std::uint64_t>(first), tie_code(false, false, ties),
        id << 1);
    if (returns[id] == HistoryBuilder::still_pending) {
      operations[id].ret = never;
    } else {
      add(static_cast<std::uint64_t>(returns[id]) - static_cast<std::uint64_t>(first),
          tie_code(true, returns[id] == calls[id], ties), id << 1 | 1);
    }
  }
  Position position = 0;
  if (fits) {
    if (!std::ranges::is_sorted(keys)) radix_sort(keys, event_bits, event_bits + 2 + time_bits);
    const std::uint64_t mask = (std::uint64_t{1} << event_bits) - 1;
    for (const std::uint64_t key : keys) place(operations, key & mask, position++);
  } else {
    std::ranges::stable_sort(wide, {}, [](const WideKey& key) { return std::pair(key.time, key.tie); });
    for (const WideKey& key : wide) place(operations, key.event, position++);
  }
  return position;
}

}  // namespace muster
