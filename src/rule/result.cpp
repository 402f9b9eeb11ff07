#include "rule/result.hpp"

#include <map>
#include <unordered_map>
#include <utility>

#include "base/archive.hpp"

namespace muster {

void visit(Archive& archive, Test& test) {
  archive.field(test.first);
  archive.field(test.columns);
  archive.field(test.last);
}

void visit(Archive& archive, SerialRun& run) {
  archive.field(run.order);
  archive.field(run.answers);
}

void visit(Archive& archive, Failure& failure) {
  archive.field(failure.kind);
  archive.field(failure.test);
  archive.field(failure.serial);
  archive.field(failure.planned);
  archive.field(failure.schedule);
  archive.field(failure.racy_sites);
  archive.field(failure.bound);
  archive.field(failure.preemptions);
  archive.field(failure.expired);
  archive.field(failure.marks);
  archive.field(failure.answers);
  archive.field(failure.blamed);
  archive.field(failure.possible);
  archive.field(failure.serial_orders);
  archive.field(failure.serial_runs);
  archive.field(failure.displaced);
  archive.field(failure.joins);
  archive.field(failure.note);
  archive.field(failure.incident);
  archive.field(failure.suspected);
  archive.field(failure.minimal);
}

void visit(Archive& archive, ToldHistory& told) {
  archive.field(told.times);
  archive.field(told.stuck);
  archive.field(told.text);
}

void visit(Archive& archive, Rest& rest) {
  each_number(rest, [&](const char*, auto& number) { archive.field(number); });
  archive.field(rest.jobs);
  archive.field(rest.tree);
  archive.field(rest.racy_sites);
}

void visit(Archive& archive, TestResult& result) {
  archive.field(result.number);
  archive.field(result.verdict);
  archive.field(result.failure);
  archive.field(result.undecided);
  archive.field(result.limit);
  archive.field(result.races);
  for (std::uint64_t* count :
       {&result.serial_full, &result.serial_stuck, &result.serial_steps, &result.signalled, &result.misleading})
    archive.field(*count);
  each_count([&](const char*, auto& count) { archive.field(count); }, result);
  archive.field(result.leaves_out);
  archive.field(result.own_threads_bound);
  archive.field(result.serial_seconds);
  archive.field(result.seconds);
  archive.field(result.cpu_seconds);
  archive.field(result.exhausted);
  archive.field(result.share_done);
  archive.field(result.all_schedules);
  archive.field(result.reduced);
  for (std::uint64_t* count : {&result.linearizable, &result.relaxed, &result.unexplained}) archive.field(*count);
  archive.field(result.largest_factor);
  archive.field(result.widest);
  archive.field(result.told);
  archive.field(result.worker);
  archive.field(result.attempt);
  archive.field(result.helpers);
  archive.field(result.met);
  archive.field(result.observed);
  archive.field(result.rest);
}

void heed_what_is_left_out(TestResult& result) {
  if (!result.leaves_out || !result.exhausted || result.verdict == TestVerdict::failed || !result.undecided.empty())
    return;
  result.verdict = TestVerdict::undecided;
  result.undecided =
      "a class of executions has more histories than were judged, over a million or no time left: make the test "
      "smaller";
}

void add_part(TestResult& result, const TestResult& part) {
  const std::uint64_t serial = result.serial_executions;  // made by each for itself
  result.add(part);
  result.serial_executions = serial;
  result.races.insert(result.races.end(), part.races.begin(), part.races.end());
  result.all_schedules &= result.held_back == 0 || result.reduced;
  result.leaves_out |= part.leaves_out;
  heed_what_is_left_out(result);
  std::unordered_map<std::uint64_t, std::uint8_t> met;
  for (const std::vector<MetHistory>* histories : {&std::as_const(result.met), &part.met}) {
    for (const MetHistory& history : *histories) met.emplace(history.key, history.kind);
  }
  result.met.clear();
  result.classes = result.histories = result.stuck_histories = result.signalled = result.misleading = 0;
  for (const auto& [key, kind] : met) {
    result.met.push_back({key, kind});
    ++((kind & MetHistory::whole_class) != 0 ? result.classes : result.histories);
    result.stuck_histories += (kind & MetHistory::stuck) != 0;
    result.signalled += (kind & MetHistory::signalled) != 0;
    result.misleading += (kind & MetHistory::misleading) != 0;
  }
  std::map<std::pair<std::string, bool>, std::uint64_t> told;
  for (const std::vector<ToldHistory>* histories : {&std::as_const(result.told), &part.told}) {
    for (const ToldHistory& history : *histories) told[{history.text, history.stuck}] += history.times;
  }
  result.told.clear();
  for (const auto& [history, times] : told) result.told.push_back({times, history.second, history.first});
  if (result.rest && part.rest)
    result.rest->jobs.insert(result.rest->jobs.end(), part.rest->jobs.begin(), part.rest->jobs.end());
}

std::vector<std::byte> encode(const TestResult& result, char letter) {
  Archive archive;
  archive.put(letter);
  archive.put(result);
  return std::move(archive.bytes);
}

TestResult decode_result(std::span<const std::byte> bytes) {
  TestResult result;
  Archive(bytes.subspan(1)).field(result);
  return result;
}

}  // namespace muster
