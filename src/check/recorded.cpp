#include "check/recorded.hpp"

#include <span>

namespace muster {
namespace {

std::uint64_t hash_text(std::string_view text) { return hash_bytes(std::as_bytes(std::span(text))); }

}  // namespace

ResponseId Responses::number(std::string_view text) {
  if (texts_.size() * 2 >= table_.size()) grow();
  const std::size_t mask = table_.size() - 1;
  for (std::size_t i = hash_text(text) & mask;; i = (i + 1) & mask) {
    if (table_[i] == 0) {
      texts_.emplace_back(text);
      return table_[i] = static_cast<ResponseId>(texts_.size() + 1);
    }
    if (texts_[table_[i] - 2] == text) return table_[i];
  }
}

void Responses::grow() {
  table_.assign(table_.empty() ? 64 : table_.size() * 2, 0);
  const std::size_t mask = table_.size() - 1;
  for (std::size_t n = 0; n < texts_.size(); ++n) {
    std::size_t i = hash_text(texts_[n]) & mask;
    while (table_[i] != 0) i = (i + 1) & mask;
    table_[i] = static_cast<std::uint32_t>(n + 2);
  }
}

}  // namespace muster
