#pragma once

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace muster {

/// Frontiers without those that another one covers; few are compared one by one.
template <class Frontier>
class FrontierSet {
 public:
  void clear() {
    all.clear();
    alike_.clear();
    first_.clear();
  }
  template <class Covers>
  bool add(const Frontier& at, const Covers& covers) {
    const auto number = static_cast<std::uint32_t>(all.size());
    if (number < few) {
      if (std::ranges::any_of(all, [&](const Frontier& other) { return covers(other, at); })) return false;
      all.push_back(at);
      return true;
    }
    if (number == few) {
      for (std::uint32_t other = 0; other < few; ++other) link(other);
    }
    const auto found = first_.find(at.key());
    for (std::uint32_t other = found == first_.end() ? nobody : found->second; other != nobody; other = alike_[other]) {
      if (covers(all[other], at)) return false;
    }
    all.push_back(at);
    link(number);
    return true;
  }
  std::size_t bytes() const {
    return all.capacity() * sizeof(Frontier) + alike_.capacity() * 4 + first_.capacity() * 17;
  }

  std::vector<Frontier> all;

 private:
  static constexpr std::uint32_t few = 8, nobody = ~std::uint32_t{0};

  void link(std::uint32_t number) {
    const auto [found, fresh] = first_.try_emplace(all[number].key(), number);
    alike_.push_back(fresh ? nobody : std::exchange(found->second, number));
  }

  std::vector<std::uint32_t> alike_;  ///< by number: the one before with the same key
  absl::flat_hash_map<std::uint64_t, std::uint32_t> first_;
};

/// Frontiers from which to go on, the cheapest first.
template <class Frontier>
class FrontierWork {
 public:
  void clear() {
    while (!batches_.empty()) drop_last();
    size_ = 0;
  }
  void add(const Frontier& at, std::uint64_t cost) {
    ++size_;
    auto place = batches_.end();
    while (place != batches_.begin() && std::prev(place)->cost < cost) --place;
    if (place == batches_.begin() || std::prev(place)->cost != cost) {
      place = std::next(batches_.insert(place, Batch{cost, {}}));
      if (!spare_.empty()) {
        std::prev(place)->frontiers.swap(spare_.back());
        spare_.pop_back();
      }
    }
    std::prev(place)->frontiers.push_back(at);
  }
  /// All of the least cost.
  void take(std::vector<Frontier>& cheapest) {
    cheapest.swap(batches_.back().frontiers);
    size_ -= cheapest.size();
    drop_last();
  }
  std::size_t size() const { return size_; }
  std::size_t capacity() const {
    std::size_t all = 0;
    for (const Batch& batch : batches_) all += batch.frontiers.capacity();
    for (const std::vector<Frontier>& batch : spare_) all += batch.capacity();
    return all;
  }

 private:
  struct Batch {
    std::uint64_t cost;
    std::vector<Frontier> frontiers;
  };
  void drop_last() {
    batches_.back().frontiers.clear();
    spare_.push_back(std::move(batches_.back().frontiers));
    batches_.pop_back();
  }

  std::size_t size_ = 0;
  std::vector<Batch> batches_;  ///< the cheapest last
  std::vector<std::vector<Frontier>> spare_;
};

/// Keeps what a search can go back to in bounds: the older, the fewer, since going back far is rare. The beginning
/// always stays.
template <class Saved>
void thin_out(std::vector<Saved>& saved, std::size_t now) {
  constexpr std::size_t most = 128;
  if (saved.size() < most) return;
  std::vector<Saved> kept;  // the latest first
  for (std::size_t at = saved.size(); at-- > 0;) {
    const bool gap_is_small =
        at > 0 && !kept.empty() && kept.back().event - saved[at - 1].event <= (now - saved[at].event) / 8;
    if (!gap_is_small) kept.push_back(std::move(saved[at]));
  }
  std::ranges::reverse(kept);
  saved.swap(kept);
}

}  // namespace muster
