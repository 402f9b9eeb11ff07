// What callers of an object can know of the order of its operations, and add to it.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "memory/strong_order.hpp"

namespace muster {

bool StrongOrder::has_strong() const {
  return std::any_of(events_.begin(), events_.end(), [](const Event& event) { return event.strong; });
}

std::vector<bool> StrongOrder::events_after(const Moment& moment) const {
  std::vector<bool> after(events_.size() + 1, false);
  for (Index i = 1; i <= events_.size(); ++i) {
    const Event& event = at(i);
    const bool own = event.thread == moment.thread;
    after[i] = own ? event.number >= moment.number : event.known.lane[moment.thread] >= moment.number;
  }
  return after;
}

bool StrongOrder::comes_before(Index event, const Moment& moment) const {
  const Event& e = at(event);
  return e.thread == moment.thread ? e.number < moment.number : moment.known.lane[e.thread] >= e.number;
}

/// `after`: events that come after a moment; `first`: the least position of these in each modification order.
bool StrongOrder::leads(const std::vector<bool>& after, const std::vector<std::uint32_t>& first,
                        const Moment& to) const {
  for (Index i = 1; i <= events_.size(); ++i) {
    if (!comes_before(i, to)) continue;
    if (after[i]) return true;
    const Event& event = at(i);
    if (!event.is_access()) continue;
    if (links_[i - 1].position > first[event.location]) return true;
    if (event.reads && event.source != 0 && after[event.source]) return true;
  }
  return false;
}

std::vector<std::uint64_t> StrongOrder::forced(std::span<const Moment> from, std::span<const Moment> to) {
  link();
  std::vector<std::uint64_t> found(from.size(), 0);
  for (std::size_t i = 0; i < from.size(); ++i) {
    const std::vector<bool> after = events_after(from[i]);
    std::vector<std::uint32_t> first(newest_.size(), ~std::uint32_t{0});
    for (Index e = 1; e <= events_.size(); ++e) {
      if (after[e] && at(e).is_access())
        first[at(e).location] = std::min(first[at(e).location], links_[e - 1].position);
    }
    for (std::size_t j = 0; j < to.size(); ++j) {
      const bool knows = to[j].thread == from[i].thread ? from[i].number < to[j].number
                                                        : to[j].known.lane[from[i].thread] >= from[i].number;
      if (knows || leads(after, first, to[j])) found[i] |= std::uint64_t{1} << j;
    }
  }
  return found;
}

namespace {

/// A relation of numbers, as rows of bits.
class Relation {
 public:
  explicit Relation(std::size_t size) : size_(size), words_((size + 63) / 64), bits_(size * words_) {}

  void add(std::size_t a, std::size_t b) { bits_[a * words_ + b / 64] |= std::uint64_t{1} << b % 64; }
  bool has(std::size_t a, std::size_t b) const { return bits_[a * words_ + b / 64] >> b % 64 & 1; }
  /// Makes it transitive.
  void close() {
    for (std::size_t via = 0; via < size_; ++via) {
      for (std::size_t a = 0; a < size_; ++a) {
        if (!has(a, via)) continue;
        for (std::size_t w = 0; w < words_; ++w) bits_[a * words_ + w] |= bits_[via * words_ + w];
      }
    }
  }
  bool has_circle() {
    close();
    for (std::size_t a = 0; a < size_; ++a) {
      if (has(a, a)) return true;
    }
    return false;
  }

 private:
  std::size_t size_, words_;
  std::vector<std::uint64_t> bits_;
};

}  // namespace

/// The relations of RC11 with happens-before as it is where callers order moments: events first, by their number, then
/// moments. A moment stands for what a caller does there, which is no access of an atomic.
class StrongOrder::WithCallers {
 public:
  WithCallers(const StrongOrder& order, std::span<const Moment> moments, std::span<const Added> added)
      : order_(order),
        events_(static_cast<Index>(order.events_.size())),
        moments_(moments.begin(), moments.end()),
        before_(0) {
    add_ends();
    before_ = Relation(events_ + 1 + moments_.size());
    add_known();
    for (const auto& [a, b] : added) before_.add(node(a), node(b));
    before_.close();
  }

  bool psc_has_circle() const {
    Relation psc(events_ + 1);
    for (Index s = 1; s <= events_; ++s) {
      if (order_.at(s).strong) add_psc(s, psc);
    }
    return psc.has_circle();
  }

 private:
  std::size_t node(std::size_t moment) const { return events_ + 1 + moment; }

  /// What comes after the last event of a thread: a lock that it released, or its end.
  void add_ends() {
    for (const Index last : order_.last_) {
      if (last == 0) continue;
      const Event& event = order_.at(last);
      moments_.push_back({event.known, static_cast<std::uint16_t>(event.number + 1), event.thread});
    }
  }

  void add_known() {
    for (Index a = 1; a <= events_; ++a) {
      for (Index b = 1; b <= events_; ++b) {
        if (order_.before(a, b)) before_.add(a, b);
      }
    }
    for (std::size_t m = 0; m < moments_.size(); ++m) {
      const std::vector<bool> after = order_.events_after(moments_[m]);
      for (Index e = 1; e <= events_; ++e) {
        if (after[e]) before_.add(node(m), e);
        if (order_.comes_before(e, moments_[m])) before_.add(e, node(m));
      }
      for (std::size_t later = 0; later < moments_.size(); ++later) {
        const Moment &from = moments_[m], &to = moments_[later];
        const bool known = from.thread == to.thread ? m < later && from.number <= to.number
                                                    : to.known.lane[from.thread] >= from.number;
        if (known) before_.add(node(m), node(later));
      }
    }
  }

  /// sb|≠loc ; hb ; sb|≠loc, through the first event or moment elsewhere and the last one.
  bool between_elsewhere(Index a, Index b) const {
    std::vector<std::size_t> left, entered;
    if (order_.links_[a - 1].next_elsewhere != 0) left.push_back(order_.links_[a - 1].next_elsewhere);
    if (order_.links_[b - 1].previous_elsewhere != 0) entered.push_back(order_.links_[b - 1].previous_elsewhere);
    for (std::size_t m = 0; m < moments_.size(); ++m) {
      if (moments_[m].thread == order_.at(a).thread && order_.comes_before(a, moments_[m])) left.push_back(node(m));
      if (moments_[m].thread == order_.at(b).thread && !order_.comes_before(b, moments_[m])) entered.push_back(node(m));
    }
    return std::ranges::any_of(left, [&](std::size_t from) {
      return std::ranges::any_of(entered, [&](std::size_t to) { return before_.has(from, to); });
    });
  }

  /// scb.
  bool comes_first(Index a, Index b) const {
    if (a == b) return false;
    const Event &from = order_.at(a), &to = order_.at(b);
    if (from.thread == to.thread && a < b) return true;
    if (from.is_access() && to.is_access() && from.location == to.location) {
      if (before_.has(a, b)) return true;
      if (to.writes && order_.links_[a - 1].position < order_.links_[b - 1].position) return true;
    }
    return between_elsewhere(a, b);
  }

  /// What psc leads to from a seq_cst event.
  void add_psc(Index strong, Relation& psc) const {
    const bool is_fence = !order_.at(strong).is_access();
    std::vector<Index> from{strong};
    for (Index e = 1; is_fence && e <= events_; ++e) {
      if (before_.has(strong, e)) from.push_back(e);
    }
    for (Index e = 1; e <= events_; ++e) {
      const bool first = std::ranges::any_of(from, [&](Index f) { return comes_first(f, e); });
      const bool seen = is_fence && std::ranges::any_of(from, [&](Index f) { return order_.is_seen(f, e); });
      if (first && order_.at(e).strong) psc.add(strong, e);
      for (const Index fence : order_.strong_fences_) {
        if ((first || seen) && before_.has(e, fence)) psc.add(strong, fence);
        if (is_fence && before_.has(strong, fence)) psc.add(strong, fence);
      }
    }
  }

  const StrongOrder& order_;
  const Index events_;
  std::vector<Moment> moments_;
  Relation before_;
};

bool StrongOrder::allows(std::span<const Moment> moments, std::span<const Added> added) {
  link();
  return !WithCallers(*this, moments, added).psc_has_circle();
}

}  // namespace muster
