// The race detector by itself: who is told to race with whom, and that executions have nothing to do with each other.

#include "memory/race_detector.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace muster {
namespace {

struct Races final : RaceListener {
  void race(std::uintptr_t, ThreadId, const EarlierAccess& earlier, SiteId site, bool,
            const std::optional<PossibleLink>& link) override {
    sites.emplace_back(earlier.site, site);
    links.emplace_back(link ? Link{link->released_in, link->acquired_in} : Link{});
  }
  void use_after_free(std::uintptr_t, ThreadId, std::uint32_t, SiteId site) override { freed.push_back(site); }
  void out_of_bounds(std::uintptr_t, SiteId) override {}
  void stack_is_shared(ThreadId) override {}
  void outside_is_written() override {}
  bool adopt(std::uintptr_t, Cell&) override { return false; }
  void out_of_clock() override { ++ends_of_clocks; }

  int ends_of_clocks = 0;
  using Link = std::pair<UnwatchedCode, UnwatchedCode>;
  std::vector<std::pair<std::uint32_t, SiteId>> sites;
  std::vector<Link> links;  // beside them: what may order the two
  std::vector<SiteId> freed;
};

class RaceDetection : public ::testing::Test {
 protected:
  /// The main thread allocates a block and starts the others.
  void begin(RaceDetector::Assumptions assumptions = {}) {
    begin_with_one(assumptions);
    detector.spawn(2);
  }
  /// The same with one other.
  void begin_with_one(RaceDetector::Assumptions assumptions = {}) {
    races.sites.clear();
    races.links.clear();
    races.freed.clear();
    detector.begin_execution(3, true, assumptions);
    detector.spawn(0);
    detector.run(0);
    detector.allocated(block, 8, 1);
    detector.allocated(beside, 16, 2);
    detector.spawn(1);
  }
  RaceDetector& as(ThreadId id) {
    detector.run(id);
    return detector;
  }

  static constexpr std::uintptr_t block = Arena::base, beside = block + 16;
  // There is one arena in a process, at a fixed address, and its cells remember the executions of its detector.
  static inline Races races;
  RaceDetector& detector = the_detector();

 private:
  static RaceDetector& the_detector() {
    static Arena arena;
    static RaceDetector detector(arena, races);
    return detector;
  }
};

using Sites = std::vector<std::pair<std::uint32_t, SiteId>>;

TEST_F(RaceDetection, EachExecutionFindsTheRaceAgain) {
  // A thread that did much in one execution knows nothing of the next one, where the same thread has done less.
  Clock lock{};
  for (int execution = 0; execution < 3; ++execution) {
    begin();
    as(1).plain(block, 8, true, 10);
    as(2).plain(block, 8, true, 20);
    EXPECT_EQ(races.sites, (Sites{{10, 20}})) << "execution " << execution;
    detector.clear(lock);
    for (int i = 0; i < 100; ++i) {
      as(1).release(lock);
      as(2).acquire(lock);
    }
  }
}

TEST_F(RaceDetection, WhatIsOrderedByALockIsNoRaceInAnyExecution) {
  for (int execution = 0; execution < 3; ++execution) {
    begin();
    Clock lock{};
    as(1).plain(block, 8, true, 10);
    as(1).release(lock);
    as(2).acquire(lock);
    as(2).plain(block, 8, true, 20);
    EXPECT_EQ(races.sites, Sites{});
  }
}

TEST_F(RaceDetection, AThreadThatReleasesTooOftenToCountIsTold) {
  begin();
  Clock lock{};
  for (int i = 0; i < Clock::last - 3; ++i) as(1).release(lock);
  EXPECT_EQ(races.ends_of_clocks, 0);
  for (int i = 0; i < 3; ++i) as(1).release(lock);
  EXPECT_EQ(races.ends_of_clocks, 1);
}

TEST_F(RaceDetection, TheOtherAccessIsThatOfTheOtherThread) {
  begin();
  as(1).load(block, 8, Order::acquire, 10);
  as(2).load(block, 8, Order::relaxed, 20);
  as(2).plain(block, 8, true, 21);
  EXPECT_EQ(races.sites, (Sites{{10, 21}})) << "not what the writing thread read itself";
}

TEST_F(RaceDetection, AnAcquiringLoadSeesWhatPartsOfItsBytesWereReleasedBy) {
  begin();
  as(1).plain(block, 8, true, 10);
  as(1).rmw(beside + 4, 4, Order::release, 11);
  as(2).load(beside, 4, Order::acquire, 20);
  as(2).load(beside, 8, Order::acquire, 21);
  as(2).plain(block, 8, true, 22);
  EXPECT_EQ(races.sites, Sites{});
}

TEST_F(RaceDetection, AnAcquiringLoadSeesTheReleaseOfMoreBytes) {
  begin();
  as(1).plain(block, 8, true, 10);
  as(1).store(beside, 8, Order::release, 11);
  as(2).rmw(beside + 2, 2, Order::acquire, 20);
  as(2).plain(block, 8, true, 21);
  EXPECT_EQ(races.sites, Sites{});
}

TEST_F(RaceDetection, AtomicsSideBySideOrderNothing) {
  begin();
  as(1).plain(block, 8, true, 10);
  as(1).store(beside, 4, Order::release, 11);
  as(2).load(beside + 4, 4, Order::acquire, 20);
  as(2).plain(block, 8, true, 21);
  EXPECT_EQ(races.sites, (Sites{{10, 21}}));
}

TEST_F(RaceDetection, AStoreOfMoreBytesEndsTheReleaseOfSome) {
  begin();
  as(1).plain(block, 8, true, 10);
  as(1).rmw(beside + 4, 4, Order::release, 11);
  as(1).store(beside, 8, Order::relaxed, 12);
  as(2).load(beside, 8, Order::acquire, 20);
  as(2).plain(block, 8, true, 21);
  EXPECT_EQ(races.sites, (Sites{{10, 21}}));
}

TEST_F(RaceDetection, SixteenBytesAreBothOfTheirHalves) {
  begin();
  as(1).plain(block, 8, true, 10);
  as(1).store(beside + 8, 8, Order::release, 11);
  as(2).rmw(beside, 16, Order::acq_rel, 20);
  as(0).load(beside, 8, Order::acquire, 30);  // of what the exchange wrote, which came after what it read
  as(0).plain(block, 8, true, 31);
  EXPECT_EQ(races.sites, Sites{});
  as(2).plain(beside + 8, 8, true, 21);
  as(0).load(beside, 16, Order::relaxed, 32);
  EXPECT_EQ(races.sites, (Sites{{21, 32}}));
}

TEST_F(RaceDetection, HasSeenAThreadOnlyAfterWaitingForIt) {
  begin();
  as(1).plain(block, 8, true, 10);
  EXPECT_FALSE(as(0).has_seen(1));
  as(0).join(1);
  EXPECT_TRUE(detector.has_seen(1));
}

TEST_F(RaceDetection, WhatAThreadDoesAloneRacesWithNobodyAndWhatComesLaterDoes) {
  begin_with_one();
  as(1).plain(block, 8, true, 10);
  as(0).join(1);
  detector.be_alone();
  detector.plain(block, 8, true, 12);
  detector.rmw(block, 8, Order::relaxed, 13);
  detector.spawn(2);
  as(2).plain(block, 8, true, 14);
  EXPECT_TRUE(races.sites.empty());
  as(0).plain(block, 8, false, 15);
  EXPECT_EQ(races.sites, (Sites{{14, 15}}));
}

TEST_F(RaceDetection, AFreedBlockIsLookedOutForByWhoeverIsAlone) {
  begin();
  detector.be_alone();
  as(0).freed(block, 8, 10);
  detector.plain(block, 8, false, 11);
  detector.load(block, 8, Order::acquire, 12);
  EXPECT_EQ(races.freed, (std::vector<SiteId>{11, 12}));
}

using Links = std::vector<Races::Link>;
constexpr Races::Link nothing{};

TEST_F(RaceDetection, APassageMayAcquireWhatEarlierOnesReleased) {
  begin();
  as(1).plain(block, 8, true, 10);
  as(1).pass_through(7);
  as(2).pass_through(8);
  as(2).plain(block, 8, true, 20);
  EXPECT_EQ(races.sites, (Sites{{10, 20}}));
  EXPECT_EQ(races.links, (Links{{7, 8}}));
}

TEST_F(RaceDetection, PassagesAreNotKeptWhereAllIsTakenToBeOrdered) {
  begin({.certain_order = true});
  EXPECT_FALSE(detector.keeps_possible_order());
  as(1).plain(block, 8, true, 10);
  as(1).pass_through(7);
  as(2).pass_through(8);
  as(2).plain(block, 8, true, 20);
  EXPECT_EQ(races.sites, (Sites{{10, 20}}));
  EXPECT_EQ(races.links, (Links{nothing}));
}

TEST_F(RaceDetection, APassageReleasesNothingThatComesAfterIt) {
  begin();
  as(1).pass_through(7);
  as(1).plain(block, 8, true, 10);
  as(2).pass_through(8);
  as(2).plain(block, 8, true, 20);
  EXPECT_EQ(races.links, (Links{nothing}));
}

TEST_F(RaceDetection, APassageAcquiresNothingThatIsReleasedAfterIt) {
  begin();
  as(2).pass_through(8);
  as(1).plain(block, 8, true, 10);
  as(1).pass_through(7);
  as(2).plain(block, 8, true, 20);
  EXPECT_EQ(races.links, (Links{nothing}));
}

TEST_F(RaceDetection, TheNextPassageOfAThreadMayAcquireMore) {
  begin();
  as(2).pass_through(8);
  as(1).plain(block, 8, true, 10);
  as(1).pass_through(7);
  as(1).pass_through(9);
  as(2).pass_through(8);
  as(2).plain(block, 8, true, 20);
  EXPECT_EQ(races.links, (Links{{7, 8}}));
}

TEST_F(RaceDetection, WhatIsPossibleGoesOnByWhatIsCertain) {
  begin();
  Clock lock{};
  as(1).plain(block, 8, true, 10);
  as(1).pass_through(7);
  as(0).pass_through(8);
  as(0).release(lock);
  as(2).plain(beside, 8, true, 19);
  as(2).acquire(lock);
  as(2).plain(block, 8, true, 20);
  EXPECT_EQ(races.sites, (Sites{{10, 20}}));
  EXPECT_EQ(races.links, (Links{{7, 8}}));
}

TEST_F(RaceDetection, CodeThatIsNotWatchedMayReadWhatAnAtomicReleased) {
  for (const Order order : {Order::release, Order::relaxed}) {
    begin();
    as(1).plain(block, 8, true, 10);
    as(1).store(beside, 8, order, 11);
    as(2).pass_through(8);
    as(2).plain(block, 8, true, 20);
    EXPECT_EQ(races.links, (Links{order == Order::release ? Races::Link{0, 8} : nothing}));
  }
}

TEST_F(RaceDetection, AnAtomicMayReadWhatSuchCodeReleased) {
  for (const Order order : {Order::acquire, Order::relaxed}) {
    begin();
    as(1).plain(block, 8, true, 10);
    as(1).pass_through(7);
    as(2).load(beside, 8, order, 19);
    as(2).plain(block, 8, true, 20);
    EXPECT_EQ(races.links, (Links{order == Order::acquire ? Races::Link{7, 7} : nothing}));
  }
}

TEST_F(RaceDetection, AtomicsAloneOrderNothingElse) {
  begin();
  as(1).plain(block, 8, true, 10);
  as(1).store(beside, 8, Order::release, 11);
  as(2).load(beside + 8, 8, Order::acquire, 19);
  as(2).plain(block, 8, true, 20);
  EXPECT_EQ(races.links, (Links{nothing}));
}

TEST_F(RaceDetection, ALinkOfOneThreadIsNoneOfAnother) {
  begin();
  as(1).plain(block, 8, false, 10);
  as(2).plain(block, 8, false, 20);
  as(2).pass_through(7);
  as(0).pass_through(8);
  as(0).plain(block, 8, true, 30);
  EXPECT_EQ(races.sites, (Sites{{20, 30}, {10, 30}}));
  EXPECT_EQ(races.links, (Links{{7, 8}, nothing}));
}

}  // namespace
}  // namespace muster
