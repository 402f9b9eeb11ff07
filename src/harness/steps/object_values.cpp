// The values of accesses in words: what they are is known from the type of the place, or from the atomic that the code
// is of; what a heap block holds, from the pointers to it.

#include <fmt/format.h>

#include <algorithm>

#include "harness/steps/object_names.hpp"
#include "harness/steps/steps.hpp"

namespace muster {
namespace {

constexpr const char* unwritten = "?";     // of a block that was just allocated
constexpr std::uint64_t largest_mark = 8;  // below it: marks in the bits that alignment leaves free
constexpr unsigned address_bits = 48;      // what stands above them is a mark, or a count

std::span<const std::byte> bytes_of(const AccessValues::Word& words, unsigned size) {
  return {reinterpret_cast<const std::byte*>(words.data()), size};
}

std::int64_t with_sign(std::uint64_t word, unsigned size) {
  const unsigned unused = 64 - 8 * size;
  return static_cast<std::int64_t>(word << unused) >> unused;
}

std::string marks_text(std::uint64_t marks) {
  const std::uint64_t low = marks % largest_mark, high = marks >> address_bits;
  return (low ? fmt::format("|{}", low) : "") + (high ? fmt::format(" tag {}", high) : "");
}

bool is_somewhere(const Location& location) { return location.block != 0 || location.stack_of != no_thread; }

}  // namespace

TypedPlace ObjectNames::typed(const Location& location) {
  if (location.block != 0) return {blocks_[location.block].type, location.block_offset};
  if (location.frame_code != 0) {
    const auto [entry, fresh] = locals_.try_emplace({location.frame_code, location.from_frame});
    if (fresh) entry->second = symbolizer_.type_of_local(location.frame_code, location.from_frame);
    return entry->second;
  }
  if (location.stack_of != no_thread) return {};
  const auto [entry, fresh] = globals_.try_emplace(location.address);
  if (fresh) entry->second = symbolizer_.type_of_variable(location.address);
  return entry->second;
}

TypeId ObjectNames::value_type(const TracedEvent& traced) {
  const auto value_at = [this, size = traced.values.size](TypedPlace place) {
    const auto [entry, fresh] = value_types_.try_emplace({place, size});
    if (fresh) entry->second = symbolizer_.value_type(place, size);
    return entry->second;
  };
  if (const TypeId type = value_at(typed(traced.location))) return type;
  const auto [atomic, fresh] = atomics_.try_emplace(traced.stack[0]);
  if (fresh && traced.stack[0] != 0) atomic->second = symbolizer_.type_of_atomic(traced.stack[0]);
  return value_at({atomic->second, 0});
}

/// Whether this event says of a block what it holds.
bool ObjectNames::learn_types(const TracedEvent& traced) {
  bool learns = false;
  if (traced.values.size < sizeof(std::uint64_t)) return learns;
  symbolizer_.for_each_pointer(value_type(traced), [&](std::uint64_t offset, TypeId pointee) {
    if (pointee == 0 || offset % sizeof(std::uint64_t) != 0 || offset >= traced.values.size) return;
    for (const TracedValues::Value* value :
         {&traced.values.found, &traced.values.left, &traced.values.wanted, &traced.values.newest}) {
      const Location& at = value->at[offset / sizeof(std::uint64_t)];
      if (at.block == 0 || at.block_offset != 0 || blocks_[at.block].type != 0) continue;
      blocks_[at.block].type = pointee;
      learns = true;
    }
  });
  return learns;
}

std::string ObjectNames::pointer_text(std::uint64_t word, const Location& at, TypeId pointee) {
  if (word == 0) return "null";
  if (!is_somewhere(at)) {
    if (word < 4096) return std::to_string(word);  // no address: a value that stands for something
    const std::string name = symbolizer_.variable(word);
    return name.empty() ? "" : "&" + name;
  }
  const std::uint64_t marks = word - at.address;
  const std::uint64_t aligned = symbolizer_.size(pointee);
  const bool is_exact = aligned == 0 || aligned >= largest_mark;  // else the lowest bits are of the address
  std::string name = at.block != 0 ? block_name(at.block) : place_text(at);
  if (at.block != 0 && at.block_offset != 0) {
    const std::string member = symbolizer_.member({blocks_[at.block].type, at.block_offset});
    name += member.empty() ? fmt::format("+{}", at.block_offset) : member;
  }
  if (name.empty() || (!is_exact && marks != 0)) return "";
  if (at.block == 0 || at.block_offset != 0) name = "&" + name;
  return name + marks_text(marks);
}

std::string ObjectNames::number_text(std::uint64_t word, unsigned size) const {
  constexpr std::int64_t largest = 1 << 30;  // what is larger may be anything: an address, a floating-point number
  const std::int64_t number = with_sign(word, size);
  return number < largest && number > -largest ? std::to_string(number) : "";
}

std::string ObjectNames::text(const TracedEvent& traced, const TracedValues::Value& value) {
  const unsigned size = traced.values.size;
  const std::span<const std::byte> bytes = bytes_of(value.words, size);
  const auto is_fresh = [](std::byte byte) { return byte == std::byte{TestHeap::fresh_content}; };
  if (traced.location.block != 0 && std::ranges::all_of(bytes, is_fresh)) return unwritten;
  const TypeId type = value_type(traced);
  std::string text = symbolizer_.text(type, bytes, [&](std::uint64_t offset, TypeId pointee) -> std::string {
    if (offset % sizeof(std::uint64_t) != 0) return {};
    const std::size_t i = offset / sizeof(std::uint64_t);
    return pointer_text(value.words[i], value.at[i], pointee);
  });
  // Pointers are also kept in numbers, with marks.
  const std::uint64_t word = value.words[0];
  const bool is_number = size == sizeof word && (type == 0 || text == std::to_string(word));
  if (is_number && is_somewhere(value.at[0])) return pointer_text(word, value.at[0], 0);
  if (is_number && word != 0 && word << (64 - address_bits) == 0) return "null" + marks_text(word);
  return type == 0 && size <= sizeof(std::uint64_t) ? number_text(word, size) : text;
}

std::string ObjectNames::values(const TracedEvent& traced) {
  using enum AccessValues::Deed;
  const TracedValues& values = traced.values;
  if (values.deed == none || values.size == 0) return {};
  const std::string found = values.finds_leftovers ? std::string(unwritten) : text(traced, values.found);
  if (values.deed == read && values.finds_leftovers) return {};
  if (values.deed == read) return found.empty() ? "" : "= " + found;
  const std::string left = text(traced, values.left);
  const bool is_telling = !found.empty() && !left.empty();
  if (values.deed != failed_exchange)
    return !is_telling ? "" : found == unwritten ? "= " + left : fmt::format("{} → {}", found, left);
  const std::string wanted = text(traced, values.wanted);
  if (!is_telling || wanted.empty()) return ": fails";
  if (values.found.words == values.wanted.words) return fmt::format("{} → {}: fails spuriously", wanted, left);
  return fmt::format("{} → {}: fails, {} is {}", wanted, left, name(traced), found);
}

std::string ObjectNames::newest_value(const TracedEvent& traced) {
  return traced.values.missed.writer == no_thread ? "" : text(traced, traced.values.newest);
}

}  // namespace muster
