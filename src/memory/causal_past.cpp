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

CausalPast::Part& CausalPast::find(ObjectId word, std::uint8_t mask) {
  if (2 * (parts_.size() + 1) > slots_.size()) grow();
  std::uint32_t& first = first_of(word);
  for (std::uint32_t i = first; i != 0; i = parts_[i - 1].next) {
    if (parts_[i - 1].mask == mask) return parts_[i - 1];
  }
  parts_.push_back({word, first, mask, {}, {}});
  first = static_cast<std::uint32_t>(parts_.size());
  return parts_.back();
}

/// There are at least twice as many slots as parts, and so as words.
void CausalPast::grow() {
  slots_.assign(slots_.size() * 2, 0);
  for (std::uint32_t number = 1; number <= parts_.size(); ++number) {
    Part& part = parts_[number - 1];
    part.next = std::exchange(first_of(part.word), number);
  }
}

void CausalPast::touch(const ClockOps& clocks, ThreadId thread, std::uint16_t number, ObjectId object, std::size_t size,
                       bool reads_only) {
  Clock& past = of_[thread];
  past.lane[thread] = number;
  const ObjectId end = object + (size == 0 ? 1 : size);
  const auto for_each_word = [&](auto function) {
    for (ObjectId at = object; at < end; at = (at / word_size + 1) * word_size) {
      const ObjectId length = std::min(end, (at / word_size + 1) * word_size) - at;
      function(at / word_size, static_cast<std::uint8_t>(((1u << length) - 1) << at % word_size));
    }
  };
  for_each_word([&](ObjectId word, std::uint8_t mask) {
    for (std::uint32_t i = first_of(word); i != 0; i = parts_[i - 1].next) {
      const Part& part = parts_[i - 1];
      if (part.mask & mask) clocks.join(past, reads_only ? part.written : part.touched);
    }
  });
  for_each_word([&](ObjectId word, std::uint8_t mask) {
    Part& touched = find(word, mask);
    clocks.join(touched.touched, past);
    if (!reads_only) clocks.join(touched.written, past);
  });
}

}  // namespace muster
