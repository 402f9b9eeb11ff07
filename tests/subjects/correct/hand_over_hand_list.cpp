// A sorted list with a lock in each node; a removal holds both the predecessor's lock and the victim's.
#include <memory>
#include <muster/scenario.hpp>
#include <mutex>
#include <thread>
#include <vector>

namespace {

class SortedList {
 public:
  /// Removed nodes live as long as the list.
  explicit SortedList(std::initializer_list<int> values) {
    Node* last = &head_;
    for (const int value : values) {
      nodes_.push_back(std::make_unique<Node>());
      last->next = nodes_.back().get();
      last = last->next;
      last->value = value;
    }
  }

  bool remove(int value) {
    std::unique_lock held{head_.mutex};
    Node* previous = &head_;
    while (previous->next != nullptr) {
      Node* const current = previous->next;
      std::unique_lock next_held{current->mutex};
      if (current->value == value) {
        previous->next = current->next;
        return true;
      }
      held = std::move(next_held);
      previous = current;
    }
    return false;
  }

  int length() const {
    int length = 0;
    for (const Node* node = head_.next; node != nullptr; node = node->next) ++length;
    return length;
  }

 private:
  struct Node {
    std::mutex mutex;
    int value = 0;
    Node* next = nullptr;
  };

  Node head_;
  std::vector<std::unique_ptr<Node>> nodes_;
};

}  // namespace

MUSTER_SCENARIO(hand_over_hand_list) {
  SortedList list{1, 2, 3};
  std::thread a{[&] { list.remove(1); }};
  list.remove(2);
  a.join();
  MUSTER_REQUIRE(list.length() == 1);
}
