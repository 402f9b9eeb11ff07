#include "judge/quasi/at_returns.hpp"

#include <algorithm>
#include <array>

namespace muster {
namespace {

constexpr std::size_t most_operations = 64;

/// Calls and returns in order, and the items by rank, all in place.
class AtReturns {
 public:
  AtReturns(const Binding& binding, std::span<const OperationId> ids)
      : binding_(binding), history_(binding.history()), ids_(ids), family_(binding.spec().family()) {}

  bool run() {
    std::array<std::uint64_t, 2 * most_operations> events;
    std::size_t count = 0;
    for (std::size_t index = 0; index < ids_.size(); ++index) {
      const Operation& operation = history_[ids_[index]];
      events[count++] = std::uint64_t{operation.call} << 32 | index << 1;
      if (!operation.is_pending()) events[count++] = std::uint64_t{operation.ret} << 32 | index << 1 | 1;
    }
    std::sort(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(count));
    for (std::size_t at = 0; at < count; ++at) {
      const auto index = static_cast<std::uint32_t>(events[at]) >> 1;
      const auto now = static_cast<Position>(events[at] >> 32);
      if ((events[at] & 1) == 0) {
        called_ |= std::uint64_t{1} << index;
      } else if (!(done_ >> index & 1) && !take(index)) {
        return false;
      }
      if (size_ == 0) last_empty_ = now;
    }
    return true;
  }

 private:
  struct Present {
    Value value;
    unsigned skips;
  };

  Present& at(std::ptrdiff_t rank) { return items_[static_cast<std::size_t>(rank)]; }
  const Operation& operation(std::size_t index) const { return history_[ids_[index]]; }

  bool take(std::size_t index) {
    done_ |= std::uint64_t{1} << index;
    const Operation& mine = operation(index);
    const MethodIndex method = binding_.method(mine);
    if (method == 0) {
      insert(binding_.arguments(mine)[0]);
      return true;
    }
    if (method != 1 || mine.result.is_none()) return false;
    if (mine.result.is_nil()) return size_ == 0 || last_empty_ >= mine.call;
    return remove(mine.result) || (insert_early(mine.result) && remove(mine.result));
  }

  bool insert_early(Value value) {
    for (std::size_t index = 0; index < ids_.size(); ++index) {
      const bool open = called_ >> index & ~done_ >> index & 1;
      if (!open || binding_.method(operation(index)) != 0 || binding_.arguments(operation(index))[0] != value) continue;
      return take(index);
    }
    return false;
  }

  void insert(Value value) {
    std::ptrdiff_t place = family_ == Family::stack ? 0 : size_;
    if (family_ == Family::smallest_first || family_ == Family::largest_first) {
      const bool largest = family_ == Family::largest_first;
      while (place > 0 && (largest ? at(place - 1).value < value : value < at(place - 1).value)) --place;
    }
    std::copy_backward(items_.begin() + place, items_.begin() + size_, items_.begin() + size_ + 1);
    at(place) = {value, 0};
    ++size_;
  }

  bool remove(Value value) {
    const unsigned factor = binding_.spec().factor();
    for (std::ptrdiff_t rank = 0; rank < size_ && rank <= std::ptrdiff_t{factor}; ++rank) {
      if (at(rank).value == value) {
        for (std::ptrdiff_t before = 0; before < rank; ++before) ++at(before).skips;
        std::copy(items_.begin() + rank + 1, items_.begin() + size_, items_.begin() + rank);
        --size_;
        return true;
      }
      if (at(rank).skips == factor) return false;
    }
    return false;
  }

  const Binding& binding_;
  const History& history_;
  std::span<const OperationId> ids_;
  Family family_;
  std::uint64_t called_ = 0, done_ = 0;
  std::array<Present, most_operations + 1> items_;  ///< by rank
  std::ptrdiff_t size_ = 0;
  Position last_empty_ = 0;
};

}  // namespace

bool explained_at_returns(const Binding& binding, std::span<const OperationId> ids) {
  return ids.size() <= most_operations && AtReturns(binding, ids).run();
}

}  // namespace muster
