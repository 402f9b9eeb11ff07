#pragma once
// The answer of a call as text: a value as it prints, or "throws TYPE: MESSAGE".

#include <string>
#include <string_view>

#include "muster/check_definition.hpp"
#include "runtime/tape.hpp"

namespace muster {

class AnswerText final : public detail::ResponseSink {
 public:
  AnswerText() { text_.reserve(256); }

  using Sink::put;
  void put(const char* text, std::size_t size) override { text_.append(text, size); }
  void exception(const char* type, const char* message) override;

  void clear() { text_.clear(); }
  void pass(Tape& tape) {
    std::size_t size = text_.size();
    tape.pass(size);
    text_.resize(size);
    tape.pass(text_.data(), size);
  }
  std::string_view text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace muster
