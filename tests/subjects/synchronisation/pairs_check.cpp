// Synchronisations of two: channels, exchangers, families. NAME is correct, NAME_fault is not.
#include <muster/synchronisation.hpp>
#include <set>
#include <tuple>

#include "channel.hpp"
#include "closeable_channel.hpp"
#include "exchanger.hpp"
#include "families.hpp"
#include "filter_channel.hpp"
#include "men_and_women.hpp"
#include "semaphore_channel.hpp"
#include "timeout_channel.hpp"
#include "timeout_exchanger.hpp"

namespace {

using namespace subjects::synchronisation;
using muster::Unit;

struct ChannelSpec {
  std::tuple<Unit, int> transfer(int value, Unit) { return {Unit{}, value}; }
};

template <class Channel>
void check_channel(muster::Check& check) {
  auto channel = check.object<Channel>();
  channel.operation("send", &Channel::send).with(1).with(2);
  channel.operation("receive", &Channel::receive);
  muster::synchronises<ChannelSpec>(check).mode({"send", "receive"}, &ChannelSpec::transfer);
}

MUSTER_CHECK(channel) { check_channel<Channel<>>(check); }
MUSTER_CHECK(channel_wakes_one) { check_channel<Channel<ChannelFault::kWakesOne>>(check); }
MUSTER_CHECK(channel_slot_freed_by_self) { check_channel<Channel<ChannelFault::kSlotFreedBySelf>>(check); }
MUSTER_CHECK(semaphore_channel) { check_channel<SemaphoreChannel<>>(check); }
MUSTER_CHECK(semaphore_channel_no_reply) { check_channel<SemaphoreChannel<SemaphoreChannelFault::kNoReply>>(check); }
MUSTER_CHECK(semaphore_channel_mutex_given_too_soon) {
  check_channel<SemaphoreChannel<SemaphoreChannelFault::kMutexGivenTooSoon>>(check);
}

struct CountingChannelSpec {
  int count = 0;
  bool operator==(const CountingChannelSpec&) const = default;
  std::tuple<int, std::pair<int, int>> transfer(int value, Unit) {
    ++count;
    return {count, {value, count}};
  }
};

template <ChannelFault fault = ChannelFault::kNone>
void check_counting_channel(muster::Check& check) {
  auto channel = check.object<CountingChannel<fault>>();
  channel.operation("send", &CountingChannel<fault>::send).with(1).with(2);
  channel.operation("receive", &CountingChannel<fault>::receive);
  muster::synchronises<CountingChannelSpec>(check).mode({"send", "receive"}, &CountingChannelSpec::transfer);
}

MUSTER_CHECK(counting_channel) { check_counting_channel(check); }
MUSTER_CHECK(counting_channel_counted_late) { check_counting_channel<ChannelFault::kCountedLate>(check); }
MUSTER_CHECK(counting_channel_wakes_one) { check_counting_channel<ChannelFault::kWakesOne>(check); }
MUSTER_CHECK(counting_channel_slot_freed_by_self) { check_counting_channel<ChannelFault::kSlotFreedBySelf>(check); }

/// Receivers that want everything, or odd numbers only.
struct FilterChannelSpec {
  std::optional<std::tuple<Unit, int>> transfer(int value, bool odd_only) {
    if (odd_only && value % 2 == 0) return std::nullopt;
    return std::tuple{Unit{}, value};
  }
};

template <FilterChannelFault fault = FilterChannelFault::kNone>
void check_filter_channel(muster::Check& check) {
  auto channel = check.object<FilterChannel<fault>>();
  channel.operation("send", &FilterChannel<fault>::send).with(1).with(2);
  channel
      .operation("receive",
                 [](FilterChannel<fault>& c, bool odd_only) {
                   return c.receive([odd_only](int value) { return !odd_only || value % 2 != 0; });
                 })
      .with(true)
      .with(false);
  muster::synchronises<FilterChannelSpec>(check).mode({"send", "receive"}, &FilterChannelSpec::transfer);
}

MUSTER_CHECK(filter_channel) { check_filter_channel(check); }
MUSTER_CHECK(filter_channel_first_offer_only) { check_filter_channel<FilterChannelFault::kFirstOfferOnly>(check); }
MUSTER_CHECK(filter_channel_filtered_once) { check_filter_channel<FilterChannelFault::kFilteredOnce>(check); }

template <PairingFault fault = PairingFault::kNone>
void check_men_and_women(muster::Check& check) {
  auto pairing = check.object<MenAndWomen<fault>>();
  pairing.operation("man", &MenAndWomen<fault>::man).with(1).with(2);
  pairing.operation("woman", &MenAndWomen<fault>::woman).with(11).with(12);
  muster::synchronises(check).mode({"man", "woman"}, [](Unit&, int man, int woman) { return std::pair{woman, man}; });
}

MUSTER_CHECK(men_and_women) { check_men_and_women(check); }
MUSTER_CHECK(men_and_women_man_released_early) { check_men_and_women<PairingFault::kManReleasedEarly>(check); }
MUSTER_CHECK(men_and_women_wakes_one) { check_men_and_women<PairingFault::kWakesOne>(check); }

template <ExchangerFault fault = ExchangerFault::kNone>
void check_exchanger(muster::Check& check) {
  auto exchanger = check.object<Exchanger<fault>>();
  exchanger.operation("exchange", &Exchanger<fault>::exchange).with(1).with(2).with(3);
  muster::synchronises(check).mode({"exchange", "exchange"}, [](Unit&, int a, int b) { return std::pair{b, a}; });
}

MUSTER_CHECK(exchanger) { check_exchanger(check); }
MUSTER_CHECK(exchanger_third_enters) { check_exchanger<ExchangerFault::kThirdEnters>(check); }
MUSTER_CHECK(exchanger_wakes_one) { check_exchanger<ExchangerFault::kWakesOne>(check); }

/// Who met whom.
struct FamilySpec {
  std::set<std::pair<int, int>> met;
  bool operator==(const FamilySpec&) const = default;

  std::optional<std::pair<int, int>> meet(int a, int b) {
    if (!met.emplace(a, b).second) return std::nullopt;
    return std::pair{b, a};
  }
  std::optional<std::pair<int, int>> meet_in_family(int a, int b) {
    if (a == b) return std::nullopt;
    return met.emplace(std::min(a, b), std::max(a, b)).second ? std::optional(std::pair{b, a}) : std::nullopt;
  }
};

template <FamilyFault fault = FamilyFault::kNone>
void check_two_families(muster::Check& check) {
  auto families = check.object<TwoFamilies<fault>>();
  families.operation("meet_as_a", &TwoFamilies<fault>::meet_as_a).with(1).with(2);
  families.operation("meet_as_b", &TwoFamilies<fault>::meet_as_b).with(1).with(2);
  muster::synchronises<FamilySpec>(check).mode({"meet_as_a", "meet_as_b"}, &FamilySpec::meet);
}
template <FamilyFault fault = FamilyFault::kNone>
void check_one_family(muster::Check& check) {
  auto family = check.object<OneFamily<fault>>();
  family.operation("meet", &OneFamily<fault>::meet).with(1).with(2).with(3);
  muster::synchronises<FamilySpec>(check).mode({"meet", "meet"}, &FamilySpec::meet_in_family);
}

MUSTER_CHECK(two_families) { check_two_families(check); }
MUSTER_CHECK(two_families_asks_first_only) { check_two_families<FamilyFault::kAsksFirstOnly>(check); }
MUSTER_CHECK(two_families_forgets_meetings) { check_two_families<FamilyFault::kForgetsMeetings>(check); }
MUSTER_CHECK(one_family) { check_one_family(check); }
MUSTER_CHECK(one_family_asks_first_only) { check_one_family<FamilyFault::kAsksFirstOnly>(check); }
MUSTER_CHECK(one_family_forgets_meetings) { check_one_family<FamilyFault::kForgetsMeetings>(check); }

struct TimeoutChannelSpec {
  std::tuple<bool, std::optional<int>> transfer(int value, Unit) { return {true, value}; }
  bool send_expires(int) { return false; }
  std::optional<std::tuple<std::optional<int>>> receive_expires(Unit) { return std::tuple{std::optional<int>{}}; }
};

template <TimeoutChannelFault fault = TimeoutChannelFault::kNone>
void check_timeout_channel(muster::Check& check) {
  using Channel = TimeoutChannel<fault>;
  auto channel = check.object<Channel>();
  channel.operation("send", &Channel::send).with(1).with(2);
  channel.operation("receive", &Channel::receive);
  muster::synchronises<TimeoutChannelSpec>(check)
      .mode({"send", "receive"}, &TimeoutChannelSpec::transfer)
      .mode({"send"}, &TimeoutChannelSpec::send_expires)
      .mode({"receive"}, &TimeoutChannelSpec::receive_expires);
}

MUSTER_CHECK(timeout_channel) { check_timeout_channel(check); }
MUSTER_CHECK(timeout_channel_believes_timeout) { check_timeout_channel<TimeoutChannelFault::kBelievesTimeout>(check); }
MUSTER_CHECK(timeout_channel_leaves_offer) { check_timeout_channel<TimeoutChannelFault::kLeavesOffer>(check); }

template <TimeoutExchangerFault fault = TimeoutExchangerFault::kNone>
void check_timeout_exchanger(muster::Check& check) {
  using Result = std::optional<int>;
  auto exchanger = check.object<TimeoutExchanger<fault>>();
  exchanger.operation("exchange", &TimeoutExchanger<fault>::exchange).with(1).with(2).with(3);
  muster::synchronises(check)
      .mode({"exchange", "exchange"},
            [](Unit&, int a, int b) {
              return std::tuple{Result(b), Result(a)};
            })
      .mode({"exchange"}, [](Unit&, int) { return std::tuple{Result()}; });
}

MUSTER_CHECK(timeout_exchanger) { check_timeout_exchanger(check); }
MUSTER_CHECK(timeout_exchanger_leaves_offer) { check_timeout_exchanger<TimeoutExchangerFault::kLeavesOffer>(check); }
MUSTER_CHECK(timeout_exchanger_believes_timeout) {
  check_timeout_exchanger<TimeoutExchangerFault::kBelievesTimeout>(check);
}

struct CloseableChannelSpec {
  bool closed = false;
  bool operator==(const CloseableChannelSpec&) const = default;

  std::optional<std::tuple<bool, std::optional<int>>> transfer(int value, Unit) {
    if (closed) return std::nullopt;
    return std::tuple{true, std::optional(value)};
  }
  std::optional<std::tuple<bool>> send_fails(int) { return closed ? std::optional(std::tuple{false}) : std::nullopt; }
  std::optional<std::tuple<std::optional<int>>> receive_fails(Unit) {
    if (!closed) return std::nullopt;
    return std::tuple{std::optional<int>{}};
  }
  void close(Unit) { closed = true; }
};

template <CloseableChannelFault fault = CloseableChannelFault::kNone>
void check_closeable_channel(muster::Check& check) {
  using Channel = CloseableChannel<fault>;
  auto channel = check.object<Channel>();
  channel.operation("send", &Channel::send).with(1).with(2);
  channel.operation("receive", &Channel::receive);
  channel.operation("close", &Channel::close);
  muster::synchronises<CloseableChannelSpec>(check)
      .mode({"send", "receive"}, &CloseableChannelSpec::transfer)
      .mode({"send"}, &CloseableChannelSpec::send_fails)
      .mode({"receive"}, &CloseableChannelSpec::receive_fails)
      .mode({"close"}, &CloseableChannelSpec::close);
}

MUSTER_CHECK(closeable_channel) { check_closeable_channel(check); }
MUSTER_CHECK(closeable_channel_says_closed) { check_closeable_channel<CloseableChannelFault::kSaysClosed>(check); }
MUSTER_CHECK(closeable_channel_wakes_one) { check_closeable_channel<CloseableChannelFault::kWakesOne>(check); }

}  // namespace
