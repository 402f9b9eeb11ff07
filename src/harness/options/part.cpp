#include "harness/options/part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>

#include "base/error.hpp"

namespace muster {
namespace {

/// The whole text as a number; nothing else.
bool parse_number(std::string_view text, unsigned& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

Shard parse_shard(const std::string& text) {
  Shard shard;
  const auto slash = text.find('/');
  if (slash == std::string::npos || !parse_number(std::string_view(text).substr(0, slash), shard.number) ||
      !parse_number(std::string_view(text).substr(slash + 1), shard.count) || shard.number < 1 ||
      shard.number > shard.count) {
    fail("--shard takes a part and how many there are, such as 2/4, not '{}'", text);
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
