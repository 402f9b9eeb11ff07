#pragma once
// An unordered collection (.NET: ConcurrentBag): each thread adds to a list of its own and takes from it; who has
// nothing steals from the others, in the order in which the lists were registered. By intention that order is nobody's
// business (Line-Up, section 5.2.2, J): it shows in what a thief gets and in ToArray.
#include <atomic>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace subjects::lineup {

enum class BagFault {
  kNone,
  kTakenInTwoSteps,  ///< Bug E: a thread reads its item under its lock, lets go, and removes the item under the lock
                     ///< again.
};

template <BagFault fault = BagFault::kNone>
class BasicConcurrentBag {
 public:
  BasicConcurrentBag() = default;
  BasicConcurrentBag(const BasicConcurrentBag&) = delete;
  BasicConcurrentBag& operator=(const BasicConcurrentBag&) = delete;

  ~BasicConcurrentBag() {
    for (List* list = first_.load(); list != nullptr;) {
      List* const next = list->next.load();
      delete list;
      list = next;
    }
  }

  void add(int value) {
    List& list = own_list();
    {
      const std::lock_guard lock{list.mutex};
      list.items.push_back(value);
      list.size.store(list.items.size());
    }
    added_.fetch_add(1);
  }

  /// Its own newest item, or the oldest of somebody else.
  std::optional<int> try_take() {
    if (List* const own = find_own_list()) {
      if (const std::optional<int> taken = take_newest(*own)) return taken;
    }
    return steal();
  }

  std::optional<int> try_peek() {
    const Freeze freeze{*this};
    List* const own = find_own_list();
    if (own != nullptr && !own->items.empty()) return own->items.back();
    for (const List* list = first_.load(); list != nullptr; list = list->next.load()) {
      if (!list->items.empty()) return list->items.front();
    }
    return std::nullopt;
  }

  int count() { return static_cast<int>(to_array().size()); }
  bool is_empty() { return count() == 0; }

  std::vector<int> to_array() {
    const Freeze freeze{*this};
    std::vector<int> values;
    for (const List* list = first_.load(); list != nullptr; list = list->next.load()) {
      values.insert(values.end(), list->items.begin(), list->items.end());
    }
    return values;
  }

 private:
  struct List {
    const std::thread::id owner = std::this_thread::get_id();
    std::mutex mutex;
    std::deque<int> items;             // guarded by mutex
    std::atomic<std::size_t> size{0};  // of items, changed under mutex
    std::atomic<List*> next{nullptr};
  };

  enum class End { kNewest, kOldest };

  /// All lists locked, in the order of their registration, and no new one.
  class Freeze {
   public:
    explicit Freeze(BasicConcurrentBag& bag) : registering_{bag.registering_} {
      for (List* list = bag.first_.load(); list != nullptr; list = list->next.load()) locks_.emplace_back(list->mutex);
    }

   private:
    std::unique_lock<std::mutex> registering_;
    std::vector<std::unique_lock<std::mutex>> locks_;
  };

  List* find_own_list() const {
    List* list = first_.load();
    while (list != nullptr && list->owner != std::this_thread::get_id()) list = list->next.load();
    return list;
  }

  List& own_list() {
    if (List* const own = find_own_list()) return *own;
    const std::lock_guard lock{registering_};
    std::atomic<List*>* last = &first_;
    while (last->load() != nullptr) last = &last->load()->next;
    last->store(new List);
    return *last->load();
  }

  // Nothing is added between two equal counts, so what was added before the first is gone at the second.
  std::optional<int> steal() {
    for (;;) {
      const unsigned added = added_.load();
      for (List* list = first_.load(); list != nullptr; list = list->next.load()) {
        if (list->size.load() == 0) continue;
        const std::lock_guard lock{list->mutex};
        if (!list->items.empty()) return remove(*list, End::kOldest);
      }
      if (added_.load() == added) return std::nullopt;
    }
  }

  static std::optional<int> take_newest(List& list) {
    if (list.size.load() == 0) return std::nullopt;
    std::unique_lock lock{list.mutex};
    if (list.items.empty()) return std::nullopt;
    if constexpr (fault == BagFault::kTakenInTwoSteps) {
      const int value = list.items.back();
      lock.unlock();
      lock.lock();
      if (!list.items.empty()) remove(list, End::kNewest);
      return value;
    }
    return remove(list, End::kNewest);
  }

  static int remove(List& list, End end) {
    int value;
    if (end == End::kNewest) {
      value = list.items.back();
      list.items.pop_back();
    } else {
      value = list.items.front();
      list.items.pop_front();
    }
    list.size.store(list.items.size());
    return value;
  }

  std::mutex registering_;
  std::atomic<List*> first_{nullptr};
  std::atomic<unsigned> added_{0};
};

using ConcurrentBag = BasicConcurrentBag<>;
using ConcurrentBagPre = BasicConcurrentBag<BagFault::kTakenInTwoSteps>;

}  // namespace subjects::lineup
