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

/// Keeps what a search can go back to in bounds: the older, the fewer, since going back far is rare.
template <class Saved>
void thin_out(std::vector<Saved>& saved) {
  constexpr std::size_t most = 128;
  if (saved.size() < most) return;
  std::size_t kept = 0;
  for (std::size_t at = 0; at < saved.size(); ++at) {
    if (at >= saved.size() / 2 || at % 2 == 0) std::swap(saved[kept++], saved[at]);
  }
  saved.resize(kept);
}

}  // namespace muster
