// Classes that give handles: two owners of one slot are seen, and what is right passes, however values come again.

#include <atomic>
#include <map>
#include <memory>
#include <muster/check.hpp>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

// ---- numbers ----

/// Gives the lowest slot that is free.
class Pool {
 public:
  int acquire() {
    const std::lock_guard lock{mutex_};
    int slot = 0;
    while (taken_[slot]) ++slot;
    taken_[slot] = true;
    return slot;
  }
  void release(int slot) {
    const std::lock_guard lock{mutex_};
    taken_[slot] = false;
  }

 private:
  std::mutex mutex_;
  bool taken_[16] = {};
};

/// Two threads that read `next_` at once get the same slot.
template <bool yields>
class TwicePool {
 public:
  int acquire() {
    const int slot = next_.load();
    if (yields) std::this_thread::yield();
    next_.store(slot + 1);
    return slot;
  }
  void release(int) {}

 private:
  std::atomic<int> next_{0};
};
using CarelessPool = TwicePool<false>;

template <class P>
void check_pool(muster::Check& check) {
  auto pool = check.object<P>();
  auto slot = pool.template slot<int>("slot");
  pool.operation("acquire", &P::acquire).gives(slot);
  pool.operation("release", &P::release).takes(slot);
}

MUSTER_CHECK(pool) { check_pool<Pool>(check); }
MUSTER_CHECK(careless_pool) { check_pool<CarelessPool>(check); }
MUSTER_CHECK(yielding_pool) { check_pool<TwicePool<true>>(check); }

// ---- false ----

class Gate {
 public:
  bool try_enter() { return !taken_.exchange(true); }
  void leave(bool) { taken_.store(false); }

 private:
  std::atomic<bool> taken_{false};
};

MUSTER_CHECK(gate) {
  auto gate = check.object<Gate>();
  auto in = gate.slot<bool>("in");
  gate.operation("try_enter", &Gate::try_enter).gives(in);
  gate.operation("leave", &Gate::leave).takes(in);
}

// ---- pointers, whose memory comes again ----

class Nodes {
 public:
  int* acquire() { return new int{0}; }
  void release(int* node) { delete node; }
};

MUSTER_CHECK(nodes) {
  auto nodes = check.object<Nodes>();
  auto node = nodes.slot<int*>("node");
  nodes.operation("acquire", &Nodes::acquire).gives(node);
  nodes.operation("release", &Nodes::release).takes(node);
}

/// What was released is given again, the last one first.
class Recycler {
 public:
  ~Recycler() {
    for (int* node : all_) delete node;
  }
  int* acquire() {
    const std::lock_guard lock{mutex_};
    if (free_.empty()) return all_.emplace_back(new int{0});
    int* const node = free_.back();
    free_.pop_back();
    return node;
  }
  /// How many are free then.
  std::size_t release(int* node) {
    const std::lock_guard lock{mutex_};
    free_.push_back(node);
    return free_.size();
  }

 private:
  std::mutex mutex_;
  std::vector<int*> free_, all_;
};

MUSTER_CHECK(recycler) {
  auto nodes = check.object<Recycler>();
  auto node = nodes.slot<int*>("node");
  nodes.operation("acquire", &Recycler::acquire).gives(node);
  nodes.operation("release", &Recycler::release).takes(node);
}

// ---- pointers that owners share ----

class Entries {
 public:
  std::shared_ptr<int> find(const std::string& key) {
    const std::lock_guard lock{mutex_};
    auto& entry = entries_[key];
    if (!entry) entry = std::make_shared<int>(0);
    return entry;
  }
  /// How often it was visited.
  int visit(const std::shared_ptr<int>& entry) {
    const std::lock_guard lock{mutex_};
    return ++*entry;
  }

 protected:
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<int>> entries_;
};

/// Makes an entry outside the lock: the second of two threads replaces what the first one has.
class HastyEntries : public Entries {
 public:
  std::shared_ptr<int> find(const std::string& key) {
    if (auto found = look_up(key)) return found;
    auto made = std::make_shared<int>(0);
    const std::lock_guard lock{mutex_};
    return entries_[key] = std::move(made);
  }

 private:
  std::shared_ptr<int> look_up(const std::string& key) {
    const std::lock_guard lock{mutex_};
    const auto found = entries_.find(key);
    return found == entries_.end() ? nullptr : found->second;
  }
};

template <class E>
void check_entries(muster::Check& check) {
  auto entries = check.object<E>();
  auto entry = entries.template slot<std::shared_ptr<int>>("entry");
  entries.operation("find", &E::find).with(std::string("k")).gives(entry);
  entries.operation("visit", [](E& e, std::shared_ptr<int>& held) { return e.visit(held); }).borrows(entry);
  entries.operation("drop", [](E&, std::shared_ptr<int> held) { held.reset(); }).takes(entry);
}

MUSTER_CHECK(entries) { check_entries<Entries>(check); }
MUSTER_CHECK(hasty_entries) { check_entries<HastyEntries>(check); }

// ---- handles that own ----

/// Its slot is given back when it is destroyed.
template <class P>
class Lease {
 public:
  Lease() = default;
  Lease(P& pool, int slot) : pool_(&pool), slot_(slot) {}
  Lease(Lease&& other) noexcept : pool_(std::exchange(other.pool_, nullptr)), slot_(other.slot_) {}
  ~Lease() {
    if (pool_) pool_->release(slot_);
  }
  int slot() const { return slot_; }

 private:
  P* pool_ = nullptr;
  int slot_ = 0;
};

template <class P, class... What>
void check_leases(muster::Check& check, What... tells_apart) {
  auto pool = check.object<P>();
  auto lease = pool.template slot<Lease<P>>("lease", tells_apart...);
  pool.operation("acquire", [](P& p) { return Lease<P>(p, p.acquire()); }).gives(lease);
  pool.operation("slot", [](P&, Lease<P>& l) { return l.slot() < 16; }).borrows(lease);
  pool.operation("end", [](P&, Lease<P>&& l) { Lease<P> ended(std::move(l)); }).takes(lease);
}

MUSTER_CHECK(leases) {
  check_leases<Pool>(check, [](const Lease<Pool>& lease) { return lease.slot(); });
}
MUSTER_CHECK(careless_leases) {
  check_leases<CarelessPool>(check, [](const Lease<CarelessPool>& lease) { return lease.slot(); });
}
/// Nothing says what tells them apart.
MUSTER_CHECK(careless_unknown_leases) { check_leases<CarelessPool>(check); }

// ---- structs ----

/// All that `acquire` of a pool gives, as a value of several parts.
template <class P>
void check_cells(muster::Check& check) {
  using Handle = std::pair<std::optional<int>, std::string>;
  auto pool = check.object<P>();
  auto cell = pool.template slot<Handle>("cell");
  pool.operation("acquire", [](P& p) { return Handle(p.acquire(), "cell"); }).gives(cell);
  pool.operation("release", [](P& p, Handle h) { p.release(*h.first); }).takes(cell);
}

MUSTER_CHECK(pool_of_cells) { check_cells<Pool>(check); }
MUSTER_CHECK(careless_pool_of_cells) { check_cells<CarelessPool>(check); }

}  // namespace
