#include "search/shared_pass.hpp"

#include <algorithm>

namespace muster {

bool comes_before(std::span<const Decision> a, std::span<const Decision> b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                      [](const Decision& x, const Decision& y) { return x.index < y.index; });
}

void SharedPass::lock() {
  while (__atomic_exchange_n(&locked_, 1, __ATOMIC_ACQUIRE) != 0) short_sleep();
}

void SharedPass::unlock() { __atomic_store_n(&locked_, 0, __ATOMIC_RELEASE); }

void SharedPass::set_subject(std::uint64_t subject) {
  inviting_ = false;
  helpers_ = 0;
  if (subject != nothing) set_up_count_ = 0;
  __atomic_store_n(&subject_, subject, __ATOMIC_RELEASE);
}

void SharedPass::begin(PassKind kind, DepthFirstBounds bounds) {
  bounds_ = bounds;
  kind_ = kind;
  learned = out_of_time = found_what_ends_it = false;
  left_out = {};
  own_jobs_left = 0;
  whole_tree_left = found_aside = false;
  found_[0] = found_[1] = false;
  __atomic_fetch_add(&number_, 1, __ATOMIC_ACQ_REL);
  if (is_reduced())
    tree.start_alone();
  else
    board.start_alone();
}

unsigned SharedPass::join(std::uint64_t subject, unsigned last) {
  while (this->subject() == subject) {
    const unsigned number = __atomic_load_n(&number_, __ATOMIC_ACQUIRE);
    if (number != last && work().join()) {
      // Between the two, the owner may have gone on to another pass; whoever is in keeps it from doing so again.
      if (this->subject() == subject) return __atomic_load_n(&number_, __ATOMIC_ACQUIRE);
      work().leave();
    }
    short_sleep();
  }
  return 0;
}

void SharedPass::found_at(std::span<const Decision> decisions, Find find) {
  const int which = static_cast<int>(find);
  lock();
  if (!found_[which] || comes_before(decisions, first_[which].decisions())) {
    first_[which].assign(decisions);
    __atomic_store_n(&found_[which], true, __ATOMIC_RELEASE);
  }
  unlock();
}

bool SharedPass::is_beyond(std::span<const Decision> decisions) {
  if (!found(Find::ends)) return false;
  lock();
  const bool beyond = comes_before(first_[static_cast<int>(Find::ends)].decisions(), decisions);
  unlock();
  return beyond;
}

std::vector<Decision> SharedPass::first_found(Find find) {
  lock();
  const auto decisions = first_[static_cast<int>(find)].decisions();
  std::vector<Decision> first(decisions.begin(), decisions.end());
  unlock();
  return first;
}

void SharedPass::add_set_up(std::span<const Decision> decisions) {
  lock();
  if (set_up_count_ < most_set_ups && decisions.size() <= JobBoard::longest_job) {
    SetUp& kept = set_ups_[set_up_count_++];
    kept.size = static_cast<std::uint32_t>(decisions.size());
    std::copy(decisions.begin(), decisions.end(), kept.decisions);
  }
  unlock();
}

std::vector<std::vector<Decision>> SharedPass::set_ups() {
  std::vector<std::vector<Decision>> all;
  lock();
  for (unsigned i = 0; i < set_up_count_; ++i)
    all.emplace_back(set_ups_[i].decisions, set_ups_[i].decisions + set_ups_[i].size);
  unlock();
  return all;
}

}  // namespace muster
