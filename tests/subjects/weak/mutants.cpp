// Four structures with the orders that they need, and each with one of its orders weakened to relaxed: `treiber_0` is
// as it should be, `treiber_2` has its second order weakened.
#include <array>
#include <atomic>
#include <memory>
#include <muster/scenario.hpp>
#include <optional>
#include <thread>

namespace {

using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

template <int Weakened>
constexpr std::memory_order order(int number, std::memory_order wanted) {
  return number == Weakened ? memory_order_relaxed : wanted;
}

struct Node {
  int value = 0;
  std::atomic<Node*> next{nullptr};
};

template <int Weakened>
class Treiber {
 public:
  static constexpr auto o = order<Weakened>;
  void push(Node& node) {
    Node* head = head_.load(memory_order_relaxed);
    do {
      node.next.store(head, memory_order_relaxed);
    } while (!head_.compare_exchange_weak(head, &node, o(1, memory_order_release), memory_order_relaxed));
  }
  int pop() {
    Node* head = head_.load(o(2, memory_order_acquire));
    while (head != nullptr && !head_.compare_exchange_weak(head, head->next.load(memory_order_relaxed),
                                                           o(3, memory_order_acquire), o(4, memory_order_acquire))) {
    }
    return head ? head->value : 0;
  }

 private:
  std::atomic<Node*> head_{nullptr};
};

template <int Weakened>
class MichaelScott {
 public:
  static constexpr auto o = order<Weakened>;
  void push(Node& node) {
    for (;;) {
      Node* tail = tail_.load(o(1, memory_order_acquire));
      Node* next = tail->next.load(o(2, memory_order_acquire));
      if (next != nullptr) {
        tail_.compare_exchange_strong(tail, next, o(3, memory_order_release), memory_order_relaxed);
      } else if (tail->next.compare_exchange_strong(next, &node, o(4, memory_order_release), memory_order_relaxed)) {
        tail_.compare_exchange_strong(tail, &node, o(5, memory_order_release), memory_order_relaxed);
        return;
      }
    }
  }
  int pop() {
    for (;;) {
      Node* head = head_.load(o(6, memory_order_acquire));
      Node* next = head->next.load(o(7, memory_order_acquire));
      if (next == nullptr) return 0;
      const int value = next->value;
      if (head_.compare_exchange_strong(head, next, o(8, memory_order_acq_rel), memory_order_relaxed)) return value;
    }
  }

 private:
  Node first_;
  std::atomic<Node*> head_{&first_}, tail_{&first_};
};

/// A bounded queue of two places, each with a turn (Vyukov).
template <int Weakened>
class Ring {
 public:
  static constexpr auto o = order<Weakened>;
  bool push(int value) {
    for (unsigned at = in_.load(memory_order_relaxed);;) {
      Place& place = places_[at % places_.size()];
      const unsigned turn = place.turn.load(o(1, memory_order_acquire));
      if (turn == at) {
        if (!in_.compare_exchange_weak(at, at + 1, memory_order_relaxed)) continue;
        place.value = value;
        place.turn.store(at + 1, o(2, memory_order_release));
        return true;
      }
      if (static_cast<int>(turn - at) < 0) return false;
      at = in_.load(memory_order_relaxed);
    }
  }
  int pop() {
    for (unsigned at = out_.load(memory_order_relaxed);;) {
      Place& place = places_[at % places_.size()];
      const unsigned turn = place.turn.load(o(3, memory_order_acquire));
      if (turn == at + 1) {
        if (!out_.compare_exchange_weak(at, at + 1, memory_order_relaxed)) continue;
        const int value = place.value;
        place.turn.store(at + static_cast<unsigned>(places_.size()), o(4, memory_order_release));
        return value;
      }
      if (static_cast<int>(turn - (at + 1)) < 0) return 0;
      at = out_.load(memory_order_relaxed);
    }
  }

 private:
  struct Place {
    std::atomic<unsigned> turn;
    int value = 0;
  };
  std::array<Place, 2> places_{{{0}, {1}}};
  std::atomic<unsigned> in_{0}, out_{0};
};

/// A deque whose owner pushes and takes at one end, and from whose other end others steal (Lê, Pop, Cohen, Nardelli).
template <int Weakened>
class ChaseLev {
 public:
  void push(int value) {
    const int bottom = bottom_.load(memory_order_relaxed);
    values_[static_cast<unsigned>(bottom) % values_.size()].store(value, memory_order_relaxed);
    if constexpr (Weakened != 1) std::atomic_thread_fence(memory_order_release);
    bottom_.store(bottom + 1, memory_order_relaxed);
  }
  int take() {
    const int bottom = bottom_.load(memory_order_relaxed) - 1;
    bottom_.store(bottom, memory_order_relaxed);
    if constexpr (Weakened != 2) std::atomic_thread_fence(memory_order_seq_cst);
    int top = top_.load(memory_order_relaxed);
    if (top > bottom) {
      bottom_.store(bottom + 1, memory_order_relaxed);
      return 0;
    }
    int value = values_[static_cast<unsigned>(bottom) % values_.size()].load(memory_order_relaxed);
    if (top == bottom) {
      if (!top_.compare_exchange_strong(top, top + 1, order<Weakened>(3, memory_order_seq_cst), memory_order_relaxed))
        value = 0;
      bottom_.store(bottom + 1, memory_order_relaxed);
    }
    return value;
  }
  int steal() {
    int top = top_.load(order<Weakened>(4, memory_order_acquire));
    if constexpr (Weakened != 5) std::atomic_thread_fence(memory_order_seq_cst);
    const int bottom = bottom_.load(order<Weakened>(6, memory_order_acquire));
    if (top >= bottom) return 0;
    const int value = values_[static_cast<unsigned>(top) % values_.size()].load(memory_order_relaxed);
    const bool won =
        top_.compare_exchange_strong(top, top + 1, order<Weakened>(7, memory_order_seq_cst), memory_order_relaxed);
    return won ? value : 0;
  }

 private:
  std::atomic<int> top_{0}, bottom_{0};
  std::array<std::atomic<int>, 4> values_{};
};

/// Two that each put a node and get one.
template <class Container>
void exchange_nodes() {
  Node nodes[2];
  nodes[1].value = 2;
  Container container;
  int got = 0;
  std::thread other{[&] {
    nodes[0].value = 1;
    container.push(nodes[0]);
    got = container.pop();
  }};
  container.push(nodes[1]);
  const int own = container.pop();
  other.join();
  MUSTER_REQUIRE(own + got == 3 && own * got == 2);
}

/// Nodes that others made, for one who put nothing.
template <class Container>
void take_nodes() {
  Container container;
  std::unique_ptr<Node> nodes[2];
  const auto put = [&](unsigned i) {
    nodes[i] = std::make_unique<Node>();
    nodes[i]->value = static_cast<int>(i + 1);
    container.push(*nodes[i]);
  };
  std::thread first{put, 0}, second{put, 1};
  const int got = container.pop();
  first.join();
  second.join();
  MUSTER_REQUIRE(got <= 2);
}

/// Three that only put nodes: each may find what another one has begun, or what a third one has finished for it.
template <class Container>
void put_nodes() {
  Container container;
  std::unique_ptr<Node> nodes[3];
  const auto put = [&](unsigned i) {
    nodes[i] = std::make_unique<Node>();
    nodes[i]->value = 1;
    container.push(*nodes[i]);
  };
  std::thread first{put, 0}, second{put, 1};
  put(2);
  first.join();
  second.join();
  int got = 0;
  while (container.pop() != 0) ++got;
  MUSTER_REQUIRE(got == 3);
}

template <class Container>
void take_value() {
  Container ring;
  std::thread other{[&] { ring.push(1); }};
  const int got = ring.pop();
  other.join();
  MUSTER_REQUIRE(got <= 1);
}

/// Three values through two places: the third one waits for a place to be free again.
template <class Container>
void use_ring() {
  Container ring;
  ring.push(1);
  ring.push(2);
  int got = 0;
  std::thread other{[&] { got = ring.pop(); }};
  const bool put = ring.push(3);
  other.join();
  int sum = got;
  while (const int value = ring.pop()) sum += value;
  MUSTER_REQUIRE(sum == (put ? 6 : 3));
}

/// Each value comes out once.
template <class Container>
void use_deque() {
  Container deque;
  int stolen[2] = {};
  std::atomic<bool> seen[5] = {};
  const auto use = [&](int value) { MUSTER_REQUIRE(value == 0 || !seen[value].exchange(true, memory_order_relaxed)); };
  std::thread thief{[&] {
    for (int& value : stolen) value = deque.steal();
  }};
  deque.push(1);
  deque.push(2);
  const int first = deque.take(), second = deque.take();
  thief.join();
  for (const int value : {first, second, stolen[0], stolen[1]}) use(value);
  MUSTER_REQUIRE(first + second + stolen[0] + stolen[1] == 3);
}

}  // namespace

#define MUTANT(name, number, use, type) \
  MUSTER_SCENARIO(name##_##number) { use<type<number>>(); }
MUTANT(treiber, 0, exchange_nodes, Treiber)
MUTANT(treiber, 1, exchange_nodes, Treiber)
MUTANT(treiber, 2, exchange_nodes, Treiber)
MUTANT(treiber, 3, exchange_nodes, Treiber)
MUTANT(treiber, 4, exchange_nodes, Treiber)
MUTANT(michael_scott, 0, exchange_nodes, MichaelScott)
MUTANT(michael_scott, 1, exchange_nodes, MichaelScott)
MUTANT(michael_scott, 2, exchange_nodes, MichaelScott)
MUTANT(michael_scott, 3, exchange_nodes, MichaelScott)
MUTANT(michael_scott, 4, exchange_nodes, MichaelScott)
MUTANT(michael_scott, 5, exchange_nodes, MichaelScott)
MUTANT(michael_scott, 6, exchange_nodes, MichaelScott)
MUTANT(michael_scott, 7, exchange_nodes, MichaelScott)
MUTANT(michael_scott, 8, exchange_nodes, MichaelScott)
MUTANT(michael_scott_put, 0, put_nodes, MichaelScott)
MUTANT(michael_scott_put, 3, put_nodes, MichaelScott)
MUTANT(michael_scott_taken, 0, take_nodes, MichaelScott)
MUTANT(michael_scott_taken, 2, take_nodes, MichaelScott)
MUTANT(michael_scott_taken, 7, take_nodes, MichaelScott)
MUTANT(ring_taken, 0, take_value, Ring)
MUTANT(ring_taken, 2, take_value, Ring)
MUTANT(ring_taken, 3, take_value, Ring)
MUTANT(ring, 0, use_ring, Ring)
MUTANT(ring, 1, use_ring, Ring)
MUTANT(ring, 2, use_ring, Ring)
MUTANT(ring, 3, use_ring, Ring)
MUTANT(ring, 4, use_ring, Ring)
MUTANT(deque, 0, use_deque, ChaseLev)
MUTANT(deque, 1, use_deque, ChaseLev)
MUTANT(deque, 2, use_deque, ChaseLev)
MUTANT(deque, 3, use_deque, ChaseLev)
MUTANT(deque, 4, use_deque, ChaseLev)
MUTANT(deque, 5, use_deque, ChaseLev)
MUTANT(deque, 6, use_deque, ChaseLev)
MUTANT(deque, 7, use_deque, ChaseLev)
