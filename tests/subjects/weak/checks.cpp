// Classes whose operations leave the order of others open: some must be judged by what their callers can know.
#include <atomic>
#include <cstdint>
#include <muster/synchronisation.hpp>
#include <optional>

namespace {

/// Two flags: whoever sets one and then looks at the other may be seen, or see.
template <std::memory_order Load, std::memory_order Store>
class Flags {
 public:
  void set_first() { first_.store(true, Store); }
  void set_second() { second_.store(true, Store); }
  bool first() const { return first_.load(Load); }
  bool second() const { return second_.load(Load); }

 private:
  std::atomic<bool> first_{false}, second_{false};
};

template <std::memory_order Load, std::memory_order Store>
void check_flags(muster::Check& check) {
  using Two = Flags<Load, Store>;
  auto flags = check.object<Two>();
  flags.operation("SetFirst", &Two::set_first);
  flags.operation("SetSecond", &Two::set_second);
  flags.operation("First", &Two::first);
  flags.operation("Second", &Two::second);
}

/// The same as a spec of operations each of which synchronises with nobody.
struct FlagsSpec {
  bool first = false, second = false;
  bool operator==(const FlagsSpec&) const = default;
  void set_first(muster::Unit) { first = true; }
  void set_second(muster::Unit) { second = true; }
  bool is_first(muster::Unit) { return first; }
  bool is_second(muster::Unit) { return second; }
};

template <std::memory_order Load, std::memory_order Store>
void check_flags_meet(muster::Check& check) {
  check_flags<Load, Store>(check);
  muster::synchronises<FlagsSpec>(check)
      .mode({"SetFirst"}, &FlagsSpec::set_first)
      .mode({"SetSecond"}, &FlagsSpec::set_second)
      .mode({"First"}, &FlagsSpec::is_first)
      .mode({"Second"}, &FlagsSpec::is_second);
}

/// Flags, and numbers that are given out and come back.
template <std::memory_order Load, std::memory_order Store>
class Desk : public Flags<Load, Store> {
 public:
  int take() { return taken_.fetch_add(1, std::memory_order_relaxed); }

 private:
  std::atomic<int> taken_{0};
};

template <std::memory_order Load, std::memory_order Store>
void check_desk(muster::Check& check) {
  using Two = Desk<Load, Store>;
  auto desk = check.object<Two>();
  auto number = desk.template slot<int>("number");
  desk.operation("SetFirst", &Two::set_first);
  desk.operation("SetSecond", &Two::set_second);
  desk.operation("First", &Two::first);
  desk.operation("Second", &Two::second);
  desk.operation("Take", &Two::take).gives(number);
}

/// Whoever looks may see what is old, unless something else tells it better. Pinging does not.
class LazyFlag {
 public:
  void set() { set_.store(true, std::memory_order_relaxed); }
  bool get() const { return set_.load(std::memory_order_relaxed); }
  void ping() { pings_.fetch_add(1, std::memory_order_relaxed); }

 private:
  std::atomic<bool> set_{false};
  std::atomic<int> pings_{0};
};

struct LazyFlagSpec {
  bool is_set = false;
  bool operator==(const LazyFlagSpec&) const = default;
  void set(muster::Unit) { is_set = true; }
  bool get(muster::Unit) { return is_set; }
  void ping(muster::Unit) {}
};

void check_lazy_flag(muster::Check& check) {
  auto flag = check.object<LazyFlag>();
  flag.operation("Set", &LazyFlag::set);
  flag.operation("Get", &LazyFlag::get);
  flag.operation("Ping", &LazyFlag::ping);
}

class LazyDesk : public LazyFlag {
 public:
  int take() { return taken_.fetch_add(1, std::memory_order_relaxed); }

 private:
  std::atomic<int> taken_{0};
};

enum class Strong : std::uint8_t { nowhere, elsewhere, fences };

/// A value and a count, which may come before it: who knows the count from somebody else may then miss the value. Not
/// with seq_cst fences between the two and on both ways out, as long as they are callers who order that.
template <Strong where>
class Counted {
 public:
  void post(int value) {
    value_.store(value, std::memory_order_relaxed);
    fence();
    count_.store(1, std::memory_order_relaxed);
  }
  int count() {
    const int count = count_.load(std::memory_order_relaxed);
    fence();
    if constexpr (where == Strong::elsewhere) other_.store(1);
    return count;
  }
  int last() {
    fence();
    return count_.load(std::memory_order_relaxed) == 0 ? 0 : value_.load(std::memory_order_relaxed);
  }

 private:
  void fence() {
    if constexpr (where == Strong::fences) std::atomic_thread_fence(std::memory_order_seq_cst);
  }
  std::atomic<int> count_{0}, value_{0}, other_{0};
};

template <Strong where>
void check_counted(muster::Check& check) {
  auto board = check.object<Counted<where>>();
  board.operation("Post", &Counted<where>::post).with(1);
  board.operation("Count", &Counted<where>::count);
  board.operation("Last", &Counted<where>::last);
}

/// Its nodes are its own, and never used twice.
class ReleaseStack {
 public:
  void push(int value) {
    Node& node = nodes_[used_.fetch_add(1, std::memory_order_relaxed)];
    node.value = value;
    Node* head = head_.load(std::memory_order_relaxed);
    do {
      node.next.store(head, std::memory_order_relaxed);
    } while (!head_.compare_exchange_weak(head, &node, std::memory_order_release, std::memory_order_relaxed));
  }
  std::optional<int> pop() {
    Node* head = head_.load(std::memory_order_acquire);
    while (head != nullptr && !head_.compare_exchange_weak(head, head->next.load(std::memory_order_relaxed),
                                                           std::memory_order_acquire, std::memory_order_acquire)) {
    }
    return head ? std::optional(head->value) : std::nullopt;
  }

 private:
  struct Node {
    int value = 0;
    std::atomic<Node*> next{nullptr};
  };
  Node nodes_[16];
  std::atomic<unsigned> used_{0};
  std::atomic<Node*> head_{nullptr};
};

/// One writes, the other reads a count that says how much there is. The count comes too early, or by the wrong order.
template <std::memory_order Publish>
class Board {
 public:
  void post(int value) {
    const int at = count_.load(std::memory_order_relaxed);
    values_[at].store(value, std::memory_order_relaxed);
    count_.store(at + 1, Publish);
  }
  int last() const {
    const int count = count_.load(std::memory_order_acquire);
    return count == 0 ? 0 : values_[count - 1].load(std::memory_order_relaxed);
  }

 private:
  std::atomic<int> count_{0}, values_[8] = {};
};

template <std::memory_order Publish>
void check_board(muster::Check& check) {
  auto board = check.object<Board<Publish>>();
  board.operation("Post", &Board<Publish>::post).with(1).with(2);
  board.operation("Last", &Board<Publish>::last);
}

}  // namespace

MUSTER_CHECK(flags_acquire) { check_flags<std::memory_order_acquire, std::memory_order_release>(check); }
MUSTER_CHECK(flags_seq_cst) { check_flags<std::memory_order_seq_cst, std::memory_order_seq_cst>(check); }
MUSTER_CHECK(flags_meet_acquire) { check_flags_meet<std::memory_order_acquire, std::memory_order_release>(check); }
MUSTER_CHECK(flags_meet_seq_cst) { check_flags_meet<std::memory_order_seq_cst, std::memory_order_seq_cst>(check); }
MUSTER_CHECK(desk_acquire) { check_desk<std::memory_order_acquire, std::memory_order_release>(check); }
MUSTER_CHECK(desk_seq_cst) { check_desk<std::memory_order_seq_cst, std::memory_order_seq_cst>(check); }
MUSTER_CHECK(lazy_flag) { check_lazy_flag(check); }
MUSTER_CHECK(lazy_flag_meets) {
  check_lazy_flag(check);
  muster::synchronises<LazyFlagSpec>(check)
      .mode({"Set"}, &LazyFlagSpec::set)
      .mode({"Get"}, &LazyFlagSpec::get)
      .mode({"Ping"}, &LazyFlagSpec::ping);
}
MUSTER_CHECK(lazy_desk) {
  auto desk = check.object<LazyDesk>();
  auto number = desk.slot<int>("number");
  desk.operation("Set", &LazyDesk::set);
  desk.operation("Get", &LazyDesk::get);
  desk.operation("Ping", &LazyDesk::ping);
  desk.operation("Take", &LazyDesk::take).gives(number);
}
MUSTER_CHECK(counted) { check_counted<Strong::nowhere>(check); }
MUSTER_CHECK(counted_strong_elsewhere) { check_counted<Strong::elsewhere>(check); }
MUSTER_CHECK(counted_between_fences) { check_counted<Strong::fences>(check); }
MUSTER_CHECK(stack_by_release) {
  auto stack = check.object<ReleaseStack>();
  stack.operation("Push", &ReleaseStack::push).with(1).with(2);
  stack.operation("Pop", &ReleaseStack::pop);
}
MUSTER_CHECK(board_relaxed) { check_board<std::memory_order_relaxed>(check); }
MUSTER_CHECK(board_release) { check_board<std::memory_order_release>(check); }
