// Files of saved failures: what is written is read back, and what is damaged is an error, whatever it is.

#include "finding/saved_failure.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/rng.hpp"
#include "schedule/schedule.hpp"
#include "support/property.hpp"

namespace muster {
namespace {

SavedFailure sample() {
  SavedFailure saved;
  saved.sentence = "B's TryTake() returned nothing; in every serial order it returns 400.";
  saved.subject = "work_queue";
  saved.kind = FindingKind::not_linearizable;
  saved.schedule = "1-tf20tp21-iUMX";
  saved.test = "first: Add(400) | Add(400) | TryTake";
  saved.heap = "quarantine";
  saved.spurious_failures = 2;
  saved.races = false;
  saved.planned = saved.serial = saved.classic = true;
  saved.against = "/home/somebody/a record.xml";
  saved.quasi = "dequeue=2";
  saved.spec = "queue";
  saved.arguments = {"--size", "", "3: 4"};
  saved.racy_sites = {"work_queue+0x12f0", "libstorage.so+0x88"};
  saved.shown_sites = {"work_queue+0x99"};
  saved.build = "0aaaf2a33ddcb697";
  return saved;
}

/// What the file says is wrong with it; empty if it is read.
std::string refusal(const std::string& text) {
  try {
    const SavedFailure saved = parse_saved_failure(text, "queue-1");
    parse_schedule(saved.schedule);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(SavedFailure, IsReadAsItWasWritten) {
  EXPECT_EQ(parse_saved_failure(to_text(sample()), "queue-1"), sample());
  SavedFailure least;
  least.subject = "x";
  least.schedule = "1--gCse";
  EXPECT_EQ(parse_saved_failure(to_text(least), "queue-1"), least);
}

TEST(SavedFailure, ASentenceOfSeveralLinesBecomesOne) {
  SavedFailure saved = sample();
  saved.sentence = "requirement not met\nsubject: another\r\nkind: race";
  const SavedFailure read = parse_saved_failure(to_text(saved), "queue-1");
  EXPECT_EQ(read.sentence, "requirement not met subject: another  kind: race");
  EXPECT_EQ(read.subject, "work_queue");
}

TEST(SavedFailure, SaysWhatIsWrong) {
  EXPECT_EQ(refusal("subject: x\nschedule: 1--gCse\nspurious: NaN\n"), "queue-1:3: spurious is a number, not 'NaN'");
  EXPECT_EQ(refusal("spurious: 99999999999999999999\n"), "queue-1:1: spurious is a number, not '99999999999999999999'");
  EXPECT_EQ(refusal("subject: x\nraces: total 20\n"), "queue-1:2: races is 'on' or 'off', not 'total 20'");
  EXPECT_EQ(refusal("subject: x\nplanned: maybe\n"), "queue-1:2: planned is 'yes' or 'no', not 'maybe'");
  EXPECT_EQ(refusal("subject: x\nkind: data-race\n"),
            "queue-1:2: kind is a kind of finding that this program knows, not 'data-race'");
  EXPECT_EQ(refusal("subject: x\nshedule: 1--gCse\n"), "queue-1:2: unknown entry 'shedule'");
  EXPECT_EQ(refusal("# half a line\nsubj"), "queue-1:2: expected 'name: value'");
  EXPECT_EQ(refusal("subject: x\n"), "queue-1: incomplete: no subject or no schedule");
  EXPECT_EQ(refusal(""), "queue-1: incomplete: no subject or no schedule");
}

/// Truncated, bytes changed, lines lost, doubled or from elsewhere: it is read, or refused with a reason.
TEST(SavedFailure, DamageIsAlwaysToldInWords) {
  const std::string whole = to_text(sample());
  std::size_t refused = 0, read = 0;
  const auto look_at = [&](const std::string& text) { ++(refusal(text).empty() ? read : refused); };
  for (std::size_t size = 0; size <= whole.size(); ++size) look_at(whole.substr(0, size));
  Rng random(2010);
  for (int i = 0; i < test::cases(20'000, 400'000); ++i) {
    std::string text = whole;
    for (std::uint64_t changes = 1 + random.below(4); changes > 0; --changes) {
      const std::size_t at = random.below(text.size() + 1), length = random.below(20);
      const std::string piece = whole.substr(random.below(whole.size()), length);
      switch (random.below(5)) {
        case 0:
          if (at < text.size()) text[at] = static_cast<char>(random.below(256));
          break;
        case 1:
          text.erase(at, length);
          break;
        case 2:
          text.insert(at, piece);
          break;
        case 3:
          text.insert(at, length, '\n');
          break;
        default:
          text.resize(at);
      }
    }
    look_at(text);
  }
  EXPECT_GT(refused, 1000u);
  EXPECT_GT(read, 100u);
}

}  // namespace
}  // namespace muster
