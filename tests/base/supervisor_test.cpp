// Processes that work for this one: what they send, how they end, and who ends them.

#include "base/supervisor.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>

#include "base/error.hpp"

namespace muster {
namespace {

void send(Channel& channel, const std::string& text) { channel.send(std::as_bytes(std::span(text))); }

std::string text_of(std::span<const std::byte> message) {
  return {reinterpret_cast<const char*>(message.data()), message.size()};
}

void sleep_for_ever() {
  for (;;) pause();
}

/// What one worker came to.
struct Watched {
  std::string messages, error;
  ProcessEnd end;
};

Watched watch(std::unique_ptr<ChildProcess> worker, Halt halt = Halt(Halt::never), double hang_seconds = never_hangs) {
  Watched watched;
  watched.end = supervise(std::move(worker), halt, hang_seconds,
                          {.message = [&](auto message) { watched.messages += text_of(message) + ";"; },
                           .error = [&](const std::string& why) { watched.error = why; }});
  return watched;
}

Watched watch(const ChildProcess::Work& work, Halt halt = Halt(Halt::never)) {
  return watch(std::make_unique<ChildProcess>(work), std::move(halt));
}

TEST(Supervisor, WhatAWorkerSendsArrivesInOrderAndWhole) {
  const std::string large(300'000, 'x');
  const Watched watched = watch([&](Channel& channel) {
    send(channel, "one");
    send(channel, large);
    send(channel, "three");
  });
  EXPECT_EQ(watched.messages, "one;" + large + ";three;");
  EXPECT_EQ(watched.end.signal, 0);
  EXPECT_EQ(watched.end.code, 0);
  EXPECT_FALSE(watched.end.died());
}

TEST(Supervisor, AnErrorIsNoMessage) {
  const Watched watched = watch([](Channel& channel) {
    send(channel, "before");
    fail("nothing to eat");
  });
  EXPECT_EQ(watched.messages, "before;");
  EXPECT_EQ(watched.error, "nothing to eat");
  EXPECT_EQ(watched.end.code, static_cast<int>(ExitCode::bad_input));
}

TEST(Supervisor, AnErrorThatNobodyTakesIsThrown) {
  Halt halt(Halt::never);
  EXPECT_THROW(supervise(std::make_unique<ChildProcess>([](Channel&) { fail("nothing to eat"); }), halt, never_hangs,
                         {.message = [](auto) {}}),
               Error);
}

TEST(Supervisor, AnyThreadOfAWorkerMayGiveUp) {
  const Watched watched = watch([](Channel& channel) {
    std::thread([&] { ChildProcess::give_up(channel, "not here"); }).join();
    send(channel, "never");
  });
  EXPECT_EQ(watched.messages, "");
  EXPECT_EQ(watched.error, "not here");
}

TEST(Supervisor, SignalsAndExitCodesAreTold) {
  EXPECT_EQ(watch([](Channel&) { raise(SIGKILL); }).end.signal, SIGKILL);
  EXPECT_EQ(watch([](Channel&) { _exit(7); }).end.code, 7);
}

TEST(Supervisor, ASingleWorkerIsKilledAtTheDeadlineAndWhatItSentIsReceived) {
  const auto start = Halt::Clock::now();
  const Watched watched = watch(
      [](Channel& channel) {
        send(channel, "begun");
        sleep_for_ever();
      },
      Halt(start + std::chrono::milliseconds(300)));
  EXPECT_TRUE(watched.end.stopped);
  EXPECT_EQ(watched.messages, "begun;");
  EXPECT_GE(Halt::Clock::now() - start, std::chrono::milliseconds(300));
}

struct Stuck final : ChildProcess {
  Stuck() : ChildProcess([](Channel&) { sleep_for_ever(); }) {}
  bool hangs(double seconds) override { return ++looks * seconds > 3; }
  int looks = 0;
};

TEST(Supervisor, WhoHangsIsKilled) {
  const Watched watched = watch(std::make_unique<Stuck>(), Halt(Halt::never), 1);
  EXPECT_TRUE(watched.end.hung);
  EXPECT_TRUE(watched.end.died());
  EXPECT_FALSE(watched.end.stopped);
}

TEST(Supervisor, OneOfSeveralIsReplacedWhenItEnds) {
  Halt halt(Halt::never);
  std::string messages;
  int started = 0;
  Supervisor* workers = nullptr;
  const auto start = [&](std::size_t number) {
    ++started;
    const std::string text = std::to_string(number);
    workers->start(number, std::make_unique<ChildProcess>([text](Channel& channel) { send(channel, text); }));
  };
  Supervisor supervisor(halt, never_hangs,
                        {.message = [&](auto message) { messages += text_of(message); },
                         .ended =
                             [&](std::size_t number, const ProcessEnd&) {
                               if (number == 1 && started < 4) start(1);
                             }});
  workers = &supervisor;
  start(0);
  start(1);
  supervisor.watch();
  EXPECT_EQ(started, 4);
  EXPECT_EQ(std::ranges::count(messages, '0'), 1);
  EXPECT_EQ(std::ranges::count(messages, '1'), 3);
  EXPECT_FALSE(supervisor.is_at_work(0));
}

}  // namespace
}  // namespace muster
