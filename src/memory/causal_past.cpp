#include "memory/causal_past.hpp"

#include <algorithm>
#include <utility>

#include "base/hash.hpp"

namespace muster {
namespace {

constexpr ObjectId word_size = 8;

}  // namespace

void CausalPast::begin_execution() {
  parts_.clear();
  slots_.assign(64, 0);
  for (Clock& past : of_) past = {};
}

std::uint32_t& CausalPast::first_of(ObjectId word) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t i = mix(word, 0) & mask;
  while (slots_[i] != 0 && parts_[slots_[i] - 1].word != word) i = (i + 1) & mask;
  return slots_[i];
}

/// Its number.
std::uint32_t CausalPast::add(ObjectId word, std::uint8_t mask) {
  if (2 * (parts_.size() + 1) > slots_.size()) grow();
  std::uint32_t& first = first_of(word);
  parts_.push_back({word, first, mask, {}, {}});
  return first = static_cast<std::uint32_t>(parts_.size());
}

/// There are at least twice as many slots as parts, and so as words.
void CausalPast::grow() {
  slots_.assign(slots_.size() * 2, 0);
  for (std::uint32_t number = 1; number <= parts_.size(); ++number) {
    Part& part = parts_[number - 1];
    part.next = std::exchange(first_of(part.word), number);
  }
}

/// What the bytes of a word were touched by; the number of the part that has just these, 0 if there is none.
std::uint32_t CausalPast::join(const ClockOps& clocks, Clock& past, ObjectId word, std::uint8_t mask, bool reads_only) {
  std::uint32_t found = 0;
  for (std::uint32_t i = first_of(word); i != 0; i = parts_[i - 1].next) {
    const Part& part = parts_[i - 1];
    if (part.mask & mask) clocks.join(past, reads_only ? part.written : part.touched);
    if (part.mask == mask) found = i;
  }
  return found;
}

void CausalPast::note(const ClockOps& clocks, const Clock& past, std::uint32_t part, bool reads_only) {
  Part& touched = parts_[part - 1];
  clocks.join(touched.touched, past);
  if (!reads_only) clocks.join(touched.written, past);
}

void CausalPast::touch(const ClockOps& clocks, ThreadId thread, std::uint16_t number, ObjectId object, std::size_t size,
                       bool reads_only) {
  Clock& past = of_[thread];
  past.lane[thread] = number;
  const ObjectId end = object + (size == 0 ? 1 : size);
  const auto mask_at = [=](ObjectId at) {
    const ObjectId length = std::min(end, (at / word_size + 1) * word_size) - at;
    return static_cast<std::uint8_t>(((1u << length) - 1) << at % word_size);
  };
  if (object / word_size == (end - 1) / word_size) [[likely]] {
    const ObjectId word = object / word_size;
    const std::uint8_t mask = mask_at(object);
    const std::uint32_t part = join(clocks, past, word, mask, reads_only);
    return note(clocks, past, part ? part : add(word, mask), reads_only);
  }
  const auto next = [](ObjectId at) { return (at / word_size + 1) * word_size; };
  for (ObjectId at = object; at < end; at = next(at)) join(clocks, past, at / word_size, mask_at(at), reads_only);
  // Each word is touched after all that any of them was touched by.
  for (ObjectId at = object; at < end; at = next(at)) {
    Clock same = past;
    const std::uint32_t part = join(clocks, same, at / word_size, mask_at(at), reads_only);
    note(clocks, past, part ? part : add(at / word_size, mask_at(at)), reads_only);
  }
}

}  // namespace muster
