// Classes whose operations leave the order of others open: some must be judged by what their callers can know.
#include <atomic>
#include <muster/check.hpp>
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
MUSTER_CHECK(lazy_flag) {
  auto flag = check.object<LazyFlag>();
  flag.operation("Set", &LazyFlag::set);
  flag.operation("Get", &LazyFlag::get);
  flag.operation("Ping", &LazyFlag::ping);
}
MUSTER_CHECK(stack_by_release) {
  auto stack = check.object<ReleaseStack>();
  stack.operation("Push", &ReleaseStack::push).with(1).with(2);
  stack.operation("Pop", &ReleaseStack::pop);
}
MUSTER_CHECK(board_relaxed) { check_board<std::memory_order_relaxed>(check); }
MUSTER_CHECK(board_release) { check_board<std::memory_order_release>(check); }
