// Programs of the prediction paper: recorded once, their known violations predicted and confirmed by re-execution, and
// none of their twins'.

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "support/command.hpp"

namespace muster {
namespace {

using test::run;
using test::TemporaryFolder;

const std::string programs = std::string(MUSTER_SUBJECTS) + "/prediction/";

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

/// Records `arguments` in a fresh folder and predicts from that.
class Prediction {
 public:
  Prediction(const std::string& program, const std::string& arguments, const std::string& how = "--serial")
      : program_(programs + program) {
    recorded =
        run(in_folder(std::string(MUSTER_COMMAND) + " record " + how + " -o t.trace -- " + program_ + " " + arguments));
  }
  test::Outcome predict(const std::string& flags) {
    return run(in_folder(std::string(MUSTER_COMMAND) + " predict t.trace --all " + flags));
  }
  test::Outcome confirm(const std::string& flags = "") { return predict("--confirm " + program_ + " " + flags); }
  test::Outcome replay(const std::string& saved) { return run(in_folder(program_ + " --replay " + saved)); }
  std::string path(const std::string& name) const { return folder_.path(name); }

  test::Outcome recorded;

 private:
  std::string in_folder(const std::string& command) const { return "cd " + folder_.path("") + " && " + command; }
  TemporaryFolder folder_;
  std::string program_;
};

struct Known {
  const char* program;
  const char* arguments;
  const char* correct;
  const char* place;  // of the violation
  std::size_t times;
};

class KnownViolations : public testing::TestWithParam<Known> {};

TEST_P(KnownViolations, ArePredictedFromOneSerialRunAndConfirmed) {
  const Known known = GetParam();
  Prediction prediction(known.program, known.arguments);
  const auto outcome = prediction.confirm("--every");
  EXPECT_EQ(outcome.code, 1) << prediction.recorded.out << outcome.out;
  EXPECT_EQ(count(outcome.out, std::string("CONFIRMED   ") + known.place), known.times) << outcome.out;
  EXPECT_EQ(count(outcome.out, "the run itself was serializable"), 1u) << outcome.out;
}

TEST_P(KnownViolations, AreNotInTheTwin) {
  const Known known = GetParam();
  Prediction prediction(known.program, known.correct);
  const auto outcome = prediction.confirm();
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_NE(outcome.out.find("0 write-read-write, 0 access-write-access"), std::string::npos) << outcome.out;
}

INSTANTIATE_TEST_SUITE_P(
    Subjects, KnownViolations,
    testing::Values(
        Known{"bank", "", "correct",
              "read-write-write: reads at bank.cpp:23, writes at bank.cpp:37 in between, writes at bank.cpp:28", 3},
        Known{"elevator", "", "correct",
              "read-write-write: reads at elevator.cpp:29, writes at elevator.cpp:34 in between, writes at "
              "elevator.cpp:34",
              24},
        Known{"tsp", "", "correct",
              "read-write-write: reads at tsp.cpp:45, writes at tsp.cpp:50 in between, writes at tsp.cpp:50", 6},
        Known{
            "crawler", "", "correct",
            "read-write-write: reads at crawler.cpp:26, writes at crawler.cpp:31 in between, writes at crawler.cpp:31",
            6},
        Known{"raytracer", "2", "2 correct",
              "read-write-write: reads at raytracer.cpp:31, writes at raytracer.cpp:34 in between, writes at "
              "raytracer.cpp:34",
              2},
        Known{"raytracer", "5", "5 correct",
              "read-write-write: reads at raytracer.cpp:31, writes at raytracer.cpp:34 in between, writes at "
              "raytracer.cpp:34",
              20},
        Known{"synchronised_vector", "", "correct",
              "read-write-write: reads at synchronised_vector.cpp:31, writes at synchronised_vector.cpp:43 in between, "
              "writes at synchronised_vector.cpp:39",
              1},
        Known{"synchronised_stack", "", "correct",
              "read-write-write: reads at synchronised_stack.cpp:24, writes at synchronised_stack.cpp:29 in between, "
              "writes at synchronised_stack.cpp:29",
              2}),
    [](const auto& info) {
      return std::string(info.param.program) + (*info.param.arguments ? std::string("_") + info.param.arguments : "");
    });

/// A program of shifts.cpp: another order has other events.
class ShiftedEvents : public testing::TestWithParam<const char*> {
 protected:
  static std::string place() {
    const std::string program = GetParam();
    if (program == "retry")
      return "read-write-write: reads at shifts.cpp:95, writes at shifts.cpp:100 in between, writes at shifts.cpp:100";
    if (program == "objects")
      return "read-write-write: reads at shifts.cpp:32, writes at shifts.cpp:36 in between, writes at shifts.cpp:36";
    return "read-write-write: reads at shifts.cpp:51, writes at shifts.cpp:74 in between, writes at shifts.cpp:56";
  }
};

TEST_P(ShiftedEvents, AreFollowedByPlaceAndObject) {
  for (const char* how : {"--serial", ""}) {
    Prediction prediction("shifts", GetParam(), how);
    const auto outcome = prediction.confirm();
    EXPECT_EQ(outcome.code, 1) << prediction.recorded.out << outcome.out;
    EXPECT_EQ(count(outcome.out, "CONFIRMED   " + place()), 1u) << outcome.out;
  }
}

TEST_P(ShiftedEvents, AreNotConfirmedWhereTheWriteComesTooLate) {
  Prediction prediction("shifts", std::string(GetParam()) + " never");
  const auto outcome = prediction.confirm();
  EXPECT_EQ(count(outcome.out, "feasible    " + place()), 1u) << prediction.recorded.out << outcome.out;
  EXPECT_EQ(count(outcome.out, "CONFIRMED   " + place()), 0u) << outcome.out;
  EXPECT_EQ(outcome.code, count(outcome.out, "CONFIRMED") > 0 ? 1 : 0) << outcome.out;
}

INSTANTIATE_TEST_SUITE_P(Subjects, ShiftedEvents,
                         testing::Values("retry", "counter", "queue", "lazy", "condition", "branch", "helper", "log",
                                         "objects", "spin", "order"),
                         [](const auto& info) { return std::string(info.param); });

/// What is confirmed by places replays like the rest.
TEST(Confirmation, AShiftedViolationReplays) {
  Prediction prediction("shifts", "lazy");
  ASSERT_EQ(prediction.confirm().code, 1);
  const auto replayed = prediction.replay(".muster/shifts-1");
  EXPECT_EQ(replayed.code, 1) << replayed.out;
  EXPECT_NE(replayed.out.find("FAIL shifts: read-write-write on balance: "), std::string::npos) << replayed.out;
  const std::size_t end = replayed.out.find("◄ shows");
  ASSERT_NE(end, std::string::npos) << replayed.out;
  EXPECT_NE(replayed.out.substr(replayed.out.rfind('\n', end)).find("writes balance"), std::string::npos)
      << replayed.out;
}

/// With --every each prediction is about its own memory: that the same places break elsewhere does not confirm it.
TEST(Confirmation, OtherMemoryAtTheSamePlacesIsToldAsSuch) {
  Prediction prediction("shifts", "counter never");
  const auto together = prediction.confirm();
  const auto each = prediction.confirm("--every");
  EXPECT_EQ(count(together.out, "CONFIRMED   read-write-write: reads at shifts.cpp:51"), 0u) << together.out;
  EXPECT_EQ(count(each.out, "CONFIRMED   read-write-write: reads at shifts.cpp:51"), 0u) << each.out;
}

struct Deadlock {
  const char* program;
  const char* sentence;
};

class Deadlocks : public testing::TestWithParam<Deadlock> {};

TEST_P(Deadlocks, ArePredictedFromARunThatWentWellAndHappen) {
  Prediction prediction("deadlocks", GetParam().program);
  const auto outcome = prediction.confirm();
  EXPECT_EQ(outcome.code, 1) << prediction.recorded.out << outcome.out;
  EXPECT_EQ(count(outcome.out, std::string("CONFIRMED   deadlock: ") + GetParam().sentence), 1u) << outcome.out;
  EXPECT_EQ(count(outcome.out, "feasible"), 0u) << outcome.out;
  const auto replayed = prediction.replay(".muster/deadlocks-1");
  EXPECT_EQ(replayed.code, 1) << replayed.out;
  EXPECT_NE(replayed.out.find("FAIL deadlocks: deadlock: "), std::string::npos) << replayed.out;
  EXPECT_NE(replayed.out.find(" waits for "), std::string::npos) << replayed.out;
}

TEST_P(Deadlocks, AreNotConfirmedWhereOneComesTooLate) {
  Prediction prediction("deadlocks", std::string(GetParam().program) + " never");
  const auto outcome = prediction.confirm();
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_EQ(count(outcome.out, std::string("feasible    deadlock: ") + GetParam().sentence), 1u)
      << prediction.recorded.out << outcome.out;
  EXPECT_EQ(count(outcome.out, "CONFIRMED"), 0u) << outcome.out;
}

INSTANTIATE_TEST_SUITE_P(
    Subjects, Deadlocks,
    testing::Values(
        Deadlock{
            "two",
            "T1 waits for right at deadlocks.cpp:47, held by T2; T2 waits for left at deadlocks.cpp:53, held by T1\n"},
        Deadlock{"three", "T1 waits for "}, Deadlock{"readers", "T1 waits for "},
        Deadlock{
            "shifted",
            "T1 waits for right at deadlocks.cpp:47, held by T2; T2 waits for left at deadlocks.cpp:53, held by T1\n"},
        Deadlock{"entangled", "T1 waits for right at deadlocks.cpp:142"}, Deadlock{"objects", "T1 waits for "},
        Deadlock{"background", "T2 waits for right at deadlocks.cpp:47"},
        Deadlock{"condition", "T1 waits for right at deadlocks.cpp:203"}),
    [](const auto& info) { return std::string(info.param.program); });

TEST(Deadlocks, UnderOneLockOrTakenTogetherAreNotPredicted) {
  for (const char* program : {"gate", "together"}) {
    Prediction prediction("deadlocks", program);
    const auto outcome = prediction.confirm();
    EXPECT_EQ(outcome.code, 0) << outcome.out;
    EXPECT_NE(outcome.out.find(" 0 deadlocks predicted"), std::string::npos) << prediction.recorded.out << outcome.out;
  }
}

TEST(Deadlocks, AreInTheFilesOfAReport) {
  Prediction prediction("deadlocks", "two");
  const auto outcome = prediction.confirm("--json r.json --plans plans");
  EXPECT_NE(outcome.out.find("1 plan saved in plans"), std::string::npos) << outcome.out;
  const auto json = run("cat " + prediction.path("r.json"));
  EXPECT_NE(json.out.find("\"kind\": \"deadlock\""), std::string::npos) << json.out;
  EXPECT_NE(json.out.find("re-executed: confirmed"), std::string::npos) << json.out;
  EXPECT_NE(json.out.find("\"outcome\": \"failed\""), std::string::npos) << json.out;
  const auto plan = run("cat " + prediction.path("plans/deadlock-1.plan"));
  EXPECT_NE(plan.out.find("@wait T1 3 deadlocks.cpp:47\n@wait T2 6 deadlocks.cpp:53\n"), std::string::npos) << plan.out;
}

/// The functions of the standard's headers are told at the lines that call them.
TEST(Recording, LocksInHeadersAreToldAtTheCallersLine) {
  for (const char* how : {"--serial", ""}) {
    Prediction prediction("headers", "", how);
    const auto text = run("cd " + prediction.path("") + " && " + MUSTER_COMMAND +
                          " trace convert --to std t.trace t.std && grep -v -e '|r(' -e '|w(' t.std");
    const auto lines_of = [&](const std::string& what) {
      std::set<int> lines;
      for (std::size_t at = text.out.find("|" + what + "("); at != std::string::npos;
           at = text.out.find("|" + what + "(", at + 1))
        lines.insert(std::stoi(text.out.substr(text.out.find(".cpp:", at) + 5)));
      return lines;
    };
    EXPECT_GT(count(text.out, "\n"), 40u) << text.out;
    EXPECT_EQ(count(text.out, "\n"), count(text.out, "|headers.cpp:")) << text.out;
    std::set<int> acquired = lines_of("acq");
    acquired.erase(54);  // by a thread that waited, if it did
    EXPECT_EQ(acquired, (std::set<int>{28, 30, 32, 35, 36, 37, 42, 53, 55, 58})) << text.out;
    EXPECT_EQ(lines_of("tacq"), (std::set<int>{34, 36, 37, 40})) << text.out;
    EXPECT_EQ(lines_of("racq"), (std::set<int>{41})) << text.out;
    EXPECT_EQ(lines_of("notify"), (std::set<int>{55, 60})) << text.out;
    EXPECT_EQ(lines_of("join"), (std::set<int>{62})) << text.out;
  }
}

TEST(Confirmation, AReplayShowsTheSameAgain) {
  Prediction prediction("bank", "");
  ASSERT_EQ(prediction.confirm().code, 1);
  const auto replayed = prediction.replay(".muster/bank-1");
  EXPECT_EQ(replayed.code, 1) << replayed.out;
  EXPECT_NE(replayed.out.find("FAIL bank: read-write-write"), std::string::npos) << replayed.out;
  EXPECT_EQ(replayed.out.find("met"), std::string::npos) << replayed.out;
  EXPECT_NE(replayed.out.find(" on accounts[0].balance: A reads"), std::string::npos) << replayed.out;
  EXPECT_NE(replayed.out.find("reads accounts[0].balance"), std::string::npos) << replayed.out;
  const std::size_t end = replayed.out.find("◄ shows");
  ASSERT_NE(end, std::string::npos) << replayed.out;
  const std::size_t last = replayed.out.rfind('\n', end);
  EXPECT_NE(replayed.out.substr(last, end - last).find("writes accounts[0].balance"), std::string::npos)
      << replayed.out;
}

TEST(Confirmation, AProgramThatCrashesLaterHasItsViolationConfirmed) {
  Prediction prediction("bank", "crash");
  const auto outcome = prediction.confirm();
  EXPECT_EQ(outcome.code, 1) << outcome.out;
  EXPECT_NE(outcome.out.find("CONFIRMED"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("it then showed a crash"), std::string::npos) << outcome.out;
}

TEST(Recording, ARunOnRealThreadsIsAValidTrace) {
  Prediction prediction("raytracer", "4", "");
  EXPECT_EQ(prediction.recorded.code, 0) << prediction.recorded.out;
  const auto valid = run(std::string(MUSTER_COMMAND) + " trace validate " + prediction.path("t.trace"));
  EXPECT_EQ(valid.code, 0) << valid.out;
  EXPECT_NE(valid.out.find(" 0 impossible"), std::string::npos) << valid.out;
  EXPECT_EQ(prediction.predict("").out.find("races"), std::string::npos);
}

TEST(Recording, FunctionsThatMatchAreTransactions) {
  Prediction prediction("crawler", "", "--serial --atomic 'count$'");
  EXPECT_EQ(prediction.recorded.code, 0) << prediction.recorded.out;
  const auto counted = run(std::string(MUSTER_COMMAND) + " trace count " + prediction.path("t.trace"));
  EXPECT_NE(counted.out.find("begin   12"), std::string::npos) << counted.out;  // six visits, and a count inside each
}

/// Nothing in the program marks what is atomic, and all that its transactions share is copied by memcpy.
TEST(Recording, AViolationOfFunctionsIsPredictedAndConfirmed) {
  Prediction broken("tickets", "", "--serial --atomic '^sell'");
  const auto outcome = broken.confirm();
  EXPECT_EQ(outcome.code, 1) << broken.recorded.out << outcome.out;
  EXPECT_GE(count(outcome.out,
                  "CONFIRMED   read-write-write: reads at tickets.cpp:19, writes at tickets.cpp:20 in between, writes "
                  "at tickets.cpp:20"),
            1u)
      << outcome.out;
  Prediction correct("tickets", "correct", "--serial --atomic '^sell'");
  const auto none = correct.confirm();
  EXPECT_EQ(none.code, 0) << none.out;
  EXPECT_NE(none.out.find("0 write-read-write, 0 access-write-access"), std::string::npos) << none.out;
  // Without a name there is no transaction, and nothing to predict.
  Prediction unnamed("tickets", "");
  EXPECT_NE(unnamed.predict("").out.find(" 0 transactions"), std::string::npos);
}

TEST(Recording, ANameThatNoFunctionHasIsSaid) {
  Prediction prediction("tickets", "", "--atomic 'no_such_function'");
  EXPECT_NE(prediction.recorded.out.find("no function that was entered matches"), std::string::npos)
      << prediction.recorded.out;
}

class AbruptEnd : public testing::TestWithParam<const char*> {};

TEST_P(AbruptEnd, LeavesAReadableTrace) {
  Prediction prediction("ends", GetParam(), "");
  const auto counted = run(std::string(MUSTER_COMMAND) + " trace count " + prediction.path("t.trace"));
  EXPECT_EQ(counted.code, 0) << prediction.recorded.out << counted.out;
  // Both threads' 20,000 rounds, and the lock that was held at the end.
  EXPECT_NE(counted.out.find("acq     40001"), std::string::npos) << counted.out;
  EXPECT_NE(counted.out.find("rel     40000"), std::string::npos) << counted.out;
  const auto valid = run(std::string(MUSTER_COMMAND) + " trace validate " + prediction.path("t.trace"));
  EXPECT_NE(valid.out.find(" 0 impossible"), std::string::npos) << valid.out;
  EXPECT_EQ(prediction.predict("").code, 0);
}

INSTANTIATE_TEST_SUITE_P(Recording, AbruptEnd, testing::Values("segv", "abort", "exit", "kill"),
                         [](const auto& info) { return std::string(info.param); });

/// A test of a check, recorded and confirmed: its operations are transactions, and the history of the re-execution is
/// judged.
class RecordedCheck {
 public:
  RecordedCheck(const std::string& name, const std::string& test, const std::string& how) {
    recorded = run(in_folder(std::string(MUSTER_COMMAND) + " record " + how + " -o t.trace -- " + program_ + " " +
                             name + " --matrix '" + test + "'"));
    confirmed = run(in_folder(std::string(MUSTER_COMMAND) + " predict t.trace --all --confirm " + program_));
  }
  test::Outcome replay(const std::string& saved) { return run(in_folder(program_ + " --replay " + saved)); }

  test::Outcome recorded, confirmed;

 private:
  std::string in_folder(const std::string& command) const { return "cd " + folder_.path("") + " && " + command; }
  const std::string program_ = std::string(MUSTER_SUBJECTS) + "/subjects_checks";
  TemporaryFolder folder_;
};

TEST(Confirmation, AHistoryThatNoSerialOrderExplainsIsReportedAsSuch) {
  for (const char* how : {"--serial", ""}) {
    RecordedCheck check("careless_seats", "sell | sell", how);
    EXPECT_EQ(check.confirmed.code, 1) << check.recorded.out << check.confirmed.out;
    EXPECT_GE(count(check.confirmed.out, "CONFIRMED"), 1u) << check.confirmed.out;
    EXPECT_GE(count(check.confirmed.out, "history that no serial order explains"), 1u) << check.confirmed.out;
    const auto replayed = check.replay("careless_seats-1");
    EXPECT_EQ(replayed.code, 1) << replayed.out;
    EXPECT_NE(replayed.out.find("FAIL careless_seats"), std::string::npos) << replayed.out;
  }
}

TEST(Confirmation, AViolationThatACallerCannotSeeIsNoFailureOfLinearizability) {
  RecordedCheck check("display", "set(1) | get", "--serial");
  EXPECT_EQ(check.confirmed.code, 1) << check.confirmed.out;
  EXPECT_GE(count(check.confirmed.out, "CONFIRMED"), 1u) << check.confirmed.out;
  EXPECT_EQ(count(check.confirmed.out, "no serial order explains"), 0u) << check.confirmed.out;
  const auto replayed = check.replay("display-1");
  EXPECT_EQ(replayed.code, 1) << replayed.out;
  EXPECT_NE(replayed.out.find("FAIL display: read-write-read"), std::string::npos) << replayed.out;
}

/// A compare-exchange that fails because another thread came in between only reads: that is no serial order either.
TEST(Confirmation, AnAttemptThatFailsIsAViolationOfAnotherPattern) {
  RecordedCheck check("treiber_stack", "push(1) | push(1)", "--serial");
  EXPECT_EQ(check.confirmed.code, 1) << check.recorded.out << check.confirmed.out;
  EXPECT_GE(count(check.confirmed.out, "CONFIRMED   read-write-write"), 1u) << check.confirmed.out;
  EXPECT_GE(count(check.confirmed.out, "it then showed a read-write-read"), 1u) << check.confirmed.out;
  EXPECT_EQ(count(check.confirmed.out, "no serial order explains"), 0u) << check.confirmed.out;
}

TEST(Confirmation, ACarefulClassHasNothingToConfirm) {
  RecordedCheck check("seats", "sell | sell", "");
  EXPECT_EQ(check.confirmed.code, 0) << check.confirmed.out;
  EXPECT_EQ(count(check.confirmed.out, "CONFIRMED"), 0u) << check.confirmed.out;
}

/// Runs a check of random tests of 3x2, steered by prediction.
test::Outcome steer(const std::string& check) {
  const TemporaryFolder folder;
  return run("cd " + folder.path("") + " && " + MUSTER_SUBJECTS + "/subjects_checks " + check +
             " --strategy predict --size 3x2 --tests 20 --minimise 0 --folder saved");
}

/// How many executions of the failing test it took.
unsigned executions_until_failure(const std::string& out) {
  const auto at = out.find(" fails after ");
  return at == std::string::npos ? ~0u : static_cast<unsigned>(std::stoul(out.substr(at + 13)));
}

// A bounded search needs 9 to 80 executions of these tests.
TEST(Steering, LeadsToFailuresOfClassesThatLockEachAccess) {
  for (const char* check : {"careless_seats", "careless_accounts", "careless_transfer", "careless_memo"}) {
    const auto outcome = steer(check);
    EXPECT_EQ(outcome.code, 1) << outcome.out;
    EXPECT_LE(executions_until_failure(outcome.out), 8u) << check << ": " << outcome.out;
  }
}

TEST(Steering, TheirTwinsPass) {
  for (const char* check : {"seats", "accounts", "careful_transfer", "memo"}) {
    const auto outcome = steer(check);
    EXPECT_EQ(outcome.code, 0) << outcome.out;
    EXPECT_NE(outcome.out.find("covered: all schedules with at most 2 preemptions"), std::string::npos) << outcome.out;
  }
}

TEST(Recording, AProgramThatIsNotInstrumentedIsNamed) {
  const TemporaryFolder folder;
  const auto outcome = run("cd " + folder.path("") + " && " + std::string(MUSTER_COMMAND) + " record -- /bin/true");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.out.find("/bin/true recorded nothing"), std::string::npos) << outcome.out;
}

}  // namespace
}  // namespace muster
