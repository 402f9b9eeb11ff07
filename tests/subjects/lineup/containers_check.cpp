// Checks of the collections: ConcurrentDictionary, ConcurrentQueue, ConcurrentStack, ConcurrentLinkedList,
// ConcurrentBag.
#include <muster/check.hpp>

#include "concurrent_bag.hpp"
#include "concurrent_dictionary.hpp"
#include "concurrent_linked_list.hpp"
#include "concurrent_queue.hpp"
#include "concurrent_queue_pre.hpp"
#include "concurrent_stack.hpp"

namespace {

using namespace subjects::lineup;

MUSTER_CHECK(concurrent_dictionary) {
  using Dictionary = ConcurrentDictionary;
  auto dictionary = check.object<Dictionary>();
  dictionary.operation("Count", &Dictionary::count);
  dictionary.operation("IsEmpty", &Dictionary::is_empty);
  dictionary.operation("Clear", &Dictionary::clear);
  dictionary.operation("TryAdd", [](Dictionary& d, int x) { return d.try_add(x, x); }).with(10).with(20);
  dictionary.operation("TryRemove", &Dictionary::try_remove).with(10).with(20);
  dictionary.operation("TryGet", &Dictionary::try_get).with(10).with(20);
  dictionary.operation("Get", &Dictionary::get).with(10).with(20);
  dictionary.operation("Set", [](Dictionary& d, int x) { d.set(x, x + 1); }).with(10).with(20);
  dictionary.operation("TryUpdate", [](Dictionary& d, int x) { return d.try_update(x, x + 2, x + 1); })
      .with(10)
      .with(20);
  dictionary.operation("ContainsKey", &Dictionary::contains_key).with(10).with(20);
}

template <class Queue>
void check_queue(muster::Check& check) {
  auto queue = check.object<Queue>();
  queue.operation("Count", &Queue::count);
  queue.operation("IsEmpty", &Queue::is_empty);
  queue.operation("Enqueue", &Queue::enqueue).with(10);
  queue.operation("ToArray", &Queue::to_array);
  queue.operation("TryDequeue", &Queue::try_dequeue);
  queue.operation("TryPeek", &Queue::try_peek);
}

MUSTER_CHECK(concurrent_queue_pre) { check_queue<ConcurrentQueuePre>(check); }
MUSTER_CHECK(concurrent_queue_pre_repaired) { check_queue<ConcurrentQueuePreRepaired>(check); }
MUSTER_CHECK(concurrent_queue) { check_queue<ConcurrentQueue>(check); }

MUSTER_CHECK(concurrent_stack) {
  auto stack = check.object<ConcurrentStack>();
  stack.operation("Clear", &ConcurrentStack::clear);
  stack.operation("Count", &ConcurrentStack::count);
  stack.operation("Push", &ConcurrentStack::push).with(10);
  stack.operation("PushRangeTen", [](ConcurrentStack& s) {
    constexpr int values[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    s.push_range(values);
  });
  stack.operation("TryPop", &ConcurrentStack::try_pop);
  stack.operation("TryPopRange", &ConcurrentStack::try_pop_range).with(1).with(2).with(4);
  stack.operation("TryPeek", &ConcurrentStack::try_peek);
  stack.operation("ToArray", &ConcurrentStack::to_array);
}

template <class List>
void check_list(muster::Check& check) {
  auto list = check.object<List>();
  list.operation("Count", &List::count);
  list.operation("AddFirst", &List::add_first).with(10);
  list.operation("AddLast", &List::add_last).with(20);
  list.operation("RemoveFirst", &List::remove_first);
  list.operation("TakeFirst", &List::take_first);
  list.operation("RemoveLast", &List::remove_last);
  list.operation("TakeLast", &List::take_last);
}

MUSTER_CHECK(concurrent_linked_list_pre) { check_list<ConcurrentLinkedListPre>(check); }
MUSTER_CHECK(concurrent_linked_list) { check_list<ConcurrentLinkedList>(check); }

template <class Bag>
void check_bag(muster::Check& check) {
  auto bag = check.object<Bag>();
  bag.operation("Count", &Bag::count);
  bag.operation("Add", &Bag::add).with(10).with(20);
  bag.operation("TryTake", &Bag::try_take);
  bag.operation("IsEmpty", &Bag::is_empty);
  bag.operation("TryPeek", &Bag::try_peek);
  bag.operation("ToArray", &Bag::to_array);
}

/// The same without what a bag leaves open (J): which item it gives, and in which order.
template <class Bag>
void check_bag_unordered(muster::Check& check) {
  const auto found = [](const std::optional<int>& item) { return item.has_value(); };
  const auto size = [](const std::vector<int>& items) { return items.size(); };
  auto bag = check.object<Bag>();
  bag.operation("Count", &Bag::count);
  bag.operation("Add", &Bag::add).with(10).with(20);
  bag.operation("TryTake", &Bag::try_take).seen_as(found);
  bag.operation("IsEmpty", &Bag::is_empty);
  bag.operation("TryPeek", &Bag::try_peek).seen_as(found);
  bag.operation("ToArray", &Bag::to_array).seen_as(size);
}

MUSTER_CHECK(concurrent_bag_pre) { check_bag<ConcurrentBagPre>(check); }
MUSTER_CHECK(concurrent_bag) { check_bag<ConcurrentBag>(check); }
MUSTER_CHECK(concurrent_bag_unordered) { check_bag_unordered<ConcurrentBag>(check); }
MUSTER_CHECK(concurrent_bag_pre_unordered) { check_bag_unordered<ConcurrentBagPre>(check); }

}  // namespace
