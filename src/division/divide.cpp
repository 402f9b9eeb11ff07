#include "division/divide.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <utility>

#include "base/error.hpp"
#include "base/hash.hpp"

namespace muster {
namespace {

constexpr unsigned nobody = ~0u, several = ~0u - 1;

/// What is left of a search of one test or scenario, and who takes it.
struct Share {
  std::vector<unsigned> jobs, nodes;  // the part, by number from 0
};

/// A job says nothing of its size but how deep it begins.
double weight_of_job(const std::string& job) {
  constexpr double growth = 1.4;
  return std::pow(growth, -static_cast<double>(std::ranges::count(job, '.')) / 5);
}

double weight_of(const NodeText& node) {
  return node.elsewhere ? 0 : std::max(1.0, node.executions) * std::popcount(node.open());
}

/// Hands out pieces one after the other, so that each part gets neighbours of about the same weight in all.
class Dealer {
 public:
  Dealer(double weight, std::size_t pieces, unsigned parts) : weight_(weight), pieces_(pieces), parts_(parts) {}

  unsigned part_for(double weight) {
    const unsigned left = parts_ - part_;  // this one included
    const bool enough = has_any_ && given_ + weight / 2 > weight_ / left;
    if ((enough || (has_any_ && pieces_ < left)) && left > 1) {
      weight_ -= given_;
      given_ = 0;
      has_any_ = false;
      ++part_;
    }
    given_ += weight;
    has_any_ = true;
    --pieces_;
    return part_;
  }

 private:
  double weight_;       // of all that is not in a part that is full
  std::size_t pieces_;  // that are left
  unsigned parts_;
  unsigned part_ = 0;
  double given_ = 0;  // to this part
  bool has_any_ = false;
};

/// A value that decides what the first transition of a branch touches goes with the node of that branch, which waits
/// for it.
void keep_values_together(const std::vector<NodeText>& nodes, std::vector<unsigned>& parts) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    std::size_t above = i;
    while (nodes[above].chooses_value && nodes[above].parent < nodes.size()) above = nodes[above].parent;
    if (above == i || nodes[above].transition != nodes[i].transition || !nodes[above].waits_for_values()) continue;
    if (parts[above] == nobody)
      parts[above] = parts[i];
    else
      parts[i] = parts[above];
  }
}

/// Where nothing is left, whoever does all that is left below may take what turns out to be wanted.
std::vector<unsigned> who_sees_to(const std::vector<NodeText>& nodes, const std::vector<unsigned>& parts) {
  std::vector<unsigned> below(nodes.size(), nobody);
  for (std::size_t i = nodes.size(); i-- > 0;) {
    const auto join = [&](unsigned part) { below[i] = below[i] == nobody || below[i] == part ? part : several; };
    if (parts[i] != nobody) join(parts[i]);
    if (nodes[i].parent >= nodes.size() || below[i] == nobody) continue;
    unsigned& above = below[nodes[i].parent];
    above = above == nobody || above == below[i] ? below[i] : several;
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (parts[i] != nobody) below[i] = parts[i];
  }
  return below;
}

/// The nodes that a part takes something at, with all above them.
std::vector<NodeText> nodes_of(const std::vector<NodeText>& nodes, const std::vector<unsigned>& parts, unsigned part) {
  std::vector<bool> needed(nodes.size());
  for (std::size_t i = nodes.size(); i-- > 0;) {
    if (parts[i] == part) needed[i] = true;
    if (needed[i] && nodes[i].parent < nodes.size()) needed[nodes[i].parent] = true;
  }
  const std::vector<unsigned> sees_to = who_sees_to(nodes, parts);
  std::vector<NodeText> taken;
  std::vector<std::uint64_t> numbers(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!needed[i]) continue;
    numbers[i] = taken.size();
    NodeText& node = taken.emplace_back(nodes[i]);
    node.elsewhere |= sees_to[i] != part;
    if (node.parent < nodes.size()) node.parent = numbers[node.parent];
  }
  return taken;
}

BegunText part_of(const BegunText& search, const Share& share, unsigned part, bool first) {
  BegunText mine = search;
  mine.set_number("part", 1);
  if (!first) {  // what was counted so far counts once
    for (auto& [name, count] : mine.counts) count = 0;
    mine.met.clear();
  }
  mine.jobs.clear();
  for (std::size_t i = 0; i < search.jobs.size(); ++i) {
    if (share.jobs[i] == part) mine.jobs.push_back(search.jobs[i]);
  }
  mine.nodes = nodes_of(search.nodes, share.nodes, part);
  return mine;
}

}  // namespace

std::vector<CheckpointText> divide(const CheckpointText& whole, unsigned count) {
  const std::vector<std::uint64_t> tests = whole.tests_left();
  double weight = 0;
  std::size_t pieces = 0;
  for (const BegunText& search : whole.begun) {
    for (const std::string& job : search.jobs) weight += weight_of_job(job), ++pieces;
    for (const NodeText& node : search.nodes) weight += weight_of(node), pieces += weight_of(node) > 0;
  }
  if (pieces + tests.size() == 0)
    fail("{}: nothing is left that could be divided; --resume {} goes on with what comes next", whole.name, whole.name);
  const auto parts = static_cast<unsigned>(std::min<std::size_t>(count, std::max(pieces, tests.size())));
  Dealer dealer(weight, pieces, parts);
  std::vector<Share> shares;
  for (const BegunText& search : whole.begun) {
    Share& share = shares.emplace_back();
    for (const std::string& job : search.jobs) share.jobs.push_back(dealer.part_for(weight_of_job(job)));
    for (const NodeText& node : search.nodes)
      share.nodes.push_back(weight_of(node) > 0 ? dealer.part_for(weight_of(node)) : nobody);
    keep_values_together(search.nodes, share.nodes);
  }
  const std::string text = to_text(whole);
  const std::string division = fmt::format("{:016x}", hash_bytes(std::as_bytes(std::span(text))));
  std::vector<CheckpointText> divided;
  std::vector<bool> counted(whole.begun.size());
  for (unsigned part = 0; part < parts; ++part) {
    CheckpointText& mine = divided.emplace_back(whole);
    if (whole.count == 0) {
      mine.number = part + 1;
      mine.count = parts;
      mine.division = division;
    }
    mine.outcome.clear();
    mine.report.clear();
    mine.begun.clear();
    if (part > 0) {
      mine.elsewhere.insert(mine.elsewhere.end(), mine.tests.begin(), mine.tests.end());
      mine.tests.clear();
      for (auto& [name, total] : mine.totals) total = name == "all_schedules" ? total : 0;
    }
    for (std::size_t i = 0; i < whole.begun.size(); ++i) {
      const BegunText& search = whole.begun[i];
      const bool takes = std::ranges::count(shares[i].jobs, part) + std::ranges::count(shares[i].nodes, part) > 0;
      const bool is_done = search.pieces_left() == 0 && part == 0;
      if (takes || is_done) {
        mine.begun.push_back(part_of(search, shares[i], part, !counted[i]));
        counted[i] = true;
      } else if (!search.test.empty()) {
        const auto test = std::stoull(search.test);
        mine.elsewhere.emplace_back(test, test + 1);
      }
    }
    const std::size_t first = tests.size() * part / parts, end = tests.size() * (part + 1) / parts;
    for (std::size_t i = 0; i < tests.size(); ++i) {
      if (i < first || i >= end) mine.elsewhere.emplace_back(tests[i], tests[i] + 1);
    }
  }
  return divided;
}

}  // namespace muster
