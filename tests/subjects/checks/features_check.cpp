// What a check can say besides a class and its operations: per-thread state, handles, arguments that cannot be copied,
// how answers are seen and printed.
#include <fmt/format.h>

#include <atomic>
#include <map>
#include <memory>
#include <muster/check.hpp>
#include <mutex>
#include <optional>
#include <ostream>
#include <vector>

namespace {

// ---- per-thread state ----

/// A counter in parts, one for each token, so that writers do not meet; reading looks at one part after the other.
class StripedCounter {
 public:
  class Token {
   public:
    explicit Token(unsigned part) : part_(part) {}

   private:
    friend class StripedCounter;
    unsigned part_;
  };
  Token token() { return Token(next_++); }
  void add(Token& token, int amount) { parts_[token.part_ % 4].fetch_add(amount); }
  int read() const {
    int sum = 0;
    for (const auto& part : parts_) sum += part.load();
    return sum;
  }
  int own(const Token& token) const { return parts_[token.part_ % 4].load(); }

 private:
  unsigned next_ = 0;
  std::atomic<int> parts_[4]{};
};

MUSTER_CHECK(striped_counter) {
  auto counter = check.object<StripedCounter>();
  auto token = counter.per_thread([](StripedCounter& c) { return c.token(); });
  counter.operation("add", &StripedCounter::add).uses(token).with(1).with(10);
  counter.operation("own", &StripedCounter::own).uses(token);
}

/// A sum that is read part by part may be one that never was.
MUSTER_CHECK(striped_counter_read) {
  auto counter = check.object<StripedCounter>();
  auto token = counter.per_thread([](StripedCounter& c) { return c.token(); });
  counter.operation("add", &StripedCounter::add).uses(token).with(1).with(10);
  counter.operation("read", &StripedCounter::read);
}

// ---- handles ----

/// A cache whose entries are pinned while somebody has a handle to them.
template <bool counts_atomically>
class Cache {
 public:
  struct Entry {
    int key = 0;
    std::atomic<int> pins{0};
  };
  Entry* lookup(int key) {
    const std::lock_guard lock{mutex_};
    if (key > 2) return nullptr;
    auto& entry = entries_[key];
    if (!entry) entry = std::make_unique<Entry>();
    entry->key = key;
    entry->pins.fetch_add(1);
    return entry.get();
  }
  int pins(Entry* entry) { return entry->pins.load(); }
  /// How often it is pinned now.
  int release(Entry* entry) {
    if constexpr (counts_atomically) return entry->pins.fetch_sub(1) - 1;
    const int left = entry->pins.load() - 1;
    entry->pins.store(left);
    return left;
  }

 private:
  std::mutex mutex_;
  std::map<int, std::unique_ptr<Entry>> entries_;
};

template <class C>
void check_cache(muster::Check& check) {
  auto cache = check.object<C>();
  auto pin = cache.template slot<typename C::Entry*>("pin");
  cache.operation("lookup", &C::lookup).with(1).with(3).gives(pin);
  cache.operation("pins", &C::pins).borrows(pin);
  cache.operation("release", &C::release).takes(pin);
}

MUSTER_CHECK(cache) { check_cache<Cache<true>>(check); }
MUSTER_CHECK(careless_cache) { check_cache<Cache<false>>(check); }

// ---- arguments that cannot be copied ----

class Mailbox {
 public:
  void put(std::unique_ptr<int> letter) { delete letter_.exchange(letter.release()); }
  std::unique_ptr<int> take() { return std::unique_ptr<int>(letter_.exchange(nullptr)); }
  ~Mailbox() { delete letter_.load(); }

 private:
  std::atomic<int*> letter_{nullptr};
};

MUSTER_CHECK(mailbox) {
  auto box = check.object<Mailbox>();
  box.operation("put", &Mailbox::put)
      .with(muster::make("1", [] { return std::make_unique<int>(1); }))
      .with(muster::make("2", [] { return std::make_unique<int>(2); }));
  box.operation("take", &Mailbox::take).seen_as([](const std::unique_ptr<int>& letter) {
    return letter ? std::optional(*letter) : std::nullopt;
  });
}

// ---- how answers print ----

struct Streamed {
  int value;
  friend std::ostream& operator<<(std::ostream& out, const Streamed& s) { return out << "streamed " << s.value; }
};
struct Printed {
  int value;
  friend void PrintTo(const Printed& p, std::ostream* out) { *out << "printed " << p.value; }
};
struct Stringified {
  int value;
  template <class Sink>
  friend void AbslStringify(Sink& sink, const Stringified& s) {
    sink.Append("stringified " + std::to_string(s.value));
  }
};
struct Formatted {
  int value;
};
struct Row {
  int id, cached;
};

class Table {
 public:
  int next() { return ++count_; }

 private:
  std::atomic<int> count_{0};
};

}  // namespace

template <>
struct fmt::formatter<Formatted> : fmt::formatter<int> {
  template <class Context>
  auto format(const Formatted& f, Context& context) const {
    return fmt::format_to(context.out(), "formatted {}", f.value);
  }
};

namespace {

/// Each fails on purpose when it is called twice, to show how it prints.
MUSTER_CHECK(printing) {
  auto table = check.object<Table>();
  table.operation("streamed", [](Table& t) { return Streamed{t.next()}; });
  table.operation("printed", [](Table& t) { return Printed{t.next()}; });
  table.operation("stringified", [](Table& t) { return Stringified{t.next()}; });
  table.operation("formatted", [](Table& t) { return Formatted{t.next()}; });
  table.operation("row", [](Table& t) { return Row{t.next(), 7}; }).seen_as([](const Row& row) { return row.id; });
}

}  // namespace
