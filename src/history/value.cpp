#include "history/value.hpp"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

#include "base/assert.hpp"
#include "base/error.hpp"

namespace muster {
namespace {

/// Byte strings by number. Adding takes a lock; looking one up does not, because entries never move.
class Pool {
 public:
  std::uint32_t add(std::string_view bytes) {
    const std::lock_guard guard(mutex_);
    if (const auto found = numbers_.find(bytes); found != numbers_.end()) return found->second;
    MUSTER_ASSERT(size_ < chunk_size * chunks_.size());
    const std::uint32_t number = size_++;
    auto& chunk = chunks_[number / chunk_size];
    if (!chunk.load(std::memory_order_relaxed)) {
      // (1) release: publishes the empty chunk to the acquire at (2); entries themselves travel with the Value that
      // names them.
      chunk.store(new std::string_view[chunk_size], std::memory_order_release);
    }
    const std::string_view kept = keep(bytes);
    chunk.load(std::memory_order_relaxed)[number % chunk_size] = kept;
    numbers_.emplace(kept, number);
    return number;
  }

  std::string_view at(std::uint32_t number) const {
    return chunks_[number / chunk_size].load(std::memory_order_acquire)[number % chunk_size];  // (2)
  }

 private:
  static constexpr std::size_t chunk_size = 1 << 14;
  static constexpr std::size_t block_size = 1 << 16;

  std::string_view keep(std::string_view bytes) {
    if (bytes.empty()) return {};
    // Lists are read back in place as words.
    const std::size_t needed = (bytes.size() + 7) & ~std::size_t{7};
    if (needed > left_) {
      left_ = std::max(block_size, needed);
      free_ = new char[left_];
    }
    char* const place = free_;
    std::memcpy(place, bytes.data(), bytes.size());
    free_ += needed;
    left_ -= needed;
    return {place, bytes.size()};
  }

  std::mutex mutex_;
  absl::flat_hash_map<std::string_view, std::uint32_t> numbers_;
  std::array<std::atomic<std::string_view*>, 1 << 18> chunks_{};
  std::uint32_t size_ = 0;
  char* free_ = nullptr;
  std::size_t left_ = 0;
};

/// One for the process and never destroyed: values may be used until the very end.
Pool& pool() {
  static Pool* const the_pool = new Pool;
  return *the_pool;
}

std::string_view as_bytes(std::span<const Value> items) {
  return {reinterpret_cast<const char*>(items.data()), items.size() * sizeof(Value)};
}

void append_length(std::size_t length, std::string& out) {
  for (; length >= 128; length >>= 7) out.push_back(static_cast<char>(length | 128));
  out.push_back(static_cast<char>(length));
}

std::uint64_t take_length(std::string_view& bytes) {
  std::uint64_t length = 0;
  for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    length |= std::uint64_t{byte & 127u} << shift;
    if (byte < 128) return length;
  }
  fail("value bytes end inside a length");
}

constexpr std::uint64_t zigzag(std::int64_t value) {
  return static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
}
constexpr std::int64_t unzigzag(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

}  // namespace

Value Value::interned(Kind kind, std::string_view bytes) { return Value(word(kind, pool().add(bytes))); }

Value Value::big_integer(std::int64_t value) { return number(fmt::format_int(value).c_str()); }
Value Value::number(std::string_view literal) { return interned(Kind::number, literal); }
Value Value::text(std::string_view content) { return interned(Kind::text, content); }
Value Value::symbol(std::string_view name) { return interned(Kind::symbol, name); }
Value Value::list(std::span<const Value> items) { return interned(Kind::list, as_bytes(items)); }

Value Value::map(std::span<const Value> keys_and_values) {
  std::vector<std::pair<Value, Value>> pairs;
  for (std::size_t at = 0; at + 1 < keys_and_values.size(); at += 2) {
    pairs.emplace_back(keys_and_values[at], keys_and_values[at + 1]);
  }
  std::ranges::sort(pairs);
  std::vector<Value> items;
  for (const auto& [key, value] : pairs) {
    items.push_back(key);
    items.push_back(value);
  }
  return interned(Kind::map, as_bytes(items));
}

std::string_view Value::letters() const { return pool().at(payload()); }

std::span<const Value> Value::items() const {
  const std::string_view bytes = pool().at(payload());
  return {reinterpret_cast<const Value*>(bytes.data()), bytes.size() / sizeof(Value)};
}

std::strong_ordering Value::operator<=>(const Value& other) const {
  if (bits_ == other.bits_) return std::strong_ordering::equal;
  if (kind() != other.kind()) return kind() <=> other.kind();
  switch (kind()) {
    case Kind::none:
    case Kind::nil:
    case Kind::boolean:
      return bits_ <=> other.bits_;
    case Kind::integer:
      return as_integer() <=> other.as_integer();
    case Kind::number:
    case Kind::text:
    case Kind::symbol:
      return letters() <=> other.letters();
    case Kind::list:
    case Kind::map:
      break;
  }
  const auto mine = items(), theirs = other.items();
  return std::lexicographical_compare_three_way(mine.begin(), mine.end(), theirs.begin(), theirs.end());
}

std::string to_string(Value value) {
  switch (value.kind()) {
    case Value::Kind::none:
      return "";
    case Value::Kind::nil:
      return "nil";
    case Value::Kind::boolean:
      return value.is_true() ? "true" : "false";
    case Value::Kind::integer:
      return fmt::format("{}", value.as_integer());
    case Value::Kind::number:
      return std::string(value.letters());
    case Value::Kind::text:
      return fmt::format("\"{}\"", value.letters());
    case Value::Kind::symbol:
      return std::string(value.letters());
    case Value::Kind::list:
    case Value::Kind::map:
      break;
  }
  const bool is_list = value.kind() == Value::Kind::list;
  std::string out = is_list ? "[" : "{";
  for (const Value item : value.items()) {
    if (out.size() > 1) out += ' ';
    out += to_string(item);
  }
  return out + (is_list ? "]" : "}");
}

void append_bytes(Value value, std::string& out) {
  out.push_back(static_cast<char>(value.kind()));
  switch (value.kind()) {
    case Value::Kind::none:
    case Value::Kind::nil:
      return;
    case Value::Kind::boolean:
      out.push_back(value.is_true());
      return;
    case Value::Kind::integer:
      append_length(zigzag(value.as_integer()), out);
      return;
    case Value::Kind::number:
    case Value::Kind::text:
    case Value::Kind::symbol:
      append_length(value.letters().size(), out);
      out += value.letters();
      return;
    case Value::Kind::list:
    case Value::Kind::map:
      append_length(value.items().size(), out);
      for (const Value item : value.items()) append_bytes(item, out);
      return;
  }
}

namespace {

Value take_nested(std::string_view& bytes, unsigned depth) {
  if (bytes.empty() || depth > 64) fail("value bytes are cut short or nested too deep");
  const auto kind = static_cast<Value::Kind>(bytes.front());
  bytes.remove_prefix(1);
  switch (kind) {
    case Value::Kind::none:
      return {};
    case Value::Kind::nil:
      return Value::nil();
    case Value::Kind::boolean:
      return Value::boolean(take_length(bytes) != 0);
    case Value::Kind::integer:
      return Value::integer(unzigzag(take_length(bytes)));
    case Value::Kind::number:
    case Value::Kind::text:
    case Value::Kind::symbol: {
      const std::uint64_t length = take_length(bytes);
      if (length > bytes.size()) fail("value bytes end inside a text");
      const std::string_view letters = bytes.substr(0, length);
      bytes.remove_prefix(length);
      if (kind == Value::Kind::number) return Value::number(letters);
      return kind == Value::Kind::text ? Value::text(letters) : Value::symbol(letters);
    }
    case Value::Kind::list:
    case Value::Kind::map: {
      const std::uint64_t count = take_length(bytes);
      if (count > bytes.size()) fail("value bytes end inside a list");
      std::vector<Value> items;
      for (std::uint64_t i = 0; i < count; ++i) items.push_back(take_nested(bytes, depth + 1));
      return kind == Value::Kind::list ? Value::list(items) : Value::map(items);
    }
  }
  fail("value bytes name an unknown kind {}", static_cast<unsigned>(kind));
}

}  // namespace

Value take_value(std::string_view& bytes) { return take_nested(bytes, 0); }

}  // namespace muster
