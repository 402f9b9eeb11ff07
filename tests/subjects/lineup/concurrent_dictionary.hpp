#pragma once
// A hash table with striped locks and lookups without locks (.NET: ConcurrentDictionary). What concerns the whole table
// takes all the locks; clearing puts an empty table in its place, so that lookups see all of it or nothing.
#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <vector>

#include "../include/graveyard.hpp"

namespace subjects::lineup {

class ConcurrentDictionary {
 public:
  ConcurrentDictionary() = default;
  ConcurrentDictionary(const ConcurrentDictionary&) = delete;
  ConcurrentDictionary& operator=(const ConcurrentDictionary&) = delete;

  ~ConcurrentDictionary() { delete table_.load(); }

  int count() {
    const auto locks = lock_all();
    int count = 0;
    for (const std::atomic<Node*>& bucket : table_.load()->buckets) {
      for (const Node* node = bucket.load(); node != nullptr; node = node->next.load()) ++count;
    }
    return count;
  }

  bool is_empty() { return count() == 0; }

  void clear() {
    const auto locks = lock_all();
    old_tables_.bury(table_.exchange(new Table));
  }

  bool try_add(int key, int value) {
    const std::lock_guard lock{stripe(key)};
    if (find(key) != nullptr) return false;
    insert(key, value);
    return true;
  }

  std::optional<int> try_remove(int key) {
    const std::lock_guard lock{stripe(key)};
    std::atomic<Node*>* link = &bucket(key);
    for (Node* node = link->load(); node != nullptr; node = link->load()) {
      if (node->key == key) {
        const int value = node->value.load();
        link->store(node->next.load());
        removed_.bury(node);
        return value;
      }
      link = &node->next;
    }
    return std::nullopt;
  }

  /// Without a lock: a node that is removed meanwhile was there when it was found, and keeps its last value.
  std::optional<int> try_get(int key) const {
    const Node* const node = find(key);
    if (node == nullptr) return std::nullopt;
    return node->value.load();
  }

  int get(int key) const {
    const std::optional<int> value = try_get(key);
    if (!value) throw std::out_of_range("no such key");
    return *value;
  }

  void set(int key, int value) {
    const std::lock_guard lock{stripe(key)};
    if (Node* const node = find(key)) {
      node->value.store(value);
    } else {
      insert(key, value);
    }
  }

  /// Replaces the value if it is `expected`.
  bool try_update(int key, int value, int expected) {
    const std::lock_guard lock{stripe(key)};
    Node* const node = find(key);
    if (node == nullptr || node->value.load() != expected) return false;
    node->value.store(value);
    return true;
  }

  bool contains_key(int key) const { return find(key) != nullptr; }

 private:
  struct Node : Buried<Node> {
    Node(int key, int value, Node* next) : key{key}, value{value}, next{next} {}
    const int key;
    std::atomic<int> value;
    std::atomic<Node*> next;
  };

  static constexpr std::size_t kBuckets = 4;
  static constexpr std::size_t kStripes = 2;

  struct Table : Buried<Table> {
    ~Table() {
      for (std::atomic<Node*>& bucket : buckets) {
        for (Node* node = bucket.load(); node != nullptr;) {
          Node* const following = node->next.load();
          delete node;
          node = following;
        }
      }
    }

    std::array<std::atomic<Node*>, kBuckets> buckets{};
    Table* next = nullptr;
  };

  static std::size_t bucket_of(int key) { return static_cast<unsigned>(key) / 10 % kBuckets; }
  std::atomic<Node*>& bucket(int key) const { return table_.load()->buckets[bucket_of(key)]; }
  std::mutex& stripe(int key) { return stripes_[bucket_of(key) % kStripes]; }

  std::array<std::unique_lock<std::mutex>, kStripes> lock_all() {
    return {std::unique_lock{stripes_[0]}, std::unique_lock{stripes_[1]}};
  }

  Node* find(int key) const {
    Node* node = bucket(key).load();
    while (node != nullptr && node->key != key) node = node->next.load();
    return node;
  }

  void insert(int key, int value) {
    std::atomic<Node*>& first = bucket(key);
    first.store(new Node{key, value, first.load()});
  }

  std::array<std::mutex, kStripes> stripes_;
  std::atomic<Table*> table_{new Table};
  Graveyard<Node> removed_;
  Graveyard<Table> old_tables_;
};

}  // namespace subjects::lineup
