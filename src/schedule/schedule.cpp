#include "schedule/schedule.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/hash.hpp"

namespace muster {
namespace {

// A decision prints as four characters: kind, cost, number of options, option taken (base 62); a run of equal ones as
// the decision and a count between dots. The number of options is part of the text, so that a replay in a changed
// program is noticed.
constexpr std::string_view digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
constexpr std::string_view kinds = "tvwbrm";
constexpr std::string_view costs = "fpl";

std::string checksum(std::string_view body) {
  std::uint64_t hash = hash_bytes(std::as_bytes(std::span(body)));
  std::string text;
  for (int i = 0; i < 4; ++i, hash /= 62) text += digits[hash % 62];
  return text;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}
  bool done() const { return at_ == text_.size(); }
  char next() {
    if (done()) fail("schedule '{}' ends too early: copy the whole string", text_);
    return text_[at_++];
  }
  unsigned choice(std::string_view alphabet) {
    const char c = next();
    const auto position = alphabet.find(c);
    if (position == std::string_view::npos) fail("schedule '{}': unexpected '{}' at character {}", text_, c, at_);
    return static_cast<unsigned>(position);
  }
  /// ".12." after a decision: it was taken twelve times in a row.
  unsigned run_length() {
    if (done() || text_[at_] != '.') return 1;
    unsigned run = 0;
    for (++at_; !done() && text_[at_] >= '0' && text_[at_] <= '9' && run <= Schedule::capacity; ++at_) {
      run = run * 10 + static_cast<unsigned>(text_[at_] - '0');
    }
    choice(".");
    return run;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

/// How a schedule says under which rules its decisions were taken.
struct Mode {
  std::string_view letter;
  bool reduced;
  Symmetry symmetry;
  MemoryModel memory_model;
};
constexpr Mode modes[] = {
    {"", false, Symmetry::none, MemoryModel::sc},      {"r", true, Symmetry::none, MemoryModel::sc},
    {"s", true, Symmetry::threads, MemoryModel::sc},   {"d", true, Symmetry::data, MemoryModel::sc},
    {"w", false, Symmetry::none, MemoryModel::c11},    {"rw", true, Symmetry::none, MemoryModel::c11},
    {"sw", true, Symmetry::threads, MemoryModel::c11}, {"dw", true, Symmetry::data, MemoryModel::c11}};

/// What only settles a doubt is no schedule to be shown again: it has the letter of its search.
std::string_view letter_of(const Decision& decision) {
  const bool weak = decision.memory_model != MemoryModel::sc;
  return std::find_if(std::begin(modes), std::end(modes),
                      [&](const Mode& m) {
                        return m.reduced == decision.reduced && m.symmetry == decision.symmetry &&
                               (m.memory_model != MemoryModel::sc) == weak;
                      })
      ->letter;
}

}  // namespace

void Schedule::assign(std::span<const Decision> decisions) {
  if (decisions.size() > capacity)
    fail("a schedule of {} decisions is longer than the {} there is room for", decisions.size(), +capacity);
  std::copy(decisions.begin(), decisions.end(), decisions_);
  size_ = static_cast<std::uint32_t>(decisions.size());
}

unsigned count_preemptions(std::span<const Decision> schedule) {
  unsigned count = 0;
  for (const Decision& d : schedule) count += d.cost == Cost::preemption && d.index > 0;
  return count;
}

std::string to_string(std::span<const Decision> decisions) {
  std::string text;
  for (const Decision& d : decisions) {
    text += kinds[static_cast<unsigned>(d.kind)];
    text += costs[static_cast<unsigned>(d.cost)];
    text += digits[d.count];
    text += digits[d.index];
  }
  // Equal neighbours are the rule (the running thread goes on): write them once with a count.
  std::string packed;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t run = 1;
    while (i + 4 * run < text.size() && text.compare(i + 4 * run, 4, text, i, 4) == 0) ++run;
    packed.append(text, i, 4);
    if (run > 1) packed += fmt::format(".{}.", run);
    i += 4 * run;
  }
  return fmt::format("1{}-{}-{}", decisions.empty() ? "" : letter_of(decisions.front()), packed, checksum(packed));
}

std::vector<Decision> parse_schedule(std::string_view text) {
  const auto last_dash = text.rfind('-');
  const auto first_dash = text.find('-');
  const std::size_t begin = first_dash + 1;
  const auto* mode = text.starts_with("1") && first_dash != std::string_view::npos
                         ? std::find_if(std::begin(modes), std::end(modes),
                                        [&](const Mode& m) { return m.letter == text.substr(1, first_dash - 1); })
                         : std::end(modes);
  if (mode == std::end(modes) || last_dash < begin) {
    fail("'{}' is no schedule: one looks like 1-tp20-abcd, as printed with a finding", text);
  }
  const std::string_view packed = text.substr(begin, last_dash - begin);
  if (checksum(packed) != text.substr(last_dash + 1))
    fail("schedule '{}' is damaged (wrong checksum): copy the whole string", text);
  std::vector<Decision> decisions;
  Reader reader(packed);
  while (!reader.done()) {
    Decision d{};
    d.kind = static_cast<PointKind>(reader.choice(kinds));
    d.cost = static_cast<Cost>(reader.choice(costs));
    d.count = static_cast<std::uint8_t>(reader.choice(digits));
    d.index = static_cast<std::uint8_t>(reader.choice(digits));
    if (d.index >= d.count) fail("schedule '{}' takes option {} of {}", text, d.index, d.count);
    d.limit = d.count;
    d.running = no_thread;
    d.reduced = mode->reduced;
    d.symmetry = mode->symmetry;
    d.memory_model = mode->memory_model;
    const unsigned run = reader.run_length();
    if (run == 0 || decisions.size() + run > Schedule::capacity)
      fail("schedule '{}' repeats a decision {} times", text, run);
    decisions.insert(decisions.end(), run, d);
  }
  return decisions;
}

}  // namespace muster
