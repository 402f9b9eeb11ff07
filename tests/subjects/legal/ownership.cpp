// Shared and weak owners, of which the last one frees.
#include <atomic>
#include <memory>
#include <muster/scenario.hpp>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "two_threads.hpp"

MUSTER_SCENARIO(weak_owner_may_come_too_late) {
  auto owner = std::make_shared<std::string>(30, 'x');
  const std::weak_ptr<std::string> weak = owner;
  in_two_threads([owner = std::move(owner)]() mutable { owner.reset(); },
                 [weak] {
                   if (const auto strong = weak.lock()) MUSTER_REQUIRE(strong->size() == 30);
                 });
  MUSTER_REQUIRE(weak.expired());
}

// What one owner writes last, the destructor sees, whoever runs it.
MUSTER_SCENARIO(destroyed_after_all_uses) {
  static int destroyed = 0;
  struct Object {
    int first = 0, second = 0;
    ~Object() { destroyed += first + second; }
  };
  auto a = std::make_shared<Object>();
  auto b = a;
  in_two_threads([a = std::move(a)]() mutable { a->first = 1, a.reset(); },
                 [b = std::move(b)]() mutable { b->second = 2, b.reset(); });
  MUSTER_REQUIRE(destroyed == 3);
}

MUSTER_SCENARIO(owner_of_a_part) {
  struct Whole {
    int first = 1, second = 2;
  };
  auto whole = std::make_shared<Whole>();
  const std::shared_ptr<int> first(whole, &whole->first), second(whole, &whole->second);
  whole.reset();
  std::thread a([first] { ++*first; });
  std::thread b([second] { ++*second; });
  a.join();
  b.join();
  MUSTER_REQUIRE(*first == 2 && *second == 3);
}

MUSTER_SCENARIO(shared_from_this_in_a_thread) {
  struct Worker : std::enable_shared_from_this<Worker> {
    std::atomic<int> done{0};
    std::thread start() {
      return std::thread([self = shared_from_this()] { self->done.store(1, std::memory_order_release); });
    }
  };
  auto worker = std::make_shared<Worker>();
  std::thread thread = worker->start();
  while (worker->done.load(std::memory_order_acquire) == 0) std::this_thread::yield();
  worker.reset();
  thread.join();
}

MUSTER_SCENARIO(atomic_functions_of_shared_pointers) {
  auto current = std::make_shared<const int>(1);
  in_two_threads(
      [&] {
        auto expected = std::atomic_load(&current);
        std::atomic_compare_exchange_strong(&current, &expected, std::make_shared<const int>(2));
      },
      [&] { MUSTER_REQUIRE(*std::atomic_load(&current) <= 2); });
  MUSTER_REQUIRE(*current == 2);
}

// The deleter belongs to the last owner's thread, and takes a lock that others use as well.
MUSTER_SCENARIO(deleter_that_locks) {
  std::mutex mutex;
  std::vector<int> pool;
  const auto give_back = [&](int* item) {
    const std::lock_guard lock(mutex);
    pool.push_back(*item);
    delete item;
  };
  std::shared_ptr<int> first(new int(1), give_back), second = first;
  const std::weak_ptr<int> weak = first;
  in_two_threads([&] { first.reset(); }, [&] { second.reset(); });
  MUSTER_REQUIRE(pool.size() == 1 && weak.use_count() == 0);
}

// An object and its cache entry: the entry knows it weakly, and whoever finds it gone makes another one.
MUSTER_SCENARIO(cache_of_weak_owners) {
  std::mutex mutex;
  std::weak_ptr<int> cached;
  int made = 0;
  const auto get = [&] {
    const std::lock_guard lock(mutex);
    if (auto found = cached.lock()) return found;
    auto fresh = std::make_shared<int>(++made);
    cached = fresh;
    return fresh;
  };
  const auto use = [&] { MUSTER_REQUIRE(*get() <= 2); };
  in_two_threads(use, use);
  MUSTER_REQUIRE(made == 1 || made == 2);
}

MUSTER_SCENARIO(array_shared_by_two) {
  const std::shared_ptr<std::string[]> names = std::make_shared<std::string[]>(2);
  const auto name = [names](std::size_t i) { names[i] = std::string(20, 'n'); };
  in_two_threads([=] { name(0); }, [=] { name(1); });
  MUSTER_REQUIRE(names[0] == names[1]);
}

// Nodes that own their successors, cut by one thread while another one walks over what it has got hold of.
MUSTER_SCENARIO(list_cut_while_it_is_walked) {
  struct Node {
    int value = 0;
    std::shared_ptr<Node> next;
  };
  auto last = std::make_shared<Node>(Node{2, nullptr});
  auto head = std::make_shared<Node>(Node{1, last});
  std::mutex mutex;
  in_two_threads(
      [&] {
        const std::lock_guard lock(mutex);
        head->next.reset();
      },
      [&] {
        std::shared_ptr<Node> at;
        {
          const std::lock_guard lock(mutex);
          at = head->next;
        }
        MUSTER_REQUIRE(!at || at->value == 2);
      });
  MUSTER_REQUIRE(last.use_count() == 1);
}
