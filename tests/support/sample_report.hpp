#pragma once
// A report with one of everything, and text from a program that would rather be markup.

#include "finding/finding.hpp"

namespace muster::test {

inline Finding sample_failure() {
  Finding finding;
  finding.subject = "work_queue";
  finding.kind = FindingKind::not_linearizable;
  finding.sentence = "B's TryTake() returned nothing; in every serial order it returns 400.";
  finding.test = "first: Add(400) | Add(200) | TryTake";
  finding.matrix = {"first   Add(400)", "A       Add(200)", "B       TryTake() → nothing"};
  finding.preemptions = 1;
  finding.execution = 1412;
  finding.schedule = "1-tf20tp21-iUMX";
  finding.saved_as = ".muster/work_queue-1";
  finding.notes = {"test 4 of 100 fails after 1,412 executions; shrunk from 9 operations to 3"};
  finding.afterwards = {"Serial runs, the nearest first:", "    Add(400) Add(200) TryTake→400",
                        "    Add(400) TryTake→400 Add(200)"};
  finding.steps = {
      {"A", "Add(200)", "locks", "mutex_", "work_queue.hpp:22", "/src/work_queue.hpp", 22, true, false, ""},
      {"A", "Add(200)", "reads", "block#1 (work_queue.hpp:9)", "work_queue.hpp:23", "/src/work_queue.hpp", 23, false,
       false, "", "= 7"},
      {"B", "TryTake()", "tries to lock", "mutex_, held by A", "work_queue.hpp:38", "/src/work_queue.hpp", 38, true,
       false, "A is preempted"},
      {"B", "TryTake()", "returns nothing", "", "", "", 0, false, true, ""},
      {"A", "Add(200)", "unlocks", "mutex_", "work_queue.hpp:25", "/src/work_queue.hpp", 25, true, false, ""},
  };
  finding.cause =
      "What decides it: A locks mutex_ at work_queue.hpp:22, before B tries to lock mutex_ at work_queue.hpp:38. "
      "The other way round, it comes out right.";
  finding.steps[0].decides = true;
  finding.steps[0].source = "std::lock_guard lock(mutex_);";
  finding.steps[2].no_return = true;
  finding.steps[2].caller = "queue_check.cpp:7";
  Timeline& timeline = finding.timeline;
  timeline.operations = {{"first", "Add(400)", "", 0, 1, false, 0, true, false},
                         {"A", "Add(200)", "", 2, 5, false, 0, true, false},
                         {"B", "TryTake()", "nothing", 3, 4, false, 0, true, true}};
  timeline.attempts = {
      {{0, 1, 2}, {"", "", "400"}, "TryTake() returns 400 here, and returned nothing in the execution"},
      {{0, 2}, {"", "400"}, "TryTake() returns 400 here, and returned nothing in the execution"}};
  timeline.joins = {{1, 2}};
  timeline.displacements = {{2, 1, 1}};
  return finding;
}

inline Report sample_report() {
  Report report;
  report.program = "./queue_check";
  Result failed;
  failed.subject = "work_queue";
  failed.source = SubjectKind::check;
  failed.outcome = Outcome::failed;
  failed.findings = {sample_failure()};
  failed.coverage.strategy = "dfs";
  failed.coverage.tests = "100 random tests of 3x3";
  failed.coverage.tests_run = 4;
  failed.coverage.tests_known = 100;
  failed.coverage.executions = 12'345;
  failed.coverage.histories = 321;
  failed.coverage.steps = 123'450;
  failed.coverage.seconds = 0.25;
  failed.coverage.cpu_seconds = 0.2;
  failed.coverage.preemptions = 2;
  Result race;
  race.subject = "publish";
  race.outcome = Outcome::failed;
  Finding& told = race.findings.emplace_back();
  told.subject = "publish";
  told.kind = FindingKind::race;
  told.sentence =
      "race: B reads at <script>alert(1)</script>.cpp:3 what another thread writes & nothing orders the two\xff";
  told.schedule = "1-tf20-AAAA";
  told.steps = {
      {"A", "", "writes", "\"x\" & <y>", "a b.cpp:3", "/tmp/a b.cpp", 3, true, false, "", "1 → 'x'"},
      {"B", "", "reads", "\"x\" & <y>", "a b.cpp:9", "/tmp/a b.cpp", 9, true, true, "A is preempted", "= 'x'"}};
  told.steps[0].races = true;
  told.steps[0].caller = "a b.cpp:20";
  race.coverage.strategy = "random";
  race.coverage.executions = 10;
  Result predicted;
  predicted.subject = "bank.std";
  predicted.source = SubjectKind::trace;
  predicted.summary = "14 events, 2 threads";
  predicted.conclusions = {"the run itself was serializable", "1 different place"};
  Finding& prediction = predicted.findings.emplace_back();
  prediction.subject = "bank.std";
  prediction.kind = FindingKind::atomicity_violation;
  prediction.grade = FindingGrade::certified;
  prediction.proven = false;
  prediction.sentence =
      "read-write-write: reads at bank.cpp:31, writes at bank.cpp:58 in between, writes at bank.cpp:36";
  prediction.notes = {"1 time; for example on balance: T1 event 4, T2 event 9, T1 event 6"};
  prediction.steps = {{"T1", "", "reads", "balance", "bank.cpp:31", "bank.cpp", 31, true, false, ""},
                      {"T2", "", "writes", "balance", "bank.cpp:58", "bank.cpp", 58, true, true, ""},
                      {"T1", "", "writes", "balance", "bank.cpp:36", "bank.cpp", 36, true, false, ""}};
  Result log;
  log.subject = "stack.log";
  log.source = SubjectKind::log;
  log.outcome = Outcome::failed;
  log.summary = "4 operations, 2 processes";
  Finding& misfit = log.findings.emplace_back();
  misfit.subject = "stack.log, key \"a\"";
  misfit.kind = FindingKind::not_linearizable;
  misfit.sentence = "pop() -> nil while something was certainly inside";
  misfit.timeline.operations = {{"1", "push(1)", "", 1, 9, false, 2, true, false, true},
                                {nobody, "pop()", "nil", 3, 5, false, 3, true, true}};
  misfit.notes = {"2 operations alone show it"};
  misfit.proven = true;
  Result passed;
  passed.subject = "fixed";
  passed.coverage.strategy = "dfs";
  passed.coverage.executions = 24;
  passed.coverage.steps = 240;
  passed.coverage.exhausted = passed.coverage.some_bound_exhausted = true;
  passed.coverage.preemptions = 2;
  Result stopped;
  stopped.subject = "slow";
  stopped.outcome = Outcome::undecided;
  stopped.stopped = "stopped before it was done";
  stopped.resume = "./queue_check --resume run.checkpoint";
  stopped.coverage.strategy = "dfs";
  stopped.coverage.executions = 100;
  stopped.coverage.executions_left = 2'345'678;
  Result late;
  late.subject = "long";
  late.source = SubjectKind::check;
  late.outcome = Outcome::no_finding;
  late.stopped = stopped_by_budget;
  late.coverage.strategy = "dfs";
  late.coverage.tests = "400 random tests of 3x3";
  late.coverage.tests_run = 13;
  late.coverage.tests_known = 400;
  late.coverage.executions = 120'000;
  late.coverage.seconds = 1.5;
  Result idle = not_run("few", SubjectKind::check, "no test fell to shard 5 of 8");
  idle.coverage.tests = "3 given tests";
  idle.coverage.tests_known = 3;
  idle.coverage.part = "shard 5 of 8";
  idle.coverage.exhausted = true;
  report.results = {failed, race, predicted, log, passed, stopped, late, idle};
  return report;
}

}  // namespace muster::test
