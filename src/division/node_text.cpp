#include "division/node_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/error.hpp"

namespace muster {
namespace {

class Words {
 public:
  explicit Words(const std::string& line) : line_(line), words_(line) {}

  std::string next() {
    std::string word;
    if (!(words_ >> word)) complain();
    return word;
  }
  std::uint64_t number() {
    try {
      return std::stoull(next());
    } catch (const std::logic_error&) {
      complain();
    }
  }
  [[noreturn]] void complain() const {
    fail("`{}` is no part of a checkpoint; was the file changed?", line_.substr(0, 60));
  }

 private:
  const std::string& line_;
  std::istringstream words_;
};

}  // namespace

NodeText NodeText::parse(const std::string& line) {
  Words words(line);
  NodeText node;
  node.parent = words.number();
  node.parent_branch = words.number();
  node.first_option = words.number();
  node.expanded = words.number() != 0;
  node.enabled = words.number();
  node.asleep = words.number();
  node.to_explore = words.number();
  node.elsewhere = words.number() != 0;
  node.executions = static_cast<double>(words.number());
  for (auto i = words.number(); i > 0; --i) {
    Started& started = node.started.emplace_back();
    started.thread = static_cast<unsigned>(words.number());
    started.parts = static_cast<unsigned>(words.number());
    started.footprint = words.next();
    if (started.footprint == "everything") continue;
    constexpr unsigned words_of_an_access = 4;
    for (auto n = words_of_an_access * std::stoull(started.footprint); n > 0; --n)
      started.footprint += " " + words.next();
  }
  const auto decisions = words.number();
  node.path = std::to_string(decisions);
  for (auto i = decisions; i > 0; --i) {
    const std::string decision = words.next(), transition = words.next(), symmetry = words.next();
    unsigned kind = 0, cost = 0, index = 0;
    if (std::sscanf(decision.c_str(), "%u.%u.%u.", &kind, &cost, &index) != 3) words.complain();
    node.path += " " + decision + " " + transition + " " + symmetry;
    node.indices.push_back(i == 1 ? -1 : static_cast<int>(index));
    node.chooses_value = kind != 0;
    node.transition = std::strtoull(transition.c_str(), nullptr, 10);
  }
  if (node.indices.empty()) words.complain();
  return node;
}

std::string NodeText::line() const {
  std::string out = fmt::format("{} {} {} {:d} {} {} {} {:d} {:.0f} {}", parent, parent_branch, first_option, expanded,
                                enabled, asleep, to_explore, elsewhere, executions, this->started.size());
  for (const Started& branch : started) out += fmt::format(" {} {} {}", branch.thread, branch.parts, branch.footprint);
  return out + " " + path;
}

std::uint64_t NodeText::open() const {
  std::uint64_t begun = 0;
  for (const Started& branch : started) begun |= std::uint64_t{1} << branch.thread;
  return to_explore & ~asleep & ~begun;
}

bool NodeText::waits_for_values() const {
  return std::ranges::any_of(started, [](const Started& branch) { return branch.parts > 0; });
}

}  // namespace muster
