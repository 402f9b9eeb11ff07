#include "rule/recorded.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <span>

namespace muster {
namespace {

std::uint64_t hash_text(std::string_view text) { return hash_bytes(std::as_bytes(std::span(text))); }

}  // namespace

ResponseId Responses::number(std::string_view text) {
  if (texts_.size() * 2 >= table_.size()) grow();
  const std::size_t mask = table_.size() - 1;
  const std::uint64_t hash = hash_text(text);
  for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
    if (table_[i] == 0) {
      texts_.emplace_back(text);
      lasting_.push_back(hash);
      return table_[i] = static_cast<ResponseId>(texts_.size() + 1);
    }
    if (texts_[table_[i] - 2] == text) return table_[i];
  }
}

void Recorded::rearrange() {
  std::vector<unsigned> calls;
  for (std::uint64_t mask = called; mask; mask &= mask - 1)
    calls.push_back(static_cast<unsigned>(std::countr_zero(mask)));
  // What had returned before one call had returned before every later one.
  std::stable_sort(calls.begin(), calls.end(),
                   [&](unsigned a, unsigned b) { return std::popcount(before[a]) < std::popcount(before[b]); });
  mark_count = 0;
  std::uint64_t ended = 0;
  const auto end = [&](std::uint64_t operations) {
    for (std::uint64_t mask = operations & ~ended; mask; mask &= mask - 1)
      marks[mark_count++] = {static_cast<std::uint8_t>(std::countr_zero(mask)), true};
    ended |= operations;
  };
  for (const unsigned operation : calls) {
    end(before[operation]);
    marks[mark_count++] = {static_cast<std::uint8_t>(operation), false};
  }
  end(returned);
}

ResponseId Responses::any_of(const std::vector<std::string>& answers) {
  std::vector<ResponseId> numbers;
  for (const std::string& answer : answers) numbers.push_back(number(answer));
  for (const auto& [id, known] : alternatives_) {
    if (known == numbers) return id;
  }
  texts_.push_back(fmt::format("{}", fmt::join(answers, " or ")));
  lasting_.push_back(hash_text(texts_.back()));
  const auto id = static_cast<ResponseId>(texts_.size() + 1);
  alternatives_.emplace(id, std::move(numbers));
  return id;
}

bool Responses::fits(ResponseId seen, ResponseId told) const {
  if (seen == told) return true;
  const auto found = alternatives_.find(told);
  return found != alternatives_.end() &&
         std::find(found->second.begin(), found->second.end(), seen) != found->second.end();
}

void Responses::grow() {
  table_.assign(table_.empty() ? 64 : table_.size() * 2, 0);
  const std::size_t mask = table_.size() - 1;
  for (std::size_t n = 0; n < texts_.size(); ++n) {
    if (alternatives_.contains(static_cast<ResponseId>(n + 2))) continue;
    std::size_t i = lasting_[n + 2] & mask;
    while (table_[i] != 0) i = (i + 1) & mask;
    table_[i] = static_cast<std::uint32_t>(n + 2);
  }
}

}  // namespace muster
