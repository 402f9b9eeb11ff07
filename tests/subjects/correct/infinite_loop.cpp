// An item is registered in a list at most once; walking the list ends.
#include <atomic>
#include <muster/scenario.hpp>
#include <mutex>
#include <thread>

namespace {

struct Item {
  std::atomic<bool> registered{false};
  Item* next = nullptr;
  int weight = 1;
};

class Registry {
 public:
  void add(Item& item) {
    if (item.registered.exchange(true)) return;
    const std::lock_guard lock{mutex_};
    item.next = first_;
    first_ = &item;
  }

  int weight() const {
    int sum = 0;
    for (const Item* item = first_; item != nullptr; item = item->next) sum += item->weight;
    return sum;
  }

 private:
  std::mutex mutex_;
  Item* first_ = nullptr;
};

}  // namespace

MUSTER_SCENARIO(infinite_loop) {
  Registry registry;
  Item item;
  std::thread a{[&] { registry.add(item); }};
  registry.add(item);
  a.join();
  MUSTER_REQUIRE(registry.weight() == 1);
}
