// Which conflicts of an execution are tried the other way round, and which of those that decide is told.

#include "harness/steps/conflicts.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace muster {
namespace {

class Deeds {
 public:
  void add(ThreadId thread, EventKind kind, ObjectId object) {
    traced_.push_back({.event = {.object = object, .site = 0, .index = 0, .thread = thread, .kind = kind}});
  }
  std::vector<const TracedEvent*> all() const {
    std::vector<const TracedEvent*> events;
    for (const TracedEvent& traced : traced_) events.push_back(&traced);
    return events;
  }

 private:
  std::vector<TracedEvent> traced_;
};

bool has(const std::vector<Conflict>& conflicts, std::uint32_t first, std::uint32_t second) {
  return std::ranges::any_of(conflicts, [&](const Conflict& c) { return c.first == first && c.second == second; });
}

TEST(Conflicts, TwoReadsAreNone) {
  Deeds deeds;
  deeds.add(1, EventKind::load, 8);
  deeds.add(2, EventKind::load, 8);
  EXPECT_TRUE(conflicts_of(deeds.all()).empty());
}

TEST(Conflicts, AnUnlockIsNoneWithALock) {
  Deeds deeds;
  deeds.add(1, EventKind::lock, 8);
  deeds.add(1, EventKind::unlock, 8);
  deeds.add(2, EventKind::lock, 8);
  const auto found = conflicts_of(deeds.all());
  EXPECT_EQ(found.size(), 1u);
  EXPECT_TRUE(has(found, 0, 2));
}

/// A reads, B reads, B writes, A writes.
Deeds lost_update() {
  Deeds deeds;
  deeds.add(1, EventKind::load, 8);
  deeds.add(2, EventKind::load, 8);
  deeds.add(2, EventKind::store, 8);
  deeds.add(1, EventKind::store, 8);
  return deeds;
}

TEST(Conflicts, OfALostUpdate) {
  const auto found = conflicts_of(lost_update().all());
  EXPECT_TRUE(has(found, 0, 2));
  EXPECT_TRUE(has(found, 1, 3));
  EXPECT_TRUE(has(found, 2, 3));
}

TEST(Conflicts, TheReadThatIsOutOfDateWhenItsThreadWritesIsTold) {
  const Deeds deeds = lost_update();
  const auto told = most_telling(deeds.all(), std::vector<Conflict>{{0, 2}, {1, 3}});
  ASSERT_TRUE(told);
  EXPECT_EQ(told->first, 0u);
}

TEST(Conflicts, ANotificationThatCameTooEarlyIsTold) {
  Deeds deeds;
  deeds.add(1, EventKind::load, 8);
  deeds.add(2, EventKind::store, 8);
  deeds.add(2, EventKind::notify_one, 16);
  deeds.add(1, EventKind::wait, 16);
  const auto told = most_telling(deeds.all(), std::vector<Conflict>{{0, 1}, {2, 3}});
  ASSERT_TRUE(told);
  EXPECT_EQ(told->first, 2u);
}

TEST(Conflicts, NothingIsToldWhereNothingDecides) {
  EXPECT_FALSE(most_telling(lost_update().all(), std::vector<Conflict>{}));
}

}  // namespace
}  // namespace muster
