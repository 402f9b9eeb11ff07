// A shared tree as text, for a search that goes on in another process: addresses of globals are told by their module.

#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <bit>
#include <map>
#include <sstream>

#include "base/error.hpp"
#include "memory/arena.hpp"
#include "search/rest_text.hpp"
#include "search/shared_tree.hpp"

namespace muster {
namespace {

constexpr ObjectId queue_bit = objects::queue(0);
constexpr ObjectId first_address = 1 << 16;  // below are objects that are no memory

/// Where the program and its libraries lie in this process.
class Modules {
 public:
  Modules() {
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* self) {
          static_cast<Modules*>(self)->add(*info);
          return 0;
        },
        this);
  }

  /// Nothing for an address that means nothing in another process.
  std::optional<std::string> name(ObjectId object) const {
    const ObjectId address = object & ~queue_bit;
    const char* queue = object & queue_bit ? "q" : "";
    if (address < first_address || Arena::contains(address)) return fmt::format("{}{:x}", queue, address);
    const auto after = ranges_.upper_bound(address);
    if (after == ranges_.begin()) return std::nullopt;
    const Range& range = std::prev(after)->second;
    if (address >= range.end) return std::nullopt;
    return fmt::format("{}{:x}@{}", queue, address - range.base, range.module);
  }

  ObjectId object(std::string text) const {
    const bool queue = text.starts_with("q");
    if (queue) text.erase(0, 1);
    const auto at = text.find('@');
    ObjectId address = std::stoull(text.substr(0, at), nullptr, 16);
    if (at != std::string::npos) {
      const auto base = bases_.find(text.substr(at + 1));
      if (base == bases_.end()) fail("the checkpoint is of a program that had {} loaded", text.substr(at + 1));
      address += base->second;
    }
    return queue ? objects::queue(address) : address;
  }

 private:
  struct Range {
    ObjectId end, base;
    std::string module;
  };

  void add(const dl_phdr_info& info) {
    const std::string path = info.dlpi_name;
    const std::string module = path.empty() ? "program" : path.substr(path.rfind('/') + 1);
    if (module.find(' ') != std::string::npos || !bases_.emplace(module, info.dlpi_addr).second) return;
    for (int i = 0; i < info.dlpi_phnum; ++i) {
      const auto& segment = info.dlpi_phdr[i];
      if (segment.p_type != PT_LOAD) continue;
      const ObjectId begin = info.dlpi_addr + segment.p_vaddr;
      ranges_[begin] = {begin + segment.p_memsz, info.dlpi_addr, module};
    }
  }

  std::map<ObjectId, Range> ranges_;  // by where they begin
  std::map<std::string, ObjectId> bases_;
};

std::string to_text(const StartedBranch& branch, std::uint32_t parts, const Modules& modules) {
  std::string out;
  bool everything = branch.footprint.everything;
  for (const Access& a : branch.footprint.accesses) {
    const auto object = modules.name(a.object);
    if (!object)
      everything = true;
    else
      out += fmt::format(" {} {} {} {:d}{:d}{:d}{:d}{:d}", *object, a.size, static_cast<unsigned>(a.mode), a.blocking,
                         a.enabling, a.counted, a.alternative, a.changes);
  }
  if (everything) return fmt::format(" {} {} everything", branch.thread, parts);
  return fmt::format(" {} {} {}{}", branch.thread, parts, branch.footprint.accesses.size(), out);
}

/// Words of a line; throws Error where one is missing.
class Words {
 public:
  Words(const std::string& line, const Modules& modules) : line_(line), words_(line), modules_(modules) {}

  std::string next() {
    std::string word;
    if (!(words_ >> word)) fail("`{}` is no part of a checkpoint; was the file changed?", line_.substr(0, 60));
    return word;
  }
  template <class T>
  void number(T& into) {
    try {
      into = static_cast<T>(std::stoull(next()));
    } catch (const std::logic_error&) {
      fail("`{}` is no part of a checkpoint; was the file changed?", line_.substr(0, 60));
    }
  }
  template <class T = std::uint64_t>
  T number() {
    T value{};
    number(value);
    return value;
  }
  Access access() {
    Access access;
    access.object = modules_.object(next());
    number(access.size);
    access.mode = number<AccessMode>();
    const std::string flags = next();
    if (flags.size() != 5) fail("`{}` is no part of a checkpoint; was the file changed?", line_.substr(0, 60));
    bool* const members[] = {&access.blocking, &access.enabling, &access.counted, &access.alternative, &access.changes};
    for (std::size_t i = 0; i < flags.size(); ++i) *members[i] = flags[i] == '1';
    return access;
  }
  StartedBranch branch(std::uint32_t& parts) {
    StartedBranch branch{number<ThreadId>(), {}};
    number(parts);
    const std::string count = next();
    branch.footprint.everything = count == "everything";
    if (branch.footprint.everything) return branch;
    for (auto i = std::stoull(count); i > 0; --i) branch.footprint.accesses.push_back(access());
    return branch;
  }
  PlacedDecision decision() {
    std::vector<Decision> parsed;
    if (!parse_job(next(), parsed) || parsed.size() != 1)
      fail("`{}` is no part of a checkpoint; was the file changed?", line_.substr(0, 60));
    parsed[0].reduced = true;
    const auto transition = number<std::uint32_t>();
    number(parsed[0].symmetry);
    return {parsed[0], transition};
  }

 private:
  const std::string& line_;
  std::istringstream words_;
  const Modules& modules_;
};

}  // namespace

/// As a depth-first search would come to them: what is above comes first.
std::vector<BranchNode> SharedTree::in_order() {
  std::vector<BranchNode> nodes;
  for (BranchNode i = 0; i < count_; ++i) {
    if (nodes_[i].in_use) nodes.push_back(i);
  }
  // The last decision is the node's own: which option it had when it was shared says nothing.
  const auto index = [this](BranchNode number, std::uint32_t i) {
    const List<PlacedDecision>& path = nodes_[number].path;
    return i + 1 == path.size ? -1 : int{heap_.at(path)[i].decision.index};
  };
  std::ranges::sort(nodes, [&](BranchNode a, BranchNode b) {
    const std::uint32_t shared = std::min(nodes_[a].path.size, nodes_[b].path.size);
    for (std::uint32_t i = 0; i < shared; ++i) {
      if (index(a, i) != index(b, i)) return index(a, i) < index(b, i);
    }
    return nodes_[a].path.size < nodes_[b].path.size;
  });
  return nodes;
}

std::vector<std::string> SharedTree::save() {
  const Modules modules;
  std::vector<std::string> lines;
  const std::vector<BranchNode> nodes = in_order();
  const bool part = std::ranges::any_of(nodes, [this](BranchNode node) { return nodes_[node].kept; });
  if (lost_ || (waiting_jobs_ == 0 && !part)) return lines;
  std::map<BranchNode, std::size_t> numbers{{no_node, no_node}};
  for (const BranchNode i : nodes) {
    const Node& node = nodes_[i];
    std::string line = fmt::format("{} {} {} {:d} {} {} {} {:d} {:.0f} {}", numbers.at(node.parent), node.parent_branch,
                                   node.first_option, node.expanded, node.enabled, node.asleep, node.to_explore,
                                   node.elsewhere, node.executions, node.started.size);
    for (std::uint32_t b = 0; b < node.started.size; ++b) {
      const Branch& branch = heap_.at(node.started)[b];
      line += to_text(get(branch), branch.parts, modules);
    }
    line += fmt::format(" {}", node.path.size);
    for (std::uint32_t d = 0; d < node.path.size; ++d) {
      const PlacedDecision& placed = heap_.at(node.path)[d];
      line += fmt::format("{} {} {}", job_text({&placed.decision, 1}), placed.transition,
                          static_cast<unsigned>(placed.decision.symmetry));
    }
    numbers.emplace(i, lines.size());
    lines.push_back(std::move(line));
  }
  return lines;
}

void SharedTree::load(const std::vector<std::string>& lines, bool part) {
  const Modules modules;
  const Lock lock(*this);
  root_waits_ = false;
  waiting_jobs_ = 0;
  for (const std::string& line : lines) {
    Words words(line, modules);
    NewBranchNode node;
    std::vector<std::uint32_t> parts;
    words.number(node.parent);
    words.number(node.parent_branch);
    words.number(node.first_option);
    node.expanded = words.number() != 0;
    words.number(node.enabled);
    words.number(node.asleep);
    const auto to_explore = words.number();
    const bool elsewhere = words.number() != 0;
    words.number(node.executions);
    for (auto i = words.number(); i > 0; --i) node.started.push_back(words.branch(parts.emplace_back()));
    for (auto i = words.number(); i > 0; --i) node.path.push_back(words.decision());
    const bool fits = !node.path.empty() && (node.parent == no_node || node.parent < count_) &&
                      (node.path.back().decision.kind != PointKind::thread ||
                       node.started.size() <= static_cast<std::size_t>(std::popcount(node.enabled)));
    if (!fits) fail("`{}` is no part of a checkpoint; was the file changed?", line.substr(0, 60));
    const auto number = add_unlocked(node);
    if (!number) fail("the checkpoint has more than there is room for");
    Node& added = nodes_[*number];
    added.users = 0;
    if (added.parent != no_node) ++nodes_[added.parent].users;
    added.kept = part;
    added.elsewhere = part && elsewhere;
    for (std::size_t b = 0; b < parts.size(); ++b) heap_.at(added.started)[b].parts = parts[b];
    set_to_explore(added, to_explore);
  }
  for (BranchNode i = count_; i-- > 0;) {
    if (nodes_[i].in_use) forget(i);
  }
}

}  // namespace muster
