#pragma once
// A doubly linked list with operations at both ends (.NET preview: ConcurrentLinkedList), guarded by one lock; its
// length is read without the lock.
#include <atomic>
#include <list>
#include <mutex>
#include <optional>

namespace subjects::lineup {

enum class ListFault {
  kNone,
  kCountedOutside,  ///< Bug C: an addition counts its item after it has given the lock back.
};

template <ListFault fault = ListFault::kNone>
class BasicConcurrentLinkedList {
 public:
  int count() const { return count_.load(); }

  void add_first(int value) {
    add([&](std::list<int>& items) { items.push_front(value); });
  }

  void add_last(int value) {
    add([&](std::list<int>& items) { items.push_back(value); });
  }

  bool remove_first() { return take_first().has_value(); }
  bool remove_last() { return take_last().has_value(); }

  /// RemoveFirst(out value).
  std::optional<int> take_first() {
    const std::lock_guard lock{mutex_};
    if (items_.empty()) return std::nullopt;
    const int value = items_.front();
    items_.pop_front();
    count_.fetch_sub(1);
    return value;
  }

  /// RemoveLast(out value).
  std::optional<int> take_last() {
    const std::lock_guard lock{mutex_};
    if (items_.empty()) return std::nullopt;
    const int value = items_.back();
    items_.pop_back();
    count_.fetch_sub(1);
    return value;
  }

 private:
  template <class Insert>
  void add(Insert insert) {
    std::unique_lock lock{mutex_};
    insert(items_);
    if constexpr (fault == ListFault::kCountedOutside) lock.unlock();
    count_.fetch_add(1);
  }

  std::mutex mutex_;
  std::list<int> items_;
  std::atomic<int> count_{0};
};

using ConcurrentLinkedList = BasicConcurrentLinkedList<>;
using ConcurrentLinkedListPre = BasicConcurrentLinkedList<ListFault::kCountedOutside>;

}  // namespace subjects::lineup
