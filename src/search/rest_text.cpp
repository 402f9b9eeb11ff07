#include "search/rest_text.hpp"

#include <fmt/format.h>

#include <sstream>
#include <type_traits>

namespace muster {
namespace {

std::string to_text(const Decision& d) {
  return fmt::format("{}.{}.{}.{}.{}.{}.{}", static_cast<unsigned>(d.kind), static_cast<unsigned>(d.cost), d.index,
                     d.count, d.limit, d.running, static_cast<unsigned>(d.memory_model));
}

/// Fingerprints belong to a process: 0 stands for unknown.
bool parse(const std::string& text, Decision& decision) {
  unsigned parts[7] = {};  // the last one is not there in files of older versions
  if (std::sscanf(text.c_str(), "%3u.%3u.%3u.%3u.%3u.%3u.%1u", &parts[0], &parts[1], &parts[2], &parts[3], &parts[4],
                  &parts[5], &parts[6]) < 6)
    return false;
  decision = {};
  decision.kind = static_cast<PointKind>(parts[0]);
  decision.cost = static_cast<Cost>(parts[1]);
  decision.index = static_cast<std::uint8_t>(parts[2]);
  decision.count = static_cast<std::uint8_t>(parts[3]);
  decision.limit = static_cast<std::uint8_t>(parts[4]);
  decision.running = static_cast<ThreadId>(parts[5]);
  decision.memory_model = static_cast<MemoryModel>(parts[6]);
  return parts[1] < 3 && parts[6] < 3 && parts[2] < parts[3] && parts[4] <= parts[3] && parts[5] < 256;
}

}  // namespace

std::string job_text(std::span<const Decision> job) {
  std::string out;
  for (const Decision& decision : job) out += " " + to_text(decision);
  return out;
}

bool parse_job(const std::string& text, std::vector<Decision>& job) {
  std::istringstream words(text);
  bool known = true;
  for (std::string word; words >> word;) known &= parse(word, job.emplace_back());
  return known;
}

std::string to_text(const Rest& rest) {
  std::string out;
  each_number(rest, [&](const char* name, const auto& value) {
    out += fmt::format("{}: {}\n", name, static_cast<std::uint64_t>(value));
  });
  for (const auto& job : rest.jobs) out += "job:" + job_text(job) + " \n";
  for (const std::string& node : rest.tree) out += "node: " + node + "\n";
  return out;
}

bool parse_entry(Rest& rest, const std::string& name, const std::string& value) {
  if (name == "job") return parse_job(value, rest.jobs.emplace_back());
  if (name == "node") {
    rest.tree.push_back(value);
    return true;
  }
  bool known = false;
  each_number(rest, [&](const char* member, auto& into) {
    std::uint64_t number = 0;
    if (name != member || std::sscanf(value.c_str(), "%lu", &number) != 1) return;
    into = static_cast<std::remove_reference_t<decltype(into)>>(number);
    known = true;
  });
  return known;
}

void keep_learned(Rest& rest, const RacySites& from) {
  rest.racy_sites.clear();
  from.for_each([&](std::uint32_t site) { rest.racy_sites.push_back(site); });
  rest.shared_stacks = from.shared_stacks();
  rest.outside_is_written = from.outside_is_written();
  rest.starts_late = from.starts_late();
  rest.sleeps = from.sleeps();
  rest.looks_at_clock = from.looks_at_clock();
  rest.uses_weak_orders = from.uses_weak_orders();
  rest.needs_possible_order = from.needs_possible_order();
}

void learn(RacySites& into, const Rest& rest) {
  for (const std::uint32_t site : rest.racy_sites) into.insert(site);
  into.share_stacks(rest.shared_stacks);
  if (rest.outside_is_written) into.write_outside();
  if (rest.starts_late) into.start_late();
  if (rest.sleeps) into.sleep();
  if (rest.looks_at_clock) into.look_at_clock();
  if (rest.uses_weak_orders) into.use_weak_orders();
  if (rest.needs_possible_order) into.need_possible_order();
}

}  // namespace muster
