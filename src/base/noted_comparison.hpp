#pragma once
// Both sides of a comparison that does not hold, as MUSTER_REQUIRE tells them, in memory of its own: nothing is
// allocated for it.

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace muster {

class NotedComparison {
 public:
  /// The sign, before the left side; null before the right one.
  void begin(const char* sign) {
    at_ = sign ? &left_ : &right_;
    if (!sign) return;
    sign_ = sign;
    left_.size = right_.size = 0;
  }
  template <class T>
  void value(T value) {
    const auto end = fmt::format_to_n(at_->text, sizeof at_->text, "{}", value);
    at_->size = std::min(end.size, sizeof at_->text);
  }
  void text(std::string_view text) {
    constexpr std::size_t room = sizeof(Side::text) - 5;
    const bool is_cut = text.size() > room;
    const auto end = fmt::format_to_n(at_->text, sizeof at_->text, "\"{}{}\"", text.substr(0, room), is_cut ? "…" : "");
    at_->size = std::min(end.size, sizeof at_->text);
  }
  void word(std::string_view word) { at_->size = word.copy(at_->text, sizeof at_->text); }

  /// " (1 == 2)"; empty where a side is not known.
  std::string_view told() {
    if (left_.size == 0 || right_.size == 0) return {};
    const auto end = fmt::format_to_n(told_, sizeof told_, " ({} {} {})", left_.view(), sign_, right_.view());
    return {told_, std::min(end.size, sizeof told_)};
  }

 private:
  struct Side {
    char text[64];
    std::size_t size = 0;
    std::string_view view() const { return {text, size}; }
  };
  const char* sign_ = "";
  Side left_, right_;
  Side* at_ = &left_;
  char told_[144];
};

}  // namespace muster
