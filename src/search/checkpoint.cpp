#include "search/checkpoint.hpp"

#include <fmt/format.h>

#include <sstream>

#include "base/error.hpp"

namespace muster {
namespace {

/// Which member each word stands for: written and read by the same list.
template <class Checkpoint, class Visit>
void each_number(Checkpoint& checkpoint, const Visit& visit) {
  visit("preemptions", checkpoint.bounds.preemptions);
  visit("late_yields", checkpoint.bounds.late_yields);
  visit("some_bound_exhausted", checkpoint.some_bound_exhausted);
  visit("exhausted_preemptions", checkpoint.exhausted_preemptions);
  visit("exhausted_late_yields", checkpoint.exhausted_late_yields);
  visit("next_number", checkpoint.next_number);
  auto& counters = checkpoint.counters;
  each_count(visit, counters);
  visit("cut_by_preemptions", counters.cut_by_preemptions);
  visit("cut_by_late_yields", counters.cut_by_late_yields);
}

std::string to_text(const Decision& d) {
  return fmt::format("{}.{}.{}.{}.{}.{}", static_cast<unsigned>(d.kind), static_cast<unsigned>(d.cost), d.index,
                     d.count, d.limit, d.running);
}

/// Fingerprints belong to a process: 0 stands for unknown.
bool parse(const std::string& text, Decision& decision) {
  unsigned parts[6];
  if (std::sscanf(text.c_str(), "%3u.%3u.%3u.%3u.%3u.%3u", &parts[0], &parts[1], &parts[2], &parts[3], &parts[4],
                  &parts[5]) != 6)
    return false;
  decision = {};
  decision.kind = static_cast<PointKind>(parts[0]);
  decision.cost = static_cast<Cost>(parts[1]);
  decision.index = static_cast<std::uint8_t>(parts[2]);
  decision.count = static_cast<std::uint8_t>(parts[3]);
  decision.limit = static_cast<std::uint8_t>(parts[4]);
  decision.running = static_cast<ThreadId>(parts[5]);
  return parts[1] < 3 && parts[2] < parts[3] && parts[4] <= parts[3] && parts[5] < 256;
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

std::string to_text(const Checkpoint& checkpoint) {
  std::string out;
  each_number(checkpoint, [&](const char* name, const auto& value) {
    out += fmt::format("{}: {}\n", name, static_cast<std::uint64_t>(value));
  });
  for (const auto& job : checkpoint.jobs) {
    out += "job:" + job_text(job) + "\n";
  }
  for (const std::string& node : checkpoint.tree) out += "node: " + node + "\n";
  return out;
}

Checkpoint parse_checkpoint(const std::string& text, const std::string& file) {
  Checkpoint checkpoint;
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    bool known = false;
    if (name == "job:") {
      known = parse_job(line.substr(4), checkpoint.jobs.emplace_back());
    } else if (name == "node:") {
      checkpoint.tree.push_back(line.substr(6));
      known = true;
    } else {
      std::uint64_t value = 0;
      words >> value;
      each_number(checkpoint, [&](const char* member, auto& into) {
        if (name != fmt::format("{}:", member)) return;
        into = static_cast<std::remove_reference_t<decltype(into)>>(value);
        known = !words.fail();
      });
    }
    if (!known) fail("{}: `{}` is no part of a checkpoint; was the file changed?", file, line.substr(0, 60));
  }
  return checkpoint;
}

}  // namespace muster
