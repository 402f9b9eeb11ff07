#pragma once
// What is left of a search as lines of "name: value", and what it has learned from and for its workers.

#include <span>
#include <string>
#include <vector>

#include "runtime/racy_sites.hpp"
#include "schedule/rest.hpp"

namespace muster {

std::string job_text(std::span<const Decision> job);
/// False if the text is no job.
bool parse_job(const std::string& text, std::vector<Decision>& job);

/// Without the racy sites, which are addresses in this process.
std::string to_text(const Rest& rest);
/// Takes one such line; false if it is none.
bool parse_entry(Rest& rest, const std::string& name, const std::string& value);

void keep_learned(Rest& rest, const RacySites& from);
void learn(RacySites& into, const Rest& rest);

}  // namespace muster
