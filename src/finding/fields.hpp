#pragma once
// The members of each value under their names in JSON, written down once: a writer and a reader both walk this list.
// `always` marks what a reader may rely on; anything else is left out while it has its default value.

#include <concepts>
#include <type_traits>

#include "finding/finding.hpp"

namespace muster {

/// Changes only in ways that break readers raise it; docs/reference/report.schema.json says what each version holds.
constexpr unsigned report_version = 2;

template <class Given, class Wanted>
concept Maybe = std::same_as<std::remove_const_t<Given>, Wanted>;

template <class Archive, Maybe<Step> T>
void fields(Archive& archive, T& step) {
  archive.always("thread", step.thread);
  archive("operation", step.operation);
  archive.always("action", step.action);
  archive("object", step.object);
  archive("detail", step.detail);
  archive("place", step.place);
  archive("file", step.file);
  archive("line", step.line);
  archive("caller", step.caller);
  archive("source", step.source);
  archive("switched", step.switched);
  archive("why", step.why);
  archive("decisive", step.decisive);
  archive("no_return", step.no_return);
  archive("decides", step.decides);
  archive("races", step.races);
}

template <class Archive, Maybe<TimelineOperation> T>
void fields(Archive& archive, T& operation) {
  archive.always("thread", operation.thread);
  archive.always("call", operation.call);
  archive("answer", operation.answer);
  archive.always("begin", operation.begin);
  archive("end", operation.end);
  archive("pending", operation.pending);
  archive("line", operation.line);
  archive("core", operation.core);
  archive("blamed", operation.blamed);
  archive("late", operation.late);
}

template <class Archive, Maybe<Attempt> T>
void fields(Archive& archive, T& attempt) {
  archive.always("order", attempt.order);
  archive("answers", attempt.answers);
  archive("why", attempt.why);
}

template <class Archive, Maybe<Displacement> T>
void fields(Archive& archive, T& displacement) {
  archive.always("operation", displacement.operation);
  archive.always("instead_of", displacement.instead_of);
  archive.always("distance", displacement.distance);
}

template <class Archive, Maybe<TimelineDisturbance> T>
void fields(Archive& archive, T& disturbance) {
  archive.always("at", disturbance.at);
  archive.always("text", disturbance.text);
  archive("line", disturbance.line);
}

template <class Archive, Maybe<Timeline> T>
void fields(Archive& archive, T& timeline) {
  archive("unit", timeline.unit);
  archive.always("operations", timeline.operations);
  archive("attempts", timeline.attempts);
  archive("joins", timeline.joins);
  archive("join_names", timeline.join_names);
  archive("displacements", timeline.displacements);
  archive("disturbances", timeline.disturbances);
}

template <class Archive, Maybe<Finding> T>
void fields(Archive& archive, T& finding) {
  archive.always("subject", finding.subject);
  archive.always("kind", finding.kind);
  archive.always("sentence", finding.sentence);
  archive("cause", finding.cause);
  archive("file", finding.file);
  archive("line", finding.line);
  archive.always("proven", finding.proven);
  archive("grade", finding.grade);
  archive("notes", finding.notes);
  archive("test", finding.test);
  archive("matrix", finding.matrix);
  archive("timeline", finding.timeline);
  archive("steps", finding.steps);
  archive("serial", finding.afterwards);
  archive("schedule", finding.schedule);
  archive("preemptions", finding.preemptions);
  archive("execution", finding.execution);
  archive("racy_sites", finding.racy_sites);
  archive("saved_as", finding.saved_as);
}

template <class Archive, Maybe<CoverageReport> T>
void fields(Archive& archive, T& coverage) {
  archive("strategy", coverage.strategy);
  each_count([&](const char* name, auto& count) { archive(name, count); }, coverage);
  archive("complete", coverage.complete);
  archive("tests", coverage.tests);
  archive("part", coverage.part);
  archive("tests_run", coverage.tests_run);
  archive("tests_known", coverage.tests_known);
  archive("seconds", coverage.seconds);
  archive("cpu_seconds", coverage.cpu_seconds);
  archive("executions_left", coverage.executions_left);
  archive("exhausted", coverage.exhausted);
  archive("sampled", coverage.sampled);
  archive("all_schedules", coverage.all_schedules);
  archive("reduced", coverage.reduced);
  archive("some_bound_exhausted", coverage.some_bound_exhausted);
  archive("unbounded", coverage.unbounded);
  archive("symmetry", coverage.symmetry);
  archive("preemptions", coverage.preemptions);
  archive("late_yields", coverage.late_yields);
  archive("opaque_libraries", coverage.opaque_libraries);
  archive("unwatched_calls", coverage.unwatched_calls);
  archive("weak_orders", coverage.weak_orders);
  archive("allocators", coverage.allocators);
  archive("notes", coverage.notes);
  archive("warnings", coverage.warnings);
}

template <class Archive, Maybe<Result> T>
void fields(Archive& archive, T& result) {
  archive.always("subject", result.subject);
  archive.always("source", result.source);
  archive.always("outcome", result.outcome);
  archive("summary", result.summary);
  archive("conclusions", result.conclusions);
  archive("stopped", result.stopped);
  archive("resume", result.resume);
  archive.always("findings", result.findings);
  archive("timeline", result.timeline);
  archive.always("coverage", result.coverage);
}

template <class Archive, Maybe<Report> T>
void fields(Archive& archive, T& report) {
  archive("program", report.program);
  archive("shards", report.shards);
  archive("shard_count", report.shard_count);
  archive.always("results", report.results);
}

}  // namespace muster
