#pragma once
// Which part of the work this process does: a shard of it, without what an earlier run has done.

#include <string>
#include <utility>
#include <vector>

#include "rule/test_source.hpp"

namespace muster {

/// One of `count` parts, counted from 1. The whole is one part of one.
struct Shard {
  unsigned number = 1, count = 1;

  bool whole() const { return count == 1; }
  /// Whether it does the `index`-th of the things that are handed out one by one.
  bool takes(std::uint64_t index) const { return index % count == number - 1; }
};

/// "2/4", or "env" for what the environment says of this job; throws Error.
Shard parse_shard(const std::string& text);

/// What GTEST_TOTAL_SHARDS and GTEST_SHARD_INDEX say; touches GTEST_SHARD_STATUS_FILE, so that runners know they were
/// understood.
Shard shard_of_environment();

/// Numbers from `first` up to but not including `end`.
using NumberRange = std::pair<std::uint64_t, std::uint64_t>;

/// The tests of a source that are left to do, numbered anew from 0.
class TestPart {
 public:
  TestPart(TestSource whole, Shard shard, std::vector<NumberRange> done);

  const TestSource& whole() const { return whole_; }
  const Shard& shard() const { return shard_; }
  TestSource source() const;
  /// Its number in the shard, with what was done before, and in the whole.
  std::uint64_t shard_number(std::uint64_t number) const;
  std::uint64_t whole_number(std::uint64_t number) const;
  /// Its number among those that are left, by its number in the shard.
  std::uint64_t number_left(std::uint64_t shard_number) const;

 private:
  TestSource whole_;
  Shard shard_;
  std::vector<NumberRange> done_;  // in the numbers of the shard, ascending, none touching the next
};

/// `numbers` and what was there before, as few ranges.
std::vector<NumberRange> add_numbers(std::vector<NumberRange> ranges, const std::vector<std::uint64_t>& numbers);

}  // namespace muster
