#include "finding/saved_failure.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/error.hpp"

namespace muster {
namespace {

std::string line_of(std::string_view name, std::string_view value) {
  return fmt::format("{}: {}\n", name, one_line(value));
}

/// One line of the file.
class Entry {
 public:
  Entry(std::string_view line, const std::string& file, int number) : file_(file), number_(number) {
    const auto colon = line.find(": ");
    if (colon == std::string_view::npos) fail("{}:{}: expected 'name: value'", file, number);
    name = line.substr(0, colon);
    value_ = line.substr(colon + 2);
  }

  void read(std::string& text) const { text = value_; }
  void read(std::vector<std::string>& texts) const { texts.emplace_back(value_); }
  void read(unsigned& number) const {
    const char* const end = value_.data() + value_.size();
    const auto [stopped, error] = std::from_chars(value_.data(), end, number);
    if (error != std::errc() || stopped != end) wrong("a number");
  }
  /// One of two words.
  void read(bool& value, std::string_view yes, std::string_view no) const {
    value = value_ == yes;
    if (!value && value_ != no) wrong(fmt::format("'{}' or '{}'", yes, no));
  }
  void read(FindingKind& kind) const {
    const auto found = find_word<FindingKind>(value_);
    if (!found) wrong("a kind of finding that this program knows");
    kind = *found;
  }
  [[noreturn]] void unknown() const { fail("{}:{}: unknown entry '{}'", file_, number_, excerpt(name)); }

  std::string_view name;

 private:
  [[noreturn]] void wrong(std::string_view expected) const {
    fail("{}:{}: {} is {}, not '{}'", file_, number_, name, expected, excerpt(value_));
  }

  std::string_view value_;
  const std::string& file_;
  int number_;
};

void read(SavedFailure& saved, const Entry& entry) {
  const std::pair<std::string_view, std::string*> texts[] = {
      {"subject", &saved.subject}, {"schedule", &saved.schedule}, {"test", &saved.test}, {"heap", &saved.heap},
      {"against", &saved.against}, {"quasi", &saved.quasi},       {"spec", &saved.spec}, {"build", &saved.build}};
  const std::pair<std::string_view, std::vector<std::string>*> lists[] = {
      {"argument", &saved.arguments}, {"racy", &saved.racy_sites}, {"shown", &saved.shown_sites}};
  const std::pair<std::string_view, bool*> marks[] = {
      {"planned", &saved.planned}, {"serial", &saved.serial}, {"classic", &saved.classic}};
  for (const auto& [name, text] : texts) {
    if (entry.name == name) return entry.read(*text);
  }
  for (const auto& [name, list] : lists) {
    if (entry.name == name) return entry.read(*list);
  }
  for (const auto& [name, mark] : marks) {
    if (entry.name == name) return entry.read(*mark, "yes", "no");
  }
  if (entry.name == "kind") return entry.read(saved.kind);
  if (entry.name == "races") return entry.read(saved.races, "on", "off");
  if (entry.name == "spurious") return entry.read(saved.spurious_failures);
  entry.unknown();
}

}  // namespace

std::string one_line(std::string_view text) {
  std::string line(text);
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return line;
}

std::string excerpt(std::string_view text) {
  constexpr std::size_t longest = 200;
  std::string shown(text.substr(0, longest));
  std::replace_if(
      shown.begin(), shown.end(), [](unsigned char c) { return c < 0x20 || c >= 0x7f; }, '?');
  return shown + (text.size() > longest ? "…" : "");
}

std::string to_text(const SavedFailure& saved) {
  std::string text = fmt::format("# {}\n", one_line(saved.sentence));
  const auto add = [&](std::string_view name, std::string_view value) {
    if (!value.empty()) text += line_of(name, value);
  };
  const auto add_all = [&](std::string_view name, const std::vector<std::string>& values) {
    for (const std::string& value : values) text += line_of(name, value);
  };
  add("subject", saved.subject);
  add("kind", name(saved.kind));
  add("schedule", saved.schedule);
  add("test", saved.test);
  add("heap", saved.heap);
  add("spurious", std::to_string(saved.spurious_failures));
  add("races", saved.races ? "on" : "off");
  add("build", saved.build);
  add("planned", saved.planned ? "yes" : "");
  add("serial", saved.serial ? "yes" : "");
  add("against", saved.against);
  add("quasi", saved.quasi);
  add("spec", saved.spec);
  add("classic", saved.classic ? "yes" : "");
  add_all("argument", saved.arguments);
  add_all("racy", saved.racy_sites);
  add_all("shown", saved.shown_sites);
  return text;
}

SavedFailure parse_saved_failure(std::string_view text, const std::string& name) {
  SavedFailure saved;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with("# ") && saved.sentence.empty()) saved.sentence = line.substr(2);
    if (line.empty() || line[0] == '#') continue;
    read(saved, Entry(line, name, number));
  }
  if (saved.subject.empty() || saved.schedule.empty()) fail("{}: incomplete: no subject or no schedule", name);
  return saved;
}

}  // namespace muster
