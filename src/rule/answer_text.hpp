#pragma once
// The answer of a call as text: a value as it prints, or "throws TYPE: MESSAGE".

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/tape.hpp"
#include "muster/check_definition.hpp"

namespace muster {

class AnswerText final : public detail::ResponseSink {
 public:
  using Sink::put;
  /// Begins an answer that was declared and not given by the code.
  static constexpr char excuse_mark = '\x01';

  void put(const char* text, std::size_t size) override {
    if (size_ + size > memory_.size()) [[unlikely]]
      make_room(size_ + size);
    copy_piece(memory_.data() + size_, text, size);
    size_ += size;
  }
  void exception(const char* type, const char* message) override;

  void clear() { size_ = 0; }
  void pass(Tape& tape) {
    tape.pass(size_);
    tape.pass(memory_.data(), size_);  // of an execution that has put it there: there is room
  }
  std::string_view text() const { return {memory_.data(), size_}; }

 private:
  [[gnu::noinline]] void make_room(std::size_t size) { memory_.resize(2 * size); }

  std::size_t size_ = 0;
  std::vector<char> memory_ = std::vector<char>(256);
};

/// The exception that is being handled, as such a text.
std::string caught_exception();

}  // namespace muster
