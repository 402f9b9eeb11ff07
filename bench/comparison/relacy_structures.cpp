// The stack and the queue of bench/runtime/subjects.cpp for Relacy, written with its types: two threads push, two pop;
// the structure is built and destroyed in every iteration. Usage: relacy_structures treiber|michael_scott, all
// schedules with two preemptions at most.
#include <iostream>
#include <relacy/relacy.hpp>
#include <sstream>
#include <string>

namespace {

constexpr int nothing = -1;

class TreiberStack {
 public:
  TreiberStack() {
    head_.store(nullptr, rl::mo_relaxed, $);
    retired_.store(nullptr, rl::mo_relaxed, $);
  }
  ~TreiberStack() {
    while (pop() != nothing) {
    }
    for (Node* node = retired_.load(rl::mo_relaxed, $); node != nullptr;) {
      Node* const next = node->retired($);
      delete node;
      node = next;
    }
  }
  void push(int value) {
    Node* const node = new Node;
    node->value($) = value;
    Node* next = head_.load(rl::mo_relaxed, $);
    do {
      node->next($) = next;
      // (1) release: publishes the node to the acquire at (2).
    } while (!head_.compare_exchange_weak(next, node, rl::mo_release, rl::mo_relaxed, $));
  }
  int pop() {
    Node* node = head_.load(rl::mo_acquire, $);  // (2)
    while (node != nullptr && !head_.compare_exchange_weak(node, node->next($), rl::mo_acquire, rl::mo_acquire, $)) {
    }
    if (node == nullptr) return nothing;
    const int value = node->value($);
    retire(node);
    return value;
  }

 private:
  struct Node {
    rl::var<int> value;
    rl::var<Node*> next, retired;
  };
  // Freed with the stack: another thread may still read the node.
  void retire(Node* node) {
    Node* before = retired_.load(rl::mo_relaxed, $);
    do {
      node->retired($) = before;
    } while (!retired_.compare_exchange_weak(before, node, rl::mo_acq_rel, rl::mo_acquire, $));
  }
  rl::atomic<Node*> head_, retired_;
};

class MichaelScottQueue {
 public:
  MichaelScottQueue() : first_(make(0)) {
    head_.store(first_, rl::mo_seq_cst, $);
    tail_.store(first_, rl::mo_seq_cst, $);
  }
  ~MichaelScottQueue() {
    for (Node* node = first_; node != nullptr;) {
      Node* const next = node->next.load(rl::mo_seq_cst, $);
      delete node;
      node = next;
    }
  }
  void push(int value) {
    Node* const node = make(value);
    for (;;) {
      Node* tail = tail_.load(rl::mo_seq_cst, $);
      Node* next = tail->next.load(rl::mo_seq_cst, $);
      if (next == nullptr) {
        if (tail->next.compare_exchange_weak(next, node, rl::mo_seq_cst, rl::mo_seq_cst, $)) {
          tail_.compare_exchange_strong(tail, node, rl::mo_seq_cst, rl::mo_seq_cst, $);
          return;
        }
      } else {
        tail_.compare_exchange_strong(tail, next, rl::mo_seq_cst, rl::mo_seq_cst, $);
      }
    }
  }
  int pop() {
    for (;;) {
      Node* head = head_.load(rl::mo_seq_cst, $);
      Node* tail = tail_.load(rl::mo_seq_cst, $);
      Node* next = head->next.load(rl::mo_seq_cst, $);
      if (next == nullptr) return nothing;
      if (head == tail) {
        tail_.compare_exchange_strong(tail, next, rl::mo_seq_cst, rl::mo_seq_cst, $);
        continue;
      }
      const int value = next->value($);
      if (head_.compare_exchange_weak(head, next, rl::mo_seq_cst, rl::mo_seq_cst, $)) return value;
    }
  }

 private:
  struct Node {
    rl::var<int> value;
    rl::atomic<Node*> next;
  };
  static Node* make(int value) {
    Node* const node = new Node;
    node->value($) = value;
    node->next.store(nullptr, rl::mo_relaxed, $);
    return node;
  }
  rl::atomic<Node*> head_, tail_;
  Node* first_;  // nodes are freed with the queue
};

template <class Structure>
struct TwoPushTwoPop : rl::test_suite<TwoPushTwoPop<Structure>, 4> {
  Structure* structure;
  void before() { structure = new Structure; }
  void thread(unsigned index) {
    if (index < 2)
      structure->push(static_cast<int>(index) + 1);
    else
      structure->pop();
  }
  void after() { delete structure; }
};

}  // namespace

int main(int count, char** arguments) {
  const std::string name = count > 1 ? arguments[1] : "";
  rl::test_params parameters;
  parameters.search_type = rl::fair_context_bound_scheduler_type;
  parameters.context_bound = 2;
  parameters.iteration_count = 100'000'000;  // more than there are
  std::ostringstream progress;
  parameters.progress_stream = &progress;
  if (name == "treiber") return rl::simulate<TwoPushTwoPop<TreiberStack>>(parameters) ? 0 : 1;
  if (name == "michael_scott") return rl::simulate<TwoPushTwoPop<MichaelScottQueue>>(parameters) ? 0 : 1;
  std::cerr << "usage: relacy_structures treiber|michael_scott\n";
  return 2;
}
