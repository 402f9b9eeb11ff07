#include "predict/lockset.hpp"

#include <algorithm>
#include <bit>

namespace muster::predict {

namespace {

std::uint32_t code(Held held) { return std::bit_cast<std::uint32_t>(held); }

bool before(Held a, Held b) { return a.lock != b.lock ? a.lock < b.lock : a.exclusive < b.exclusive; }

}  // namespace

LocksetId LocksetTable::with(LocksetId set, Held held) {
  const std::uint64_t key = (static_cast<std::uint64_t>(set) << 32) | code(held);
  if (const auto known = added_.find(key); known != added_.end()) return known->second;
  std::vector<Held> larger(locks(set).begin(), locks(set).end());
  const auto at = std::lower_bound(larger.begin(), larger.end(), held, before);
  if (at == larger.end() || *at != held) larger.insert(at, held);
  std::vector<std::uint32_t> codes;
  for (const Held each : larger) codes.push_back(code(each));
  const auto [entry, is_new] = ids_.try_emplace(std::move(codes), static_cast<LocksetId>(sets_.size()));
  if (is_new) {
    std::uint64_t signature = 0;
    for (const Held each : larger) signature |= std::uint64_t{1} << (each.lock % 64);
    sets_.push_back({signature, static_cast<std::uint32_t>(arena_.size()), static_cast<std::uint32_t>(larger.size())});
    arena_.insert(arena_.end(), larger.begin(), larger.end());
  }
  added_[key] = entry->second;
  return entry->second;
}

bool LocksetTable::compatible_slow(LocksetId a, LocksetId b) const {
  const auto first = locks(a), second = locks(b);
  for (std::size_t i = 0, j = 0; i < first.size() && j < second.size();) {
    if (first[i].lock == second[j].lock && (first[i].exclusive || second[j].exclusive)) return false;
    // A set may hold one lock in both modes; the shared one comes first, so step over the smaller element.
    before(first[i], second[j]) ? ++i : ++j;
  }
  return true;
}

bool LocksetTable::weaker(LocksetId a, LocksetId b) const {
  if (sets_[a].signature & ~sets_[b].signature) return false;
  return std::ranges::all_of(locks(a), [&](Held wanted) {
    return std::ranges::any_of(
        locks(b), [&](Held held) { return held.lock == wanted.lock && held.exclusive >= wanted.exclusive; });
  });
}

}  // namespace muster::predict
