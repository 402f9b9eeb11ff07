#pragma once
// What options take: each says in one sentence what it takes and what it was given.

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace muster {

/// A whole number from `low` to `high`.
CLI::Validator whole_number(std::uint64_t low = 0, std::uint64_t high = std::numeric_limits<std::uint32_t>::max());

/// Seconds, with a fraction or without, above zero.
CLI::Validator some_seconds();

/// One of these words; a similar one is suggested.
CLI::Validator one_of(std::vector<std::string> words);

}  // namespace muster
