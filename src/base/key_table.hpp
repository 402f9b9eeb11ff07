#pragma once
// Tables by 64-bit hashes, asked once an execution or once a step: open addressing, since a node for each entry costs a
// cache miss or two.

#include <cstdint>
#include <utility>
#include <vector>

namespace muster {

/// `Entry` has a `key`; other members begin as an `Entry{key}` has them.
template <class Entry>
class KeyTable {
 public:
  /// The entry, valid until the next is added, and whether it is new.
  std::pair<Entry&, bool> add(std::uint64_t key) {
    key += key == 0;  // 0 marks a free place
    if (2 * (size_ + 1) > entries_.size()) grow();
    Entry& entry = entries_[place(key)];
    const bool fresh = entry.key == 0;
    if (fresh) entry = Entry{key};
    size_ += fresh;
    return {entry, fresh};
  }
  const Entry* find(std::uint64_t key) const {
    if (entries_.empty()) return nullptr;
    const Entry& entry = entries_[place(key + (key == 0))];
    return entry.key == 0 ? nullptr : &entry;
  }
  std::size_t size() const { return size_; }
  /// The key will be asked for soon: a large table is not in the cache.
  void expect(std::uint64_t key) const {
    if (!entries_.empty()) __builtin_prefetch(&entries_[key & (entries_.size() - 1)], 1);
  }

 private:
  std::size_t place(std::uint64_t key) const {
    const std::size_t mask = entries_.size() - 1;
    std::size_t i = key & mask;
    while (entries_[i].key != 0 && entries_[i].key != key) i = (i + 1) & mask;
    return i;
  }
  void grow() {
    constexpr std::size_t large = 1 << 16;  // growing step by step to this size would take longer than to use it
    const std::size_t size = entries_.empty() ? 1024 : entries_.size() * (entries_.size() < large ? 4 : 2);
    const std::vector<Entry> old = std::exchange(entries_, std::vector<Entry>(size));
    for (const Entry& entry : old) {
      if (entry.key != 0) entries_[place(entry.key)] = entry;
    }
  }

  std::vector<Entry> entries_;
  std::size_t size_ = 0;
};

class KeySet {
 public:
  /// True if the key is new.
  bool insert(std::uint64_t key) { return table_.add(key).second; }
  bool contains(std::uint64_t key) const { return table_.find(key) != nullptr; }
  void expect(std::uint64_t key) const { table_.expect(key); }

 private:
  struct Entry {
    std::uint64_t key = 0;
  };
  KeyTable<Entry> table_;
};

/// What follows from something, worked out once.
class KeyMemo {
 public:
  template <class Function>
  std::uint64_t get(std::uint64_t key, const Function& work_out) {
    const auto [entry, fresh] = table_.add(key);
    if (fresh) entry.value = work_out();
    return entry.value;
  }
  const std::uint64_t* find(std::uint64_t key) const {
    const Entry* const found = table_.find(key);
    return found ? &found->value : nullptr;
  }

 private:
  struct Entry {
    std::uint64_t key = 0, value = 0;
  };
  KeyTable<Entry> table_;
};

}  // namespace muster
