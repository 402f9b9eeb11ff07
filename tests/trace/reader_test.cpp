// Text and binary traces: what is read, what is refused and where, and what a damaged file still gives.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "base/rng.hpp"
#include "support/corpus.hpp"
#include "trace/trace_writer.hpp"
#include "trace/validator.hpp"
#include "trace/varint.hpp"

namespace muster::trace {
namespace {

class TraceFiles : public testing::Test {
 protected:
  TraceFiles() : folder_(std::filesystem::temp_directory_path() / fmt::format("muster-trace-{}", ::getpid())) {
    std::filesystem::create_directories(folder_);
  }
  ~TraceFiles() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path write(const char* name, std::string_view text) {
    const auto path = folder_ / name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  std::filesystem::path folder_;
};

/// Each event in words; then the error, or nothing.
struct Reading {
  std::vector<std::string> events;
  std::string error;
  std::optional<std::string> note;
};

Reading read(TraceReader& reader) {
  Reading result;
  try {
    for (auto batch = reader.next(); !batch.empty(); batch = reader.next()) {
      for (const Event& event : batch) {
        std::string text = fmt::format("{} {}", reader.name(NameClass::thread, event.thread),
                                       kind_names[static_cast<unsigned>(event.kind)]);
        if (has_object(event.kind)) text += fmt::format(" {}", reader.name(object_class(event.kind), event.object));
        result.events.push_back(text + fmt::format(" @{} #{}", reader.name(NameClass::site, event.site), event.index));
      }
    }
  } catch (const Error& error) {
    result.error = error.what();
  }
  result.note = reader.note();
  return result;
}

Reading read(const std::filesystem::path& path) { return read(*open_trace(path)); }

void convert(const std::filesystem::path& from, TraceWriter& writer) {
  const auto reader = open_trace(from);
  for (auto batch = reader->next(); !batch.empty(); batch = reader->next()) writer.write(batch, *reader);
  writer.finish();
}

TEST_F(TraceFiles, StdTextWithItsVariations) {
  const auto path = write("a.std",
                          "# recorded yesterday\n"
                          "T0|fork(T1)|1\r\n"
                          "\n"
                          "T1|begin|7\n"
                          "T1|acq(0x7ffe63b247d0)|120\n"
                          "T1|r(a variable with a rather long name)|bank.cpp:31\n"
                          "T1|begin()\n"
                          "T1|end\n"
                          "T1|racq(L2)|\n"
                          "T0|wake(C1)|9");
  const Reading reading = read(path);
  EXPECT_EQ(reading.error, "");
  EXPECT_EQ(reading.events,
            (std::vector<std::string>{"T0 fork T1 @1 #0", "T1 begin @7 #0", "T1 acq 0x7ffe63b247d0 @120 #1",
                                      "T1 r a variable with a rather long name @bank.cpp:31 #2", "T1 begin @ #3",
                                      "T1 end @ #4", "T1 racq L2 @ #5", "T0 wake C1 @9 #1"}));
}

TEST_F(TraceFiles, SpeedyGoCsv) {
  const auto path = write("a.log", "1,LK,1,nil,1\n1,RD,41,mis.java:1:1,1\n1,UK,1,nil,0\n3,SIG,1,nil,1\n4,WT,1,nil,1");
  EXPECT_EQ(read(path).events, (std::vector<std::string>{"1 acq 1 @ #0", "1 r 41 @mis.java:1:1 #1", "1 rel 1 @ #2",
                                                         "3 signal 1 @ #0", "4 await 1 @ #0"}));
}

TEST_F(TraceFiles, BadLinesAreNamedAndTheLinesBeforeStillGiven) {
  const auto expect = [&](std::string_view line, std::string_view message) {
    const auto path = write("bad.std", fmt::format("T0|r(x)|1\n{}\n", line));
    const Reading reading = read(path);
    EXPECT_EQ(reading.events.size(), 1u) << line;
    EXPECT_EQ(reading.error.rfind(fmt::format("{}:2: {}", path.string(), message), 0), 0u) << reading.error;
  };
  expect("T0 r x", "expected `thread|operation(object)|location`");
  expect("T0|read(x)|1", "unknown operation `read`");
  expect("T0|r(x|1", "`(` without `)`");
  expect("T0|r()|1", "operation without an object");
  expect("T0|r|1", "operation without an object");
  expect("T0|r(x)?|1", "text after the operation");
  expect("|r(x)|1", "expected `thread|operation(object)|location`");
  EXPECT_NE(read(write("bad.log", "1,RD,41,a,1\n1,XX,41,a,1\n")).error.find("bad.log:2: unknown operation `XX`"),
            std::string::npos);
  EXPECT_THROW(open_trace(folder_ / "missing"), Error);
  EXPECT_THROW(open_trace(folder_), Error);
}

TEST_F(TraceFiles, EmptyFilesAreEmptyTraces) { EXPECT_TRUE(read(write("empty.std", "")).events.empty()); }

std::string random_std(Rng& rng, int lines) {
  std::string text;
  for (int i = 0; i < lines; ++i) {
    const auto kind = static_cast<unsigned>(rng.below(kind_count));
    text += fmt::format("T{}|{}", rng.below(30), kind_names[kind]);
    const bool thread = object_class(static_cast<Kind>(kind)) == NameClass::thread;
    if (has_object(static_cast<Kind>(kind))) text += fmt::format("({}{})", thread ? "T" : "0x12345678", rng.below(400));
    text += fmt::format("|file.cpp:{}\n", rng.below(1000));
  }
  return text;
}

TEST_F(TraceFiles, BinaryGivesBackWhatTextSaid) {
  Rng rng{5};
  const auto text = write("long.std", random_std(rng, 60'000));
  convert(text, *create_binary_trace(folder_ / "long.trace"));
  const Reading expected = read(text);
  EXPECT_EQ(read(folder_ / "long.trace").events, expected.events);
  convert(folder_ / "long.trace", *create_std_trace(folder_ / "again.std"));
  EXPECT_EQ(read(folder_ / "again.std").events, expected.events);
  EXPECT_LT(std::filesystem::file_size(folder_ / "long.trace"), std::filesystem::file_size(text) / 2);

  const auto reader = open_trace(folder_ / "long.trace");
  const auto first = read(*reader).events;
  reader->rewind();
  EXPECT_EQ(read(*reader).events, first);
}

TEST_F(TraceFiles, ABinaryTraceCutAnywhereGivesAPrefix) {
  Rng rng{6};
  convert(write("long.std", random_std(rng, 40'000)), *create_binary_trace(folder_ / "long.trace"));
  const auto whole = read(folder_ / "long.trace").events;
  const auto size = std::filesystem::file_size(folder_ / "long.trace");
  const auto cut = folder_ / "cut.trace";
  for (int i = 0; i < 40; ++i) {
    std::filesystem::copy_file(folder_ / "long.trace", cut, std::filesystem::copy_options::overwrite_existing);
    std::filesystem::resize_file(cut, 4096 + rng.below(size - 4096));
    const Reading reading = read(cut);
    EXPECT_EQ(reading.error, "");
    ASSERT_LE(reading.events.size(), whole.size());
    EXPECT_TRUE(std::equal(reading.events.begin(), reading.events.end(), whole.begin()));
  }
}

TEST_F(TraceFiles, ADamagedChunkIsNamedAndTheChunksBeforeStillGiven) {
  Rng rng{7};
  convert(write("long.std", random_std(rng, 40'000)), *create_binary_trace(folder_ / "long.trace"));
  const auto whole = read(folder_ / "long.trace").events;
  {
    std::fstream file(folder_ / "long.trace", std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(4096 + 65'536 + 30'000);
    file << "damage";
  }
  const Reading reading = read(folder_ / "long.trace");
  EXPECT_NE(reading.error.find("byte 69632: the checksum of this chunk does not hold"), std::string::npos)
      << reading.error;
  EXPECT_GT(reading.events.size(), 1000u);
  EXPECT_TRUE(std::equal(reading.events.begin(), reading.events.end(), whole.begin()));
}

std::vector<std::string> problems(const std::filesystem::path& path) {
  const auto reader = open_trace(path);
  Validator validator(*reader);
  std::vector<std::string> result;
  for (auto batch = reader->next(); !batch.empty(); batch = reader->next())
    for (const Event& event : batch)
      if (auto problem = validator.check(event)) result.push_back(problem->substr(problem->rfind("a.std:")));
  return result;
}

TEST_F(TraceFiles, ImpossibleTracesAreRefusedByLine) {
  const auto expect = [&](std::string_view text, const std::vector<std::string>& expected) {
    EXPECT_EQ(problems(write("a.std", text)), expected) << text;
  };
  expect("A|acq(m)\nB|acq(m)\n", {"a.std:2: B takes m, which A holds"});
  expect("A|acq(m)\nA|acq(m)\nA|rel(m)\nB|acq(m)\n", {"a.std:4: B takes m, which A holds"});
  expect("A|racq(m)\nB|racq(m)\nC|acq(m)\n", {"a.std:3: C takes m, which A holds"});
  expect("A|rel(m)\n", {"a.std:1: A releases m, which it does not hold"});
  expect("A|acq(m)\nA|rrel(m)\n", {"a.std:2: A releases m, which it does not hold"});
  expect("A|begin\nA|begin\nA|end\nA|end\nA|end\n", {"a.std:5: A ends a transaction, but none was begun"});
  expect("B|r(x)\nA|fork(B)\n", {"a.std:2: A forks B, which had events before"});
  expect("A|fork(B)\nA|fork(B)\n", {"a.std:2: A forks B, which was forked before"});
  expect("A|join(B)\nB|r(x)\n", {"a.std:2: B has an event after it was joined"});
  expect("A|fork(A)\n", {"a.std:1: A forks itself"});
}

TEST(Varint, BothWaysOfWritingGiveTheSameBytes) {
  Rng random(1);
  for (unsigned i = 0; i < 20'000; ++i) {
    const std::uint64_t value = i < 300 ? i : random.next() >> random.below(64);
    std::byte plain[16] = {}, roomy[16] = {};
    std::byte* const end = put_varint(plain, value);
    const auto length = put_varint_with_room(roomy, value) - roomy;
    ASSERT_EQ(length, end - plain) << value;
    ASSERT_TRUE(std::equal(plain + 0, end, roomy + 0)) << value;
    const std::byte* at = roomy;
    std::uint64_t back = 0;
    ASSERT_TRUE(take_varint(at, roomy + length, back));
    ASSERT_EQ(back, value);
  }
}

TEST(TraceCorpus, AllSharedTracesAreValid) {
  MUSTER_CORPUS_OR_SKIP(corpus);
  int read = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(corpus / "traces")) {
    if (entry.path().extension() != ".std" && entry.path().extension() != ".log") continue;
    ++read;
    EXPECT_TRUE(problems(entry.path()).empty()) << entry.path();
  }
  EXPECT_GE(read, 37);
}

}  // namespace
}  // namespace muster::trace
