// Algorithms without locks that are right by the memory model, not by luck.
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <muster/scenario.hpp>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "two_threads.hpp"

using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

// Boehm's: the data are relaxed atomics, and fences order them with the counter.
MUSTER_SCENARIO(seqlock_with_fences) {
  std::atomic<unsigned> version{0};
  std::atomic<int> first{0}, second{0};
  in_two_threads(
      [&] {
        const unsigned before = version.load(memory_order_relaxed);
        version.store(before + 1, memory_order_relaxed);
        std::atomic_thread_fence(memory_order_release);
        first.store(1, memory_order_relaxed);
        second.store(1, memory_order_relaxed);
        version.store(before + 2, memory_order_release);
      },
      [&] {
        const unsigned before = version.load(memory_order_acquire);
        const int a = first.load(memory_order_relaxed), b = second.load(memory_order_relaxed);
        std::atomic_thread_fence(memory_order_acquire);
        if (before % 2 == 0 && version.load(memory_order_relaxed) == before) MUSTER_REQUIRE(a == b);
      });
}

// Popped nodes are kept until nobody can be looking at them any more.
MUSTER_SCENARIO(stack_with_deferred_frees) {
  struct Node {
    int value;
    Node* next;
    Node* next_retired = nullptr;  // `next` may still be read
  };
  struct Stack {
    std::atomic<Node*> head{nullptr};
    std::atomic<int> inside{0};
    std::atomic<Node*> retired{nullptr};

    void push(int value) {
      Node* node = new Node{value, head.load(memory_order_relaxed)};
      while (!head.compare_exchange_weak(node->next, node, memory_order_release, memory_order_relaxed)) {
      }
    }
    std::optional<int> pop() {
      inside.fetch_add(1);
      Node* node = head.load();
      while (node && !head.compare_exchange_weak(node, node->next)) {
      }
      std::optional<int> value;
      if (node) value = node->value;
      retire(node);
      return value;
    }
    void retire(Node* node) {
      Node* mine = retired.exchange(nullptr);
      if (node) node->next_retired = mine, mine = node;
      if (inside.fetch_sub(1) == 1) return free_all(mine, &Node::next_retired);
      if (!mine) return;
      Node* last = mine;
      while (last->next_retired) last = last->next_retired;
      last->next_retired = retired.load();
      while (!retired.compare_exchange_weak(last->next_retired, mine)) {
      }
    }
    static void free_all(Node* list, Node* Node::*next) {
      while (list) delete std::exchange(list, list->*next);
    }
    ~Stack() {
      free_all(head, &Node::next);
      free_all(retired, &Node::next_retired);
    }
  };
  Stack stack;
  stack.push(1);
  stack.push(2);
  std::atomic<int> sum{0};
  const auto take = [&] { sum += stack.pop().value_or(100); };
  in_two_threads(take, take);
  MUSTER_REQUIRE(sum == 3);
}

// The reader says what it looks at and looks again; the writer frees what nobody looks at.
MUSTER_SCENARIO(hazard_pointer) {
  std::atomic<int*> current{new int(1)};
  std::atomic<int*> hazard{nullptr};
  std::vector<int*> kept;
  in_two_threads(
      [&] {
        int* seen = current.load();
        for (int* again = nullptr; again != seen;) {
          again = seen;
          hazard.store(seen);
          seen = current.load();
        }
        MUSTER_REQUIRE(*seen == 1 || *seen == 2);
        hazard.store(nullptr, memory_order_release);
      },
      [&] {
        int* old = current.exchange(new int(2));
        if (hazard.load() == old) {
          kept.push_back(old);
        } else {
          delete old;
        }
      });
  delete current.load();
  for (int* old : kept) delete old;
}

// MCS: each waits at a node of its own.
MUSTER_SCENARIO(queue_lock) {
  struct Node {
    std::atomic<Node*> next{nullptr};
    std::atomic<bool> waits{false};
  };
  std::atomic<Node*> tail{nullptr};
  int value = 0;
  const auto add = [&] {
    Node mine;
    if (Node* before = tail.exchange(&mine, memory_order_acq_rel)) {
      mine.waits.store(true, memory_order_relaxed);
      before->next.store(&mine, memory_order_release);
      while (mine.waits.load(memory_order_acquire)) std::this_thread::yield();
    }
    ++value;
    Node* self = &mine;
    if (tail.compare_exchange_strong(self, nullptr, memory_order_acq_rel)) return;
    Node* next = nullptr;
    while (!(next = mine.next.load(memory_order_acquire))) std::this_thread::yield();
    next->waits.store(false, memory_order_release);
  };
  in_two_threads(add, add);
  MUSTER_REQUIRE(value == 2);
}

// CLH: each waits at the node of the one before, and goes on with that node.
MUSTER_SCENARIO(implicit_queue_lock) {
  struct Node {
    std::atomic<bool> taken{false};
  };
  std::atomic<Node*> tail{new Node};
  int value = 0;
  const auto add = [&] {
    Node* mine = new Node;
    mine->taken.store(true, memory_order_relaxed);
    Node* before = tail.exchange(mine, memory_order_acq_rel);
    while (before->taken.load(memory_order_acquire)) {
    }
    delete before;
    ++value;
    mine->taken.store(false, memory_order_release);
  };
  in_two_threads(add, add);
  MUSTER_REQUIRE(value == 2);
  delete tail.load();
}

// Lamport's: one who writes the one index, one who writes the other, each with a copy of the other's.
MUSTER_SCENARIO(ring_of_one_producer_and_one_consumer) {
  struct Ring {
    std::array<std::unique_ptr<int>, 2> slots;
    alignas(64) std::atomic<unsigned> head{0};
    alignas(64) std::atomic<unsigned> tail{0};
    bool push(std::unique_ptr<int>& item) {
      const unsigned at = tail.load(memory_order_relaxed);
      if (at - head.load(memory_order_acquire) == slots.size()) return false;
      slots[at % slots.size()] = std::move(item);
      tail.store(at + 1, memory_order_release);
      return true;
    }
    std::unique_ptr<int> pop() {
      const unsigned at = head.load(memory_order_relaxed);
      if (at == tail.load(memory_order_acquire)) return nullptr;
      std::unique_ptr<int> item = std::move(slots[at % slots.size()]);
      head.store(at + 1, memory_order_release);
      return item;
    }
  };
  Ring ring;
  int taken = 0;
  in_two_threads(
      [&] {
        for (int i = 1; i <= 3; ++i) {
          auto item = std::make_unique<int>(i);
          while (!ring.push(item)) std::this_thread::yield();
        }
      },
      [&] {
        while (taken < 3) {
          const std::unique_ptr<int> item = ring.pop();
          if (!item) {
            std::this_thread::yield();
            continue;
          }
          MUSTER_REQUIRE(*item == ++taken);
        }
      });
  MUSTER_REQUIRE(taken == 3);
}

// A tag beside the index makes each state of the list different, so nobody mistakes an old one for the present one.
MUSTER_SCENARIO(tagged_free_list) {
  struct Head {
    std::uint32_t index, tag;
  };
  std::array<std::atomic<std::uint32_t>, 3> next{1, 2, 3};
  std::atomic<Head> head{Head{0, 0}};
  std::array<int, 3> used{};
  const auto use = [&] {
    Head seen = head.load();
    while (!head.compare_exchange_weak(seen, {next[seen.index].load(memory_order_relaxed), seen.tag + 1})) {
    }
    MUSTER_REQUIRE(used[seen.index]++ == 0);
    --used[seen.index];
    const std::uint32_t mine = seen.index;
    seen = head.load();
    do next[mine].store(seen.index, memory_order_relaxed);
    while (!head.compare_exchange_weak(seen, {mine, seen.tag + 1}));
  };
  in_two_threads(use, use);
}

// The writer waits until those who may see the old version have left.
MUSTER_SCENARIO(read_copy_update) {
  std::atomic<const int*> current{new int(1)};
  std::atomic<unsigned> reading{0};  // even: outside
  std::thread reader([&] {
    reading.fetch_add(1);
    MUSTER_REQUIRE(*current.load() > 0);
    reading.fetch_add(1, memory_order_release);
  });
  const int* old = current.exchange(new int(2));
  const unsigned seen = reading.load();
  if (seen % 2 != 0) {
    while (reading.load(memory_order_acquire) == seen) std::this_thread::yield();
  }
  delete old;
  reader.join();
  delete current.load();
}

// Handed over and back, without a lock, by a pointer that only one of the two may use at a time.
MUSTER_SCENARIO(owner_handed_over_and_back) {
  std::atomic<std::vector<int>*> there{nullptr}, back{nullptr};
  std::thread other([&] {
    std::vector<int>* mine = nullptr;
    while (!(mine = there.exchange(nullptr, memory_order_acquire))) std::this_thread::yield();
    mine->push_back(2);
    back.store(mine, memory_order_release);
  });
  auto items = std::make_unique<std::vector<int>>(1, 1);
  there.store(items.release(), memory_order_release);
  std::vector<int>* returned = nullptr;
  while (!(returned = back.load(memory_order_acquire))) std::this_thread::yield();
  items.reset(returned);
  MUSTER_REQUIRE((*items == std::vector<int>{1, 2}));
  other.join();
}

// Waits on the word only while nothing has happened since it looked.
MUSTER_SCENARIO(event_count) {
  std::atomic<unsigned> events{0};
  std::atomic<bool> there{false};
  int data = 0;
  std::thread waiter([&] {
    while (true) {
      const unsigned seen = events.load(memory_order_acquire);
      if (there.load(memory_order_acquire)) break;
      events.wait(seen, memory_order_acquire);
    }
    MUSTER_REQUIRE(data == 1);
  });
  data = 1;
  there.store(true, memory_order_release);
  events.fetch_add(1, memory_order_release);
  events.notify_all();
  waiter.join();
}
