#include "instrument/descriptions.hpp"

#include <algorithm>
#include <charconv>

#include "base/error.hpp"

namespace muster {
namespace {

constexpr std::string_view blanks = " \t\r";
constexpr unsigned last_argument = 6;  // those in registers, of numbers and addresses

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(blanks);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

/// Names that only descriptions know: each is the same in all of them.
std::vector<std::string>& object_names() {
  static std::vector<std::string> names;
  return names;
}

std::optional<std::uint32_t> number_of(std::string_view name) {
  auto& names = object_names();
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return static_cast<std::uint32_t>(found - names.begin());
  if (names.size() == most_named_objects) return std::nullopt;
  names.emplace_back(name);
  return static_cast<std::uint32_t>(names.size() - 1);
}

/// One line, word by word.
class DescriptionLine {
 public:
  DescriptionLine(std::string_view text, const std::string& source, unsigned line)
      : rest_(text), source_(source), line_(line) {}

  template <class... Arguments>
  [[noreturn]] void complain(fmt::format_string<Arguments...> format, Arguments&&... arguments) const {
    fail("{}:{}: {}", source_, line_, fmt::format(format, std::forward<Arguments>(arguments)...));
  }

  bool is_at_end() const { return trimmed(rest_).empty(); }

  /// Goes past these words if they come next.
  bool takes(std::string_view words) {
    DescriptionLine ahead = *this;
    for (std::string_view left = words; !left.empty();) {
      const auto end = std::min(left.find(' '), left.size());
      if (ahead.is_at_end() || ahead.word() != left.substr(0, end)) return false;
      left.remove_prefix(std::min(end + 1, left.size()));
    }
    rest_ = ahead.rest_;
    return true;
  }

  void expect(std::string_view words, std::string_view where) {
    if (!takes(words))
      complain("'{}' is missing {}{}", words, where, is_at_end() ? "" : fmt::format(", before '{}'", peek()));
  }

  std::string_view word() {
    rest_ = trimmed(rest_);
    if (rest_.empty()) complain("something is missing at the end of the line");
    const auto end = std::min(rest_.find_first_of(blanks), rest_.size());
    const std::string_view taken = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return taken;
  }

  std::string_view peek() const { return DescriptionLine(*this).word(); }

  template <class Number>
  Number number(std::string_view what) {
    const std::string_view text = word();
    Number value{};
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc() || end != text.data() + text.size()) complain("{} is a number, not '{}'", what, text);
    return value;
  }

  std::uint8_t argument() {
    const auto number = this->number<unsigned>("what follows 'argument'");
    if (number == 0 || number > last_argument)
      complain("arguments are counted from 1 to {}, and {} is none of them", last_argument, number);
    return static_cast<std::uint8_t>(number - 1);
  }

  DeedObject object() {
    if (takes("argument")) return {DeedObject::Kind::argument, argument(), 0};
    if (takes("the result")) return {DeedObject::Kind::result, 0, 0};
    const std::string_view name = word();
    if (!std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-'; }))
      complain("'{}' is neither 'argument N', nor 'the result', nor a name of letters and digits", name);
    const auto number = number_of(name);
    if (!number) complain("there are at most {} names, and '{}' is one more", most_named_objects, name);
    return {DeedObject::Kind::named, 0, *number};
  }

 private:
  std::string_view rest_;
  const std::string& source_;
  unsigned line_;
};

/// After how many there are: "bytes", "times 4 bytes", "times argument 3 bytes".
void read_bytes_each(DescriptionLine& line, CallDeed& deed) {
  deed.bytes = 1;
  if (line.takes("times argument"))
    deed.times = line.argument();
  else if (line.takes("times"))
    deed.bytes = line.number<std::uint32_t>("a size");
  line.expect("bytes", "after a size");
}

/// "if it returns 0" may come last.
void read_condition(DescriptionLine& line, CallDeed& deed) {
  if (!line.takes("if it returns")) return;
  deed.when = CallDeed::When::zero;
  if (line.takes("0")) return;
  line.expect("non-zero", "after 'if it returns'");
  deed.when = CallDeed::When::not_zero;
}

/// "8 bytes of argument 1", "argument 2 bytes of argument 1", "argument 2 times 4 bytes of …", "the result bytes of …",
/// "the text of argument 1".
CallDeed memory_deed(DescriptionLine& line, CallDeed::Kind kind) {
  CallDeed deed{.kind = kind, .object = {}};
  if (line.takes("the text")) {
    deed.size = CallDeed::Size::text;
  } else if (line.takes("the result")) {
    deed.size = CallDeed::Size::result;
    read_bytes_each(line, deed);
  } else if (line.takes("argument")) {
    deed.size = CallDeed::Size::counted;
    deed.counter = line.argument();
    read_bytes_each(line, deed);
  } else {
    deed.bytes = line.number<std::uint32_t>("a size");
    if (!line.takes("byte")) line.expect("bytes", "after a size");
  }
  line.expect("of argument", "after what is read or written");
  deed.object = {DeedObject::Kind::argument, line.argument(), 0};
  read_condition(line, deed);
  return deed;
}

/// "calls argument 2 with argument 1 once NAME is left".
CallDeed calling_deed(DescriptionLine& line) {
  CallDeed deed{.kind = CallDeed::Kind::calls_left, .object = {}};
  line.expect("argument", "after 'calls'");
  deed.counter = line.argument();
  line.expect("with argument", "after what is called");
  deed.bytes = line.argument();
  line.expect("once", "after what it is called with");
  deed.object = line.object();
  line.expect("is left", "after what is waited for");
  return deed;
}

CallDeed waiting_deed(DescriptionLine& line) {
  if (line.takes("all calls of")) return {.kind = CallDeed::Kind::waits_called, .object = line.object()};
  CallDeed deed{.kind = CallDeed::Kind::waits_left, .object = line.object()};
  line.expect("is", "after what is waited for");
  if (line.takes("set"))
    deed.kind = CallDeed::Kind::waits_set;
  else if (!line.takes("left"))
    line.complain("one waits until something 'is set' or 'is left'");
  else if (line.takes("from outside"))
    deed.kind = CallDeed::Kind::waits_left_outside;
  return deed;
}

/// "meets 3 threads at NAME", "meets argument 2 threads at argument 1".
CallDeed meeting_deed(DescriptionLine& line) {
  CallDeed deed{.kind = CallDeed::Kind::meets, .object = {}};
  if (line.takes("argument")) {
    deed.size = CallDeed::Size::counted;
    deed.counter = line.argument();
  } else {
    deed.bytes = line.number<std::uint32_t>("a number of threads");
  }
  line.expect("threads at", "after their number");
  deed.object = line.object();
  return deed;
}

std::optional<CallDeed::Kind> simple_deed(DescriptionLine& line) {
  using enum CallDeed::Kind;
  constexpr std::pair<std::string_view, CallDeed::Kind> words[] = {
      {"acquires", acquires}, {"releases", releases}, {"locks", locks}, {"shares", locks_shared}, {"unlocks", unlocks},
      {"enters", enters},     {"leaves", leaves},     {"sets", sets},   {"resets", resets},
  };
  for (const auto& [word, kind] : words) {
    if (line.takes(word)) return kind;
  }
  return std::nullopt;
}

CallDeed deed_of(DescriptionLine& line) {
  if (line.takes("reads")) return memory_deed(line, CallDeed::Kind::reads);
  if (line.takes("writes")) return memory_deed(line, CallDeed::Kind::writes);
  if (line.takes("blocks until")) return waiting_deed(line);
  if (line.takes("meets")) return meeting_deed(line);
  if (line.takes("calls")) return calling_deed(line);
  if (const auto kind = simple_deed(line)) {
    CallDeed deed{.kind = *kind, .object = line.object()};
    if (deed.object.kind == DeedObject::Kind::result && deed.kind != CallDeed::Kind::acquires)
      line.complain("only what is acquired can be what the function returns: it is not known before");
    if (deed.kind == CallDeed::Kind::acquires) read_condition(line, deed);
    return deed;
  }
  line.complain(
      "'{}' is nothing that a function does: harmless, reads, writes, acquires, releases, locks, shares, unlocks, "
      "enters, leaves, sets, resets, meets, calls, blocks until, returns, may order threads, is not called, is not "
      "supported",
      line.peek());
}

void add_deed(FunctionDescription& function, DescriptionLine line) {
  if (line.takes("harmless")) {
    function.harmless = true;
  } else if (line.takes("is not supported")) {
    function.unsupported = true;
  } else if (line.takes("may order threads")) {
    function.may_order = true;
  } else if (line.takes("is not called")) {
    if (!function.returns) function.returns = 0;
  } else if (line.takes("returns")) {
    function.returns = line.number<std::int64_t>("what a function returns");
    line.expect("without being called", "after what it returns");
  } else {
    function.deeds.push_back(deed_of(line));
  }
  if (!line.is_at_end())
    line.complain("nothing is expected before '{}': a comma stands between two deeds", line.peek());
}

/// Where the name ends: at a colon that is none of "::".
std::size_t end_of_name(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != ':') continue;
    if (i + 1 < text.size() && text[i + 1] == ':')
      ++i;
    else
      return i;
  }
  return text.npos;
}

FunctionDescription function_of(std::string_view text, const std::string& source, unsigned number) {
  const DescriptionLine line(text, source, number);
  const std::size_t colon = end_of_name(text);
  if (colon == text.npos) line.complain("'{}' is not 'NAME: what it does'", text);
  FunctionDescription function;
  function.name = trimmed(text.substr(0, colon));
  if (function.name.empty()) line.complain("there is no name before the colon");
  for (std::string_view rest = text.substr(colon + 1);;) {
    const auto comma = std::min(rest.find(','), rest.size());
    const DescriptionLine deed(rest.substr(0, comma), source, number);
    if (deed.is_at_end())
      line.complain("what {} does is missing{}", function.name, comma < rest.size() ? " before a comma" : "");
    add_deed(function, deed);
    if (comma == rest.size()) break;
    rest.remove_prefix(comma + 1);
  }
  const bool does_something = !function.deeds.empty() || function.returns || function.may_order;
  if ((function.harmless && (does_something || function.unsupported)) || (function.unsupported && does_something))
    line.complain("what is harmless, or not supported, does nothing else that is to be told");
  if (function.may_order && function.returns) line.complain("what is not called does nothing that is not known");
  return function;
}

}  // namespace

std::uint32_t named_objects() { return static_cast<std::uint32_t>(object_names().size()); }

std::vector<FunctionDescription> parse_descriptions(std::string_view text, const std::string& source,
                                                    unsigned first_line) {
  std::vector<FunctionDescription> functions;
  std::string library;
  for (unsigned number = first_line; !text.empty(); ++number) {
    const auto end = std::min(text.find('\n'), text.size());
    const std::string_view whole = text.substr(0, end);
    const std::string_view line = trimmed(whole.substr(0, whole.find('#')));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) continue;
    if (DescriptionLine words(line, source, number); words.takes("library")) {
      library = words.word();
      if (!words.is_at_end()) words.complain("after 'library' comes how the name of its file begins, and nothing else");
      continue;
    }
    functions.push_back(function_of(line, source, number));
    functions.back().library = library;
  }
  return functions;
}

}  // namespace muster
