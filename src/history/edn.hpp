#pragma once
// EDN, the notation of Clojure data, read straight into values. A cursor stands in a text and counts lines as it goes.

#include <stdexcept>
#include <string>
#include <string_view>

#include "history/value.hpp"

namespace muster {

class EdnCursor {
 public:
  /// The text ended inside a form: with more text it may be well-formed.
  struct Incomplete {};
  /// What is wrong, without file and line.
  struct Malformed : std::runtime_error {
    using std::runtime_error::runtime_error;
  };

  EdnCursor(std::string_view text, std::uint32_t line) : text_(text), line_(line) {}

  std::size_t at() const { return at_; }
  std::uint32_t line() const { return line_; }

  /// Skips blanks, commas, comments and discarded forms; false at the end of the text.
  bool skip_blanks();
  /// The next character, which is no blank; throws Incomplete at the end.
  char look();
  void skip_character() { ++at_; }

  /// One value: records and tagged forms are the form that follows the tag; sets are lists.
  Value value(unsigned depth = 0);
  /// Steps over one value without keeping it.
  void skip_value(unsigned depth = 0);
  /// A keyword or other bare word.
  std::string_view word();

 private:
  std::string_view number_or_word();
  Value text();
  Value sequence(char close, unsigned depth);
  Value map(unsigned depth);
  void skip_text();
  void skip_tag();
  Value character();

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_;
};

}  // namespace muster
