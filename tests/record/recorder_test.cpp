// Real threads that record themselves through the hooks.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <mutex>
#include <thread>
#include <vector>

#include "predict/predict.hpp"
#include "record/hooks.h"
#include "trace/validator.hpp"

namespace muster::record {
namespace {

// Not looked into by the optimiser, which would take all calls in a function for one.
[[gnu::noipa]] const void* here() { return __builtin_return_address(0); }

class Recorded : public testing::Test {
 protected:
  Recorded() : path_(std::filesystem::temp_directory_path() / fmt::format("muster-record-{}.trace", ::getpid())) {}
  ~Recorded() override { std::filesystem::remove(path_); }

  void start() { ASSERT_EQ(muster_record_start(path_.c_str()), 0); }

  std::vector<trace::Event> read() {
    const auto reader = trace::open_trace(path_);
    std::vector<trace::Event> events;
    for (auto batch = reader->next(); !batch.empty(); batch = reader->next())
      events.insert(events.end(), batch.begin(), batch.end());
    return events;
  }

  std::filesystem::path path_;
};

/// A mutex and a thread that tell the recorder what they do, as interposers would.
class Mutex {
 public:
  void lock() {
    mutex_.lock();
    muster_record_lock(this, 0, here());
  }
  void unlock() {
    muster_record_unlock(this, 0, here());
    mutex_.unlock();
  }

 private:
  std::mutex mutex_;
};

class Thread {
 public:
  template <class Body>
  explicit Thread(Body body)
      : number_(muster_record_fork(here())), thread_([number = number_, body] {
          muster_record_thread_start(number);
          body();
          muster_record_thread_end();
        }) {}
  void join() {
    thread_.join();
    muster_record_join(number_, here());
  }

 private:
  std::uint32_t number_;
  std::thread thread_;
};

void add(long& balance, long amount) {
  muster_record_access(&balance, sizeof balance, MUSTER_READ, here());
  const long old = balance;
  muster_record_access(&balance, sizeof balance, MUSTER_WRITE, here());
  balance = old + amount;
}

TEST_F(Recorded, AnAtomicDepositIsSafeAndASplitOneIsPredicted) {
  for (const bool split : {false, true}) {
    start();
    Mutex mutex;
    long balance = 0;
    const auto deposit = [&] {
      muster_record_begin_transaction(here());
      mutex.lock();
      muster_record_access(&balance, sizeof balance, MUSTER_READ, here());
      if (split) {
        mutex.unlock();
        mutex.lock();
      }
      muster_record_access(&balance, sizeof balance, MUSTER_WRITE, here());
      mutex.unlock();
      muster_record_end_transaction(here());
    };
    Thread a(deposit);
    a.join();
    Thread b([&] {
      for (int i = 0; i < 10; ++i) deposit();
    });
    Thread c(deposit);
    b.join();
    c.join();
    muster_record_stop();

    const auto reader = trace::open_trace(path_);
    const predict::Report report = predict::predict(*reader, {.plans = 10});
    EXPECT_FALSE(report.stopped) << *report.stopped;
    EXPECT_EQ(report.threads, 4u);
    EXPECT_EQ(report.transactions, 12u);
    EXPECT_TRUE(report.races.empty());
    // b and c overlap, a does not: the pair goes both ways.
    EXPECT_EQ(report.access_write_access, split ? 2u : 0u);
    if (!split) continue;
    ASSERT_FALSE(report.groups.empty());
    EXPECT_NE(report.groups[0].grade, predict::Grade::unscheduled);
    const std::string site = reader->name(trace::NameClass::site, report.groups[0].group.first_site);
    EXPECT_TRUE(site.starts_with("recorder_test.cpp:")) << site;
  }
}

TEST_F(Recorded, ManyThreadsWithManyChunksMergeIntoALegalTrace) {
  start();
  Mutex mutex;
  long shared = 0;
  constexpr int threads = 4, rounds = 20'000;
  std::vector<std::unique_ptr<Thread>> running;
  for (int i = 0; i < threads; ++i) {
    running.push_back(std::make_unique<Thread>([&] {
      long own[16] = {};
      for (int round = 0; round < rounds; ++round) {
        add(own[round % 16], 1);
        const std::lock_guard guard(mutex);
        add(shared, 1);
      }
    }));
  }
  for (auto& thread : running) thread->join();
  muster_record_stop();

  const auto reader = trace::open_trace(path_);
  trace::Validator validator(*reader);
  std::uint64_t events = 0;
  for (auto batch = reader->next(); !batch.empty(); batch = reader->next()) {
    for (const trace::Event& event : batch) {
      const auto problem = validator.check(event);
      ASSERT_FALSE(problem) << *problem;
      ++events;
    }
  }
  EXPECT_EQ(events, static_cast<std::uint64_t>(threads) * (rounds * 6 + 2));
  EXPECT_FALSE(reader->note());
  reader->rewind();
  EXPECT_TRUE(predict::predict(*reader).races.empty());
}

TEST_F(Recorded, ACrashLosesNothingRecorded) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (muster_record_start(path_.c_str()) != 0) ::_exit(1);
    static long cell = 0;
    for (int i = 0; i < 100'000; ++i) muster_record_access(&cell, 8, MUSTER_WRITE, here());
    Thread other([] {
      muster_record_access(&cell, 8, MUSTER_WRITE, here());
      ::kill(::getpid(), SIGKILL);
    });
    other.join();
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  const auto events = read();
  ASSERT_EQ(events.size(), 100'002u);
  EXPECT_EQ(events[100'000].kind, trace::Kind::fork);
  EXPECT_EQ(events[100'001].thread, 1);
}

TEST_F(Recorded, AForkedProcessLeavesItsParentsRecordingAlone) {
  start();
  static long cell = 0;
  muster_record_access(&cell, 8, MUSTER_WRITE, here());
  const pid_t child = ::fork();
  if (child == 0) {
    for (int i = 0; i < 1000; ++i) muster_record_access(&cell, 8, MUSTER_READ, here());
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
  muster_record_access(&cell, 8, MUSTER_WRITE, here());
  muster_record_stop();
  EXPECT_EQ(read().size(), 2u);
}

TEST_F(Recorded, ACutFileReadsUpToWhereAllThreadsAreKnown) {
  start();
  Mutex mutex;
  long shared = 0;
  const auto work = [&] {
    for (int i = 0; i < 120'000; ++i) {
      const std::lock_guard guard(mutex);
      add(shared, 1);
    }
  };
  Thread a(work), b(work);
  a.join();
  b.join();
  muster_record_stop();
  const auto whole = read();
  const auto size = std::filesystem::file_size(path_);
  for (const auto part : {size * 9 / 10, size / 2, size / 3, std::uintmax_t{5000}, std::uintmax_t{4096}}) {
    std::filesystem::resize_file(path_, part);
    const auto reader = trace::open_trace(path_);
    std::vector<trace::Event> events;
    for (auto batch = reader->next(); !batch.empty(); batch = reader->next())
      events.insert(events.end(), batch.begin(), batch.end());
    ASSERT_LE(events.size(), whole.size());
    EXPECT_TRUE(std::equal(events.begin(), events.end(), whole.begin())) << part;
    EXPECT_TRUE(reader->note());
    EXPECT_TRUE(part < size / 4 || events.size() > 1000) << part;
  }
}

TEST_F(Recorded, OverlappingAccessesShareTheirBytes) {
  start();
  alignas(8) static char bytes[16];
  muster_record_access(bytes, 8, MUSTER_WRITE, here());
  muster_record_access(bytes + 4, 4, MUSTER_READ, here());
  muster_record_access(bytes + 8, 1, MUSTER_READ, here());
  muster_record_access(bytes, 16, MUSTER_WRITE, here());
  muster_record_stop();
  const auto events = read();
  std::vector<std::uint32_t> variables;
  for (const trace::Event& event : events) variables.push_back(event.object);
  // The first write covers two variables, bytes 0-3 and 4-7; the last also byte 8 and the rest.
  EXPECT_EQ(variables, (std::vector<std::uint32_t>{0, 1, 1, 2, 0, 1, 2, 3}));
  EXPECT_EQ(events.back().index, 3u);
}

TEST_F(Recorded, NothingIsRecordedOutsideARecording) {
  muster_record_access(this, 8, MUSTER_READ, here());
  start();
  muster_record_stop();
  muster_record_access(this, 8, MUSTER_READ, here());
  EXPECT_TRUE(read().empty());
  EXPECT_NE(muster_record_start("/nonexistent/folder/file"), 0);
}

}  // namespace
}  // namespace muster::record
