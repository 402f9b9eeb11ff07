#include "harness/options/part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <optional>

#include "base/error.hpp"

namespace muster {
namespace {

/// The whole text as a number; nothing else.
bool parse_number(std::string_view text, unsigned& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

namespace {

std::optional<unsigned> number_in_environment(const char* name) {
  const char* text = std::getenv(name);
  unsigned number = 0;
  if (!text) return std::nullopt;
  if (!parse_number(text, number)) fail("{}={} in the environment is no number", name, text);
  return number;
}

/// `index` counts from 0.
Shard shard_of(std::string_view source, unsigned index, unsigned count) {
  if (index >= count) fail("{}: job {} of {}: there is no such part", source, index + 1, count);
  return {index + 1, count};
}

/// "env", or "env/16" where the environment does not tell how many jobs there are.
Shard shard_of_job(const std::string& text) {
  unsigned asked = 0;
  if (text.size() > 3 && (text[3] != '/' || !parse_number(std::string_view(text).substr(4), asked) || asked == 0))
    fail("--shard env takes the number of parts after a slash, such as env/16, not '{}'", text);
  const auto count = [&](std::optional<unsigned> told) { return asked > 0 ? asked : told.value_or(0); };
  if (std::getenv("GTEST_TOTAL_SHARDS") && std::getenv("GTEST_SHARD_INDEX")) return shard_of_environment();
  if (const auto task = number_in_environment("SLURM_ARRAY_TASK_ID")) {
    const unsigned least = number_in_environment("SLURM_ARRAY_TASK_MIN").value_or(0);
    const unsigned step = std::max(1u, number_in_environment("SLURM_ARRAY_TASK_STEP").value_or(1));
    const unsigned tasks = count(number_in_environment("SLURM_ARRAY_TASK_COUNT"));
    if (tasks == 0 || *task < least) fail("--shard env: SLURM_ARRAY_TASK_COUNT is missing; say how many: env/16");
    return shard_of("--shard env", (*task - least) / step, tasks);
  }
  if (const auto index = number_in_environment("JOB_COMPLETION_INDEX")) {
    if (asked == 0) fail("--shard env: JOB_COMPLETION_INDEX does not tell how many jobs there are; say so: env/16");
    return shard_of("--shard env", *index, asked);
  }
  fail(
      "--shard env: the environment has none of GTEST_SHARD_INDEX, SLURM_ARRAY_TASK_ID and JOB_COMPLETION_INDEX; say "
      "which part this is, such as --shard 2/4");
}

}  // namespace

Shard parse_shard(const std::string& text) {
  if (text.starts_with("env")) return shard_of_job(text);
  Shard shard;
  const auto slash = text.find('/');
  if (slash == std::string::npos || !parse_number(std::string_view(text).substr(0, slash), shard.number) ||
      !parse_number(std::string_view(text).substr(slash + 1), shard.count) || shard.number < 1 ||
      shard.number > shard.count) {
    fail("--shard takes a part and how many there are, such as 2/4, or env, not '{}'", text);
  }
  return shard;
}

Shard shard_of_environment() {
  const char* total = std::getenv("GTEST_TOTAL_SHARDS");
  const char* index = std::getenv("GTEST_SHARD_INDEX");
  if (!total || !index) return {};
  Shard shard;
  unsigned from_zero = 0;
  if (!parse_number(total, shard.count) || !parse_number(index, from_zero) || from_zero >= shard.count)
    fail("GTEST_SHARD_INDEX={} and GTEST_TOTAL_SHARDS={} are no part of a whole", index, total);
  shard.number = from_zero + 1;
  if (const char* status = std::getenv("GTEST_SHARD_STATUS_FILE")) std::ofstream{status};
  return shard;
}

TestPart::TestPart(TestSource whole, Shard shard, std::vector<NumberRange> done)
    : whole_(std::move(whole)), shard_(shard), done_(std::move(done)) {}

TestSource TestPart::source() const {
  TestSource source = whole_;
  const std::uint64_t before = shard_.number - 1;
  source.count = whole_.count > before ? (whole_.count - before + shard_.count - 1) / shard_.count : 0;
  for (const auto& [first, end] : done_) source.count -= std::min(end, source.count) - std::min(first, source.count);
  source.test = [part = *this](std::uint64_t number) { return part.whole_.test(part.whole_number(number)); };
  return source;
}

std::uint64_t TestPart::shard_number(std::uint64_t number) const {
  for (const auto& [first, end] : done_) {
    if (number >= first) number += end - first;
  }
  return number;
}

std::uint64_t TestPart::whole_number(std::uint64_t number) const {
  return shard_number(number) * shard_.count + shard_.number - 1;
}

std::uint64_t TestPart::number_left(std::uint64_t shard_number) const {
  std::uint64_t before = 0;
  for (const auto& [first, end] : done_) before += std::min(end, shard_number) - std::min(first, shard_number);
  return shard_number - before;
}

std::vector<NumberRange> add_numbers(std::vector<NumberRange> ranges, const std::vector<std::uint64_t>& numbers) {
  for (const std::uint64_t number : numbers) ranges.emplace_back(number, number + 1);
  std::sort(ranges.begin(), ranges.end());
  std::vector<NumberRange> joined;
  for (const NumberRange& range : ranges) {
    if (!joined.empty() && range.first <= joined.back().second)
      joined.back().second = std::max(joined.back().second, range.second);
    else
      joined.push_back(range);
  }
  return joined;
}

}  // namespace muster
