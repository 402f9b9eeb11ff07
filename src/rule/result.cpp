#include "rule/result.hpp"

#include <cstring>
#include <map>
#include <type_traits>
#include <unordered_map>
#include <utility>

namespace muster {
namespace {

/// Writes or reads the same fields in the same order, so that the two cannot differ.
class Writer {
 public:
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void field(const T& value) { raw(&value, sizeof value); }
  void field(const std::string& text) { list(text); }
  template <class T>
  void field(const std::vector<T>& items) {
    list(items);
  }
  template <class T>
  requires(!std::is_trivially_copyable_v<std::optional<T>>) void field(const std::optional<T>& item) {
    field(item.has_value());
    if (item) visit(*this, const_cast<T&>(*item));
  }
  template <class T>
  requires(!std::is_trivially_copyable_v<T>) void field(const T& value) { visit(*this, const_cast<T&>(value)); }

  std::vector<std::byte> bytes;

 private:
  template <class List>
  void list(const List& items) {
    field(static_cast<std::uint64_t>(items.size()));
    if constexpr (std::is_trivially_copyable_v<typename List::value_type>) {
      raw(items.data(), items.size() * sizeof(typename List::value_type));
    } else {
      for (const auto& item : items) field(item);
    }
  }
  void raw(const void* from, std::size_t size) {
    const auto* begin = static_cast<const std::byte*>(from);
    bytes.insert(bytes.end(), begin, begin + size);
  }
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : at_(bytes.data()) {}
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void field(T& value) { raw(&value, sizeof value); }
  void field(std::string& text) { list(text); }
  template <class T>
  void field(std::vector<T>& items) {
    list(items);
  }
  template <class T>
  requires(!std::is_trivially_copyable_v<std::optional<T>>) void field(std::optional<T>& item) {
    bool there = false;
    field(there);
    if (there) visit(*this, item.emplace());
  }
  template <class T>
  requires(!std::is_trivially_copyable_v<T>) void field(T& value) { visit(*this, value); }

 private:
  template <class List>
  void list(List& items) {
    std::uint64_t size = 0;
    field(size);
    items.resize(size);
    if constexpr (std::is_trivially_copyable_v<typename List::value_type>) {
      raw(items.data(), size * sizeof(typename List::value_type));
    } else {
      for (auto& item : items) field(item);
    }
  }
  void raw(void* into, std::size_t size) {
    if (size > 0) std::memcpy(into, at_, size);
    at_ += size;
  }
  const std::byte* at_;
};

template <class Archive>
void visit(Archive& archive, Test& test) {
  archive.field(test.first);
  archive.field(test.columns);
  archive.field(test.last);
}

template <class Archive>
void visit(Archive& archive, SerialRun& run) {
  archive.field(run.order);
  archive.field(run.answers);
}

template <class Archive>
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

template <class Archive>
void visit(Archive& archive, ToldHistory& told) {
  archive.field(told.times);
  archive.field(told.stuck);
  archive.field(told.text);
}

template <class Archive>
void visit(Archive& archive, SearchRest& rest) {
  archive.field(rest.preemptions);
  archive.field(rest.late_yields);
  archive.field(rest.cut_by_preemptions);
  archive.field(rest.cut_by_late_yields);
  archive.field(rest.jobs);
  archive.field(rest.tree);
  archive.field(rest.racy_sites);
  archive.field(rest.shared_stacks);
  archive.field(rest.outside_is_written);
  archive.field(rest.starts_late);
}

template <class Archive>
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
  for (std::uint64_t* count : {&result.linearizable, &result.relaxed, &result.unexplained}) archive.field(*count);
  archive.field(result.largest_factor);
  archive.field(result.widest);
  archive.field(result.told);
  archive.field(result.worker);
  archive.field(result.attempt);
  archive.field(result.helpers);
  archive.field(result.met);
  archive.field(result.rest);
}

}  // namespace

std::string_view name(FailureKind kind) {
  switch (kind) {
    case FailureKind::no_witness:
      return "not-linearizable";
    case FailureKind::not_quasi:
      return "not-quasi-linearizable";
    case FailureKind::stuck:
      return "stuck";
    case FailureKind::nondeterministic:
      return "nondeterministic";
    case FailureKind::own_threads:
      return "nondeterministic-own-threads";
    case FailureKind::unlucky:
      return "nondeterministic-unlucky";
    case FailureKind::invariant:
      return "invariant";
    case FailureKind::no_synchronisation:
      return "not-synchronisation-linearizable";
    case FailureKind::no_progress:
      return "no-progress";
    case FailureKind::incident:
      return "incident";
  }
  return "";
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
  result.all_schedules &= result.held_back == 0;
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
  Writer writer;
  writer.field(letter);
  visit(writer, const_cast<TestResult&>(result));
  return std::move(writer.bytes);
}

TestResult decode_result(std::span<const std::byte> bytes) {
  TestResult result;
  Reader reader(bytes.subspan(1));
  visit(reader, result);
  return result;
}

}  // namespace muster
