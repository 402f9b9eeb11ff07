// What is wrong with a synchronisation spec is said before anything runs.

#include <gtest/gtest.h>

#include <muster/synchronisation.hpp>

#include "base/error.hpp"
#include "rule/synchronisation.hpp"

namespace muster {
namespace {

template <class... Arguments>
struct Passing final : detail::Invoke {
  explicit Passing(Arguments... arguments)
      : Invoke([](const Invoke&, detail::CallFrame&, detail::ResponseSink&) {}), values(arguments...) {}
  bool run_on_models(void* const*, detail::ResponseSink&) const override { return false; }
  std::size_t argument_count() const override { return sizeof...(Arguments); }
  const void* argument(std::size_t index, const std::type_info& type) const override {
    const void* found = nullptr;
    std::size_t at = 0;
    std::apply(
        [&](const Arguments&... each) {
          ((at++ == index && typeid(Arguments) == type ? void(found = &each) : void()), ...);
        },
        values);
    return found;
  }
  std::tuple<Arguments...> values;
};

/// send(1) and receive().
detail::CheckDefinition channel() {
  detail::CheckDefinition check;
  check.name = "channel";
  check.file = "channel.cpp";
  check.line = 7;
  check.operations.push_back({.name = "send", .excuses = {}});
  check.operations.push_back({.name = "receive", .excuses = {}});
  check.invocations.push_back({0, "1", std::make_unique<Passing<int>>(1)});
  check.invocations.push_back({1, "", std::make_unique<Passing<>>()});
  return check;
}

template <class Define>
std::string complaint(const Define& define) {
  detail::CheckDefinition definition = channel();
  Check check(definition);
  auto spec = synchronises(check);
  define(spec);
  try {
    require_complete_synchronisation(definition);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

const auto transfer = [](Unit&, long value, Unit) { return std::tuple{Unit{}, value}; };

TEST(SynchronisationSpec, OneThatFitsIsAccepted) {
  EXPECT_EQ(complaint([](auto& spec) { spec.mode({"send", "receive"}, transfer); }), "");
}

TEST(SynchronisationSpec, AParticipantThatIsNoOperation) {
  EXPECT_EQ(
      complaint([](auto& spec) {
        spec.mode({"send", "recieve"}, transfer);
      }),
      "channel.cpp:7: check channel: mode {send, recieve}: there is no operation 'recieve'; there are send, receive");
}

TEST(SynchronisationSpec, AFunctionForOtherParticipants) {
  EXPECT_EQ(
      complaint([](auto& spec) {
        spec.mode({"send", "receive", "receive"}, transfer);
      }),
      "channel.cpp:7: check channel: mode {send, receive, receive} names 3 participants, and its function takes 2");
  EXPECT_EQ(complaint([](auto& spec) {
              spec.mode({"receive", "send"}, transfer);
            }),
            "channel.cpp:7: check channel: mode {receive, send}: receive() passes something of another type than the "
            "spec's function takes for it");
  EXPECT_EQ(complaint([](auto& spec) {
              spec.mode({"send", "receive"}, [](Unit&, std::string, Unit) { return std::tuple{Unit{}, 1}; });
            }),
            "channel.cpp:7: check channel: mode {send, receive}: send(1) passes something of another type than the "
            "spec's function takes for it");
}

TEST(SynchronisationSpec, AnOperationThatNeverSynchronises) {
  EXPECT_EQ(complaint([](auto& spec) { spec.mode({"send"}, [](Unit&, int) {}); }),
            "channel.cpp:7: check channel: operation receive takes part in no mode of the synchronisation spec");
  EXPECT_EQ(complaint([](auto&) {}),
            "channel.cpp:7: check channel: the synchronisation spec has no mode: add .mode({\"…\"}, …)");
}

}  // namespace
}  // namespace muster
