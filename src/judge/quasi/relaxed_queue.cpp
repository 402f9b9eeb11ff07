#include "judge/quasi/relaxed_queue.hpp"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <numeric>
#include <queue>

namespace muster {
namespace {

using ItemIndex = std::uint32_t;
using Time = std::int64_t;

/// One side of the items: insertions or removals, as intervals. What never happens does so after everything else.
struct Side {
  std::vector<Time> call, ret;
  std::vector<ItemIndex> by_call, by_return;

  Side(const Items& items, Moment Item::*called, Moment Item::*returned) {
    for (const Item& item : items.items) {
      call.push_back(item.*called);
      ret.push_back(item.*returned == never ? Time{never} + 1 : Time{item.*returned});
    }
  }
  void sort() {
    by_call = sorted(call);
    by_return = sorted(ret);
  }
  static std::vector<ItemIndex> sorted(const std::vector<Time>& by) {
    std::vector<ItemIndex> order(by.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](ItemIndex item) { return by[item]; });
    return order;
  }
};

struct Window {
  std::int64_t first, last;
};

/// By item the positions that an order of one side can give it: after all that precede it, before all that it precedes.
std::vector<Window> positions(const Side& side) {
  const auto count = static_cast<std::int64_t>(side.call.size());
  std::vector<Window> windows(side.call.size());
  std::int64_t done = 0;
  for (const ItemIndex item : side.by_call) {
    while (done < count && side.ret[side.by_return[static_cast<std::size_t>(done)]] < side.call[item]) ++done;
    windows[item].first = done;
  }
  std::int64_t begun = 0;
  for (const ItemIndex item : side.by_return) {
    while (begun < count && side.call[side.by_call[static_cast<std::size_t>(begun)]] < side.ret[item]) ++begun;
    windows[item].last = begun - 1;
  }
  return windows;
}

/// Insertions, and removals that begin no earlier than the insertion.
struct Sides {
  Side in, out;
  std::vector<Window> in_window, out_window;

  explicit Sides(const Items& items)
      : in(items, &Item::insert_call, &Item::insert_return), out(items, &Item::remove_call, &Item::remove_return) {
    for (ItemIndex item = 0; item < items.items.size(); ++item)
      out.call[item] = std::max(out.call[item], in.call[item]);
    in.sort();
    out.sort();
    in_window = positions(in);
    out_window = positions(out);
  }

  /// Leaves the positions that some position on the other side is close to; false if an item has none.
  bool narrow(std::int64_t factor) {
    for (ItemIndex item = 0; item < in_window.size(); ++item) {
      Window &a = in_window[item], &b = out_window[item];
      const Window before = a;
      a = {std::max(a.first, b.first - factor), std::min(a.last, b.last + factor)};
      b = {std::max(b.first, before.first - factor), std::min(b.last, before.last + factor)};
      if (a.first > a.last || b.first > b.last) return false;
    }
    return true;
  }
};

/// A place in a fixed row of items: the first that is not done. Moves both ways as items are done and undone.
class EarliestItem {
 public:
  explicit EarliestItem(std::vector<ItemIndex> row) : row_(std::move(row)), place_(row_.size()) {
    for (std::uint32_t at = 0; at < row_.size(); ++at) place_[row_[at]] = at;
  }
  /// `row.size()` if all are done.
  std::uint32_t at(const std::vector<char>& done) {
    while (at_ < row_.size() && done[row_[at_]]) ++at_;
    return at_;
  }
  void undone(ItemIndex item) { at_ = std::min(at_, place_[item]); }
  const std::vector<ItemIndex>& row() const { return row_; }
  std::uint32_t place(ItemIndex item) const { return place_[item]; }

 private:
  std::vector<ItemIndex> row_;
  std::vector<std::uint32_t> place_;
  std::uint32_t at_ = 0;
};

std::vector<ItemIndex> by_last(const std::vector<Window>& windows) {
  std::vector<Time> last;
  for (const Window& window : windows) last.push_back(window.last);
  return Side::sorted(last);
}

/// The two orders are built side by side, the insertion at position p before the removal at p - factor, which can only
/// take what is in by then: a state is what overlaps the front and the few items in between, not the content of the
/// queue.
class SideBySide {
 public:
  SideBySide(Sides sides, unsigned factor, Limits& limits)
      : sides_(std::move(sides)),
        factor_(factor),
        count_(sides_.in.call.size()),
        limits_(limits),
        is_in_(count_),
        is_out_(count_),
        in_by_call_(sides_.in.by_call),
        in_by_return_(sides_.in.by_return),
        in_by_last_(by_last(sides_.in_window)),
        out_by_return_(sides_.out.by_return),
        out_by_last_(by_last(sides_.out_window)) {}

  std::optional<QueueOrders> run() {
    bool forward = true;
    while (orders_.out.size() < count_) {
      if (limits_.hit([&] { return bytes(); })) return std::nullopt;
      if (forward && (!turned_back_ || is_new())) collect();
      forward = try_next();
      if (!forward) return std::nullopt;
    }
    return std::move(orders_);
  }

 private:
  struct Waiting {
    ItemIndex item;
    std::uint32_t position;  ///< among the insertions
    Time ready;              ///< its removal takes effect no earlier
  };
  /// A choice that was made, and what it takes to undo it.
  struct Frame {
    std::uint32_t first_candidate, next_candidate;
    Time now;  ///< before it
    std::uint32_t waiting;
    Waiting chosen;
    bool made = false;
  };

  /// An insertion, until the next removal can take all that it may take.
  bool inserts_next() const {
    return orders_.in.size() < std::min<std::size_t>(count_, orders_.out.size() + factor_ + 1);
  }

  void collect() {
    const auto first = static_cast<std::uint32_t>(candidates_.size());
    if (inserts_next()) {
      collect_insertions();
    } else {
      collect_removals();
    }
    // Taken from the back: the one that must be removed first. A bad guess costs time only.
    std::sort(candidates_.begin() + first, candidates_.end(), [&](ItemIndex a, ItemIndex b) {
      return std::pair(sides_.out.ret[a], a) > std::pair(sides_.out.ret[b], b);
    });
    frames_.push_back({first, static_cast<std::uint32_t>(candidates_.size()), now_, 0, {}, false});
  }

  void collect_insertions() {
    const auto position = static_cast<std::int64_t>(orders_.in.size());
    const ItemIndex urgent = in_by_last_.row()[in_by_last_.at(is_in_)];
    if (sides_.in_window[urgent].last < position) return;
    const bool forced = sides_.in_window[urgent].last == position;
    const Time bound = sides_.in.ret[in_by_return_.row()[in_by_return_.at(is_in_)]];
    const auto& row = in_by_call_.row();
    for (std::uint32_t at = in_by_call_.at(is_in_); at < row.size() && sides_.in.call[row[at]] < bound; ++at) {
      const ItemIndex item = row[at];
      if (is_in_[item] || (forced && item != urgent) || sides_.in_window[item].first > position) continue;
      if (std::max(sides_.out.call[item], latest_call(item)) < sides_.out.ret[item]) candidates_.push_back(item);
    }
  }

  void collect_removals() {
    const auto position = static_cast<std::int64_t>(orders_.out.size());
    const ItemIndex urgent = out_by_last_.row()[out_by_last_.at(is_out_)];
    if (sides_.out_window[urgent].last < position) return;
    const Time bound = sides_.out.ret[out_by_return_.row()[out_by_return_.at(is_out_)]];
    if (now_ >= bound) return;
    const bool overdue = !waiting_.empty() && waiting_.front().position + factor_ == position;
    for (const Waiting& waiting : waiting_) {
      if (waiting.ready >= bound) continue;
      if (overdue && &waiting != &waiting_.front()) continue;
      if (sides_.out_window[urgent].last == position && waiting.item != urgent) continue;
      if (sides_.out_window[waiting.item].first > position) continue;
      candidates_.push_back(waiting.item);
    }
  }

  /// Insertions take effect in their order, so no earlier than the latest call up to this one.
  Time latest_call(ItemIndex item) const {
    return std::max(latest_call_.empty() ? 0 : latest_call_.back(), sides_.in.call[item]);
  }

  bool try_next() {
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      if (frame.made) undo(frame);
      candidates_.resize(frame.next_candidate);
      if (frame.next_candidate > frame.first_candidate) {
        --frame.next_candidate;
        make(frame, candidates_[frame.next_candidate]);
        return true;
      }
      frames_.pop_back();
      turned_back_ = true;
    }
    return false;
  }

  void make(Frame& frame, ItemIndex item) {
    frame.made = true;
    frame.now = now_;
    if (inserts_next()) {
      frame.chosen = {item, static_cast<std::uint32_t>(orders_.in.size()),
                      std::max(sides_.out.call[item], latest_call(item))};
      frame.waiting = never;
      latest_call_.push_back(latest_call(item));
      waiting_.push_back(frame.chosen);
      orders_.in.push_back(item);
      is_in_[item] = 1;
    } else {
      const auto found = std::ranges::find(waiting_, item, &Waiting::item);
      frame.waiting = static_cast<std::uint32_t>(found - waiting_.begin());
      frame.chosen = *found;
      waiting_.erase(found);
      orders_.out.push_back(item);
      is_out_[item] = 1;
      now_ = std::max(now_, frame.chosen.ready);
    }
  }

  void undo(Frame& frame) {
    frame.made = false;
    now_ = frame.now;
    const ItemIndex item = frame.chosen.item;
    if (frame.waiting == never) {
      latest_call_.pop_back();
      waiting_.pop_back();
      orders_.in.pop_back();
      is_in_[item] = 0;
      in_by_call_.undone(item);
      in_by_return_.undone(item);
      in_by_last_.undone(item);
    } else {
      waiting_.insert(waiting_.begin() + frame.waiting, frame.chosen);
      orders_.out.pop_back();
      is_out_[item] = 0;
      out_by_return_.undone(item);
      out_by_last_.undone(item);
    }
  }

  /// Whether this state was not met before with removals that came as early.
  bool is_new() {
    key_.clear();
    const std::uint32_t low = in_by_call_.at(is_in_);
    key_.push_back(static_cast<std::uint32_t>(orders_.out.size()));
    key_.push_back(low);
    // Those inside that were called after the first that is not.
    std::size_t left = orders_.in.size() - low;
    for (std::uint32_t at = low; left > 0; ++at) {
      if (!is_in_[in_by_call_.row()[at]]) continue;
      key_.push_back(at);
      --left;
    }
    key_.push_back(never);
    for (const Waiting& waiting : waiting_) {
      key_.push_back(waiting.item);
      key_.push_back(waiting.position);
      key_.push_back(static_cast<std::uint32_t>(waiting.ready));
    }
    const auto [found, fresh] = seen_.try_emplace(key_, now_);
    if (fresh) key_bytes_ += key_.size() * 4 + 64;
    if (!fresh && found->second <= now_) return false;
    found->second = now_;
    return true;
  }

  std::size_t bytes() const { return key_bytes_ + candidates_.capacity() * 4 + frames_.capacity() * sizeof(Frame); }

  Sides sides_;
  std::uint32_t factor_;
  std::size_t count_;
  Limits& limits_;
  QueueOrders orders_;
  std::vector<char> is_in_, is_out_;
  EarliestItem in_by_call_, in_by_return_, in_by_last_, out_by_return_, out_by_last_;
  std::vector<Time> latest_call_;  ///< by position of an insertion
  std::vector<Waiting> waiting_;   ///< in, not out, by position
  Time now_ = 0;                   ///< the latest moment at which a removal so far takes effect at the earliest
  std::vector<Frame> frames_;
  std::vector<ItemIndex> candidates_;
  std::vector<std::uint32_t> key_;
  absl::flat_hash_map<std::vector<std::uint32_t>, Time> seen_;
  std::size_t key_bytes_ = 0;
  bool turned_back_ = false;  ///< before that nothing can be met twice, and nothing is remembered
};

bool is_ordered(const Side& in) {
  for (std::size_t at = 1; at < in.by_call.size(); ++at) {
    if (in.ret[in.by_call[at - 1]] > in.call[in.by_call[at]]) return false;
  }
  return true;
}

std::optional<QueueOrders> earliest_deadlines(const Sides& sides, unsigned factor) {
  // The removal of the i-th item is a job of one unit between i - factor and i + factor. Where one job precedes
  // another, its release and deadline are made to say so; then taking the earliest deadline first finds an order if
  // there is one.
  const auto count = static_cast<std::int64_t>(sides.in.call.size());
  std::vector<Window> windows(sides.in.call.size());
  for (std::int64_t i = 0; i < count; ++i) {
    windows[sides.in.by_call[static_cast<std::size_t>(i)]] = {i - factor, std::min(count - 1, i + factor)};
  }
  std::int64_t earliest = 0, latest = count - 1;
  std::size_t done = 0;
  for (const ItemIndex item : sides.out.by_call) {
    for (; done < sides.out.by_return.size() && sides.out.ret[sides.out.by_return[done]] < sides.out.call[item]; ++done)
      earliest = std::max(earliest, windows[sides.out.by_return[done]].first + 1);
    windows[item].first = std::max(windows[item].first, earliest);
  }
  std::size_t begun = sides.out.by_call.size();
  for (auto item = sides.out.by_return.rbegin(); item != sides.out.by_return.rend(); ++item) {
    for (; begun > 0 && sides.out.call[sides.out.by_call[begun - 1]] > sides.out.ret[*item]; --begun)
      latest = std::min(latest, windows[sides.out.by_call[begun - 1]].last - 1);
    windows[*item].last = std::min(windows[*item].last, latest);
  }
  std::vector<Time> releases;
  for (const Window& window : windows) releases.push_back(window.first);
  const std::vector<ItemIndex> by_release = Side::sorted(releases);
  using Job = std::pair<std::int64_t, ItemIndex>;
  std::priority_queue<Job, std::vector<Job>, std::greater<>> ready;
  QueueOrders orders{sides.in.by_call, {}};
  std::size_t next = 0;
  for (std::int64_t now = 0; now < count; ++now) {
    for (; next < by_release.size() && releases[by_release[next]] <= now; ++next)
      ready.push({windows[by_release[next]].last, by_release[next]});
    if (ready.empty() || ready.top().first < now) return std::nullopt;
    orders.out.push_back(ready.top().second);
    ready.pop();
  }
  return orders;
}

}  // namespace

std::optional<QueueOrders> relaxed_queue_orders(const Items& items, unsigned factor, Limits& limits) {
  Sides sides(items);
  if (is_ordered(sides.in)) return earliest_deadlines(sides, factor);
  if (!sides.narrow(factor)) return std::nullopt;
  return SideBySide(std::move(sides), factor, limits).run();
}

std::optional<QueueOrders> side_by_side(const Items& items, unsigned factor, Limits& limits) {
  Sides sides(items);
  if (!sides.narrow(factor)) return std::nullopt;
  return SideBySide(std::move(sides), factor, limits).run();
}

Displaced least_displacement(const Items& items) {
  const Sides sides(items);
  Displaced most;
  for (ItemIndex item = 0; item < items.items.size(); ++item) {
    const Window in = sides.in_window[item], out = sides.out_window[item];
    const std::int64_t by = std::max(out.first - in.last, in.first - out.last);
    if (by > std::int64_t{most.by}) most = {static_cast<unsigned>(by), item};
  }
  return most;
}

}  // namespace muster
