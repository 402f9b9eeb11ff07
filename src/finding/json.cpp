#include "finding/json.hpp"

#include <fmt/format.h>

#include <concepts>
#include <iterator>
#include <utility>

#include "finding/fields.hpp"

namespace muster {
namespace {

/// How many bytes the character at `at` takes; 0 if what stands there is no UTF-8.
std::size_t character_size(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : std::uint8_t{0};
  };
  const unsigned lead = byte(0);
  const std::size_t size = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  // Longer than needed, halves of surrogate pairs, and beyond the last character.
  if ((lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xed && byte(1) > 0x9f)) return 0;
  if ((lead == 0xf0 && byte(1) < 0x90) || (lead == 0xf4 && byte(1) > 0x8f)) return 0;
  return size;
}

class Writer {
 public:
  explicit Writer(JsonLayout layout) : compact_(layout == JsonLayout::compact) {}

  template <class T>
  void operator()(const char* name, const T& value) {
    if (value != T{}) always(name, value);
  }

  template <class T>
  void always(const char* name, const T& value) {
    if (!std::exchange(first_, false)) out_ += ',';
    new_line();
    append_json_text(out_, name);
    out_ += compact_ ? ":" : ": ";
    write(value);
  }

  template <class T>
  std::string document(const T& value) {
    out_ = "{";
    ++depth_;
    always("format", std::string("muster-report"));
    always("version", report_version);
    fields(*this, value);
    --depth_;
    new_line();
    out_ += '}';
    return std::move(out_);
  }

 private:
  void write(const std::string& text) { append_json_text(out_, text); }
  void write(bool value) { out_ += value ? "true" : "false"; }
  void write(double value) { out_ += fmt::format("{:.6g}", value); }
  template <std::integral T>
  void write(T value) {
    fmt::format_to(std::back_inserter(out_), "{}", value);
  }
  void write(Worded auto value) { append_json_text(out_, name(value)); }

  template <class T>
  void write(const std::vector<T>& items) {
    // Lists of plain values stand on one line; objects take a line each, so that a changed one shows in a diff.
    constexpr bool plain = std::is_same_v<T, std::string> || std::is_arithmetic_v<T>;
    out_ += '[';
    ++depth_;
    bool first = true;
    for (const T& item : items) {
      if (!std::exchange(first, false)) out_ += plain && !compact_ ? ", " : ",";
      if (!plain) new_line();
      write(item);
    }
    --depth_;
    if (!plain && !items.empty()) new_line();
    out_ += ']';
  }

  template <class T>
  requires requires(Writer& writer, const T& value) { fields(writer, value); }
  void write(const T& value) {
    out_ += '{';
    const bool outer = std::exchange(first_, true);
    ++depth_;
    fields(*this, value);
    --depth_;
    if (!first_) new_line();
    out_ += '}';
    first_ = outer;
  }

  void new_line() {
    if (compact_) return;
    out_ += '\n';
    out_.append(depth_, ' ');
  }

  bool compact_;
  std::string out_;
  std::size_t depth_ = 0;
  bool first_ = true;
};

}  // namespace

void append_json_text(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t size = character_size(text, i);
    const std::string_view character = text.substr(i, size);
    const auto c = static_cast<unsigned char>(text[i]);
    if (size == 0) {
      out += "\\ufffd";
    } else if (character == "\xe2\x80\xa8" || character == "\xe2\x80\xa9") {
      // Valid in JSON, but JavaScript once took these two for ends of lines.
      out += character.back() == '\xa8' ? "\\u2028" : "\\u2029";
    } else if (c == '"' || c == '\\') {
      out += '\\';
      out += text[i];
    } else if (c == '\n') {
      out += "\\n";
    } else if (c < 0x20 || c == '<' || c == '>' || c == '&' || c == 0x7f) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", c);
    } else {
      out += character;
    }
    i += size == 0 ? 1 : size;
  }
  out += '"';
}

std::string to_json(const Report& report, JsonLayout layout) { return Writer(layout).document(report) + "\n"; }

}  // namespace muster
