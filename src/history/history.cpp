#include "history/history.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/assert.hpp"
#include "base/error.hpp"
#include "history/event_order.hpp"

namespace muster {

History History::restricted_to(std::span<const OperationId> ids) const {
  History part;
  part.methods_ = methods_;
  part.answering_ = answering_;
  part.processes_ = processes_;
  part.source_ = source_;
  part.positions_ = positions_;
  part.positional_ = positional_;
  part.has_times_ = has_times_;
  for (const OperationId id : ids) {
    Operation operation = operations_[id];
    const auto values = arguments(id);
    operation.first_argument = static_cast<std::uint32_t>(part.arguments_.size());
    part.arguments_.insert(part.arguments_.end(), values.begin(), values.end());
    part.pending_ += operation.is_pending();
    part.operations_.push_back(operation);
    if (!call_times_.empty()) {
      part.call_times_.push_back(call_times_[id]);
      part.return_times_.push_back(return_times_[id]);
    }
  }
  if (matrix_) {
    PrecedenceMatrix matrix(ids.size());
    for (OperationId a = 0; a < ids.size(); ++a) {
      for (OperationId b = 0; b < ids.size(); ++b) {
        if (matrix_->test(ids[a], ids[b])) matrix.set(a, b);
      }
    }
    part.set_precedence(std::move(matrix));
  }
  return part;
}

History History::with_positions(std::span<const std::pair<Position, Position>> positions) const {
  MUSTER_ASSERT(positions.size() == size());
  History moved = *this;
  moved.matrix_.reset();
  moved.positions_ = 0;
  moved.pending_ = 0;
  for (OperationId id = 0; id < size(); ++id) {
    moved.operations_[id].call = positions[id].first;
    moved.operations_[id].ret = positions[id].second;
    moved.positions_ = std::max(moved.positions_, positions[id].first + 1);
    if (positions[id].second == never) {
      ++moved.pending_;
      moved.operations_[id].result = Value();
    } else {
      moved.positions_ = std::max(moved.positions_, positions[id].second + 1);
    }
  }
  return moved;
}

MethodId HistoryBuilder::method(std::string_view name) {
  const auto found = method_ids_.find(std::string(name));
  if (found != method_ids_.end()) return found->second;
  if (history_.methods_.size() >= 10'000) fail("{}: more than 10,000 different operation names", history_.source_.name);
  const auto id = static_cast<MethodId>(history_.methods_.size());
  history_.methods_.emplace_back(name);
  method_ids_.emplace(name, id);
  return id;
}

ProcessId HistoryBuilder::process(Value name) {
  constexpr std::int64_t small = 4096;
  const bool is_small = name.is_integer() && name.as_integer() >= 0 && name.as_integer() < small;
  if (is_small) {
    small_processes_.resize(small);
    if (const ProcessId known = small_processes_[name.as_integer()]) return known - 1;
  } else if (const auto found = process_ids_.find(name); found != process_ids_.end()) {
    return found->second;
  }
  const auto id = static_cast<ProcessId>(history_.processes_.size());
  history_.processes_.push_back(name);
  if (is_small) {
    small_processes_[name.as_integer()] = id + 1;
  } else {
    process_ids_.emplace(name, id);
  }
  return id;
}

OperationId HistoryBuilder::add(ProcessId process, MethodId method, std::span<const Value> arguments,
                                std::uint32_t line) {
  if (arguments.size() > 255) fail("{}:{}: an operation with more than 255 arguments", history_.source_.name, line);
  Operation operation;
  operation.process = process;
  operation.method = method;
  operation.line = line;
  operation.first_argument = static_cast<std::uint32_t>(history_.arguments_.size());
  operation.argument_count = static_cast<std::uint8_t>(arguments.size());
  history_.arguments_.insert(history_.arguments_.end(), arguments.begin(), arguments.end());
  history_.operations_.push_back(operation);
  return static_cast<OperationId>(history_.operations_.size() - 1);
}

OperationId HistoryBuilder::call(ProcessId process, MethodId method, std::span<const Value> arguments,
                                 std::uint32_t line) {
  MUSTER_ASSERT(!intervals_);
  const OperationId id = add(process, method, arguments, line);
  history_.operations_[id].call = history_.positions_++;
  return id;
}

void HistoryBuilder::returned(OperationId id, Value result) {
  Operation& operation = history_.operations_[id];
  MUSTER_ASSERT(operation.is_pending());
  operation.result = result;
  operation.ret = history_.positions_++;
}

OperationId HistoryBuilder::interval(ProcessId process, MethodId method, std::span<const Value> arguments, Value result,
                                     std::int64_t start, std::int64_t end, std::uint32_t line) {
  intervals_ = true;
  const OperationId id = add(process, method, arguments, line);
  history_.operations_[id].result = result;
  history_.call_times_.push_back(start);
  history_.return_times_.push_back(end);
  return id;
}

void HistoryBuilder::at_call(OperationId id, std::int64_t time) { set_time(history_.call_times_, id, time); }

void HistoryBuilder::at_return(OperationId id, std::int64_t time) { set_time(history_.return_times_, id, time); }

void HistoryBuilder::set_time(std::vector<std::int64_t>& times, OperationId id, std::int64_t time) {
  timed_events_ = true;
  times.resize(size(), History::no_time);
  times[id] = time;
}

void HistoryBuilder::set_arguments(OperationId id, std::span<const Value> arguments) {
  Operation& operation = history_.operations_[id];
  if (arguments.size() > 255)
    fail("{}:{}: an operation with more than 255 arguments", history_.source_.name, operation.line);
  if (arguments.size() > operation.argument_count) {
    operation.first_argument = static_cast<std::uint32_t>(history_.arguments_.size());
    history_.arguments_.resize(history_.arguments_.size() + arguments.size());
  }
  std::ranges::copy(arguments, history_.arguments_.begin() + operation.first_argument);
  operation.argument_count = static_cast<std::uint8_t>(arguments.size());
}

void HistoryBuilder::drop(OperationId id) { dropped_.push_back(id); }

History HistoryBuilder::finish(Ties ties) {
  if (timed_events_) {
    history_.call_times_.resize(size(), History::no_time);
    history_.return_times_.resize(size(), History::no_time);
  }
  if (!dropped_.empty()) leave_out_dropped();
  history_.has_times_ = !history_.call_times_.empty();
  if (timed_events_) note_missing_times();
  if (intervals_)
    history_.positions_ = order_by_time(history_.operations_, history_.call_times_, history_.return_times_, ties);
  history_.pending_ = static_cast<std::size_t>(std::ranges::count_if(history_.operations_, &Operation::is_pending));
  return std::move(history_);
}

void HistoryBuilder::leave_out_dropped() {
  std::ranges::sort(dropped_);
  std::size_t kept = 0, next = 0;
  for (OperationId id = 0; id < size(); ++id) {
    if (next < dropped_.size() && dropped_[next] == id) {
      while (next < dropped_.size() && dropped_[next] == id) ++next;
      continue;
    }
    history_.operations_[kept] = history_.operations_[id];
    if (!history_.call_times_.empty()) {
      history_.call_times_[kept] = history_.call_times_[id];
      history_.return_times_[kept] = history_.return_times_[id];
    }
    ++kept;
  }
  history_.source_.failed = size() - kept;
  history_.operations_.resize(kept);
  if (!history_.call_times_.empty()) {
    history_.call_times_.resize(kept);
    history_.return_times_.resize(kept);
  }
}

void HistoryBuilder::note_missing_times() {
  for (OperationId id = 0; id < size(); ++id) {
    const Operation& operation = history_.operations_[id];
    if (operation.is_pending()) history_.return_times_[id] = still_pending;
    const bool is_timed = history_.call_time(id) != History::no_time && history_.return_time(id) != History::no_time;
    if (is_timed || !history_.has_times_) continue;
    history_.has_times_ = false;
    history_.source_.untimed = operation.line;
  }
}

std::string to_string(const History& history, OperationId id) {
  const Operation& operation = history[id];
  std::string out = fmt::format("{}(", history.method_name(operation.method));
  bool first = true;
  if (!operation.key.is_none()) {
    out += to_string(operation.key);
    first = false;
  }
  for (const Value value : history.arguments(id)) {
    if (!first) out += ", ";
    out += to_string(value);
    first = false;
  }
  out += ')';
  if (operation.is_pending()) return out;
  const std::string answer = answer_text(history, operation);
  return out + " -> " + (answer.empty() ? "ok" : answer);
}

std::string answer_text(const History& history, const Operation& operation) {
  const bool unrecorded = operation.result.is_none() && !operation.is_pending() && history.answers(operation.method);
  return unrecorded ? "?" : to_string(operation.result);
}

}  // namespace muster
