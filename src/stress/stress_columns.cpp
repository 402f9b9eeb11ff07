#include "stress/stress_columns.hpp"

#include <sched.h>

#include <algorithm>
#include <stdexcept>

#include "rule/answer_text.hpp"

namespace muster {

namespace {

constexpr unsigned looks_before_sleeping = 50;
constexpr std::size_t room_for_signals = 64;
constexpr std::size_t room_for_calls = 2 * max_operations;

}  // namespace

thread_local StressColumns::Current* StressColumns::current_ = nullptr;

StressColumns::StressColumns(const CheckDefinition& check, const Test& test, std::vector<StressPlan> plans)
    : check_(check),
      test_(test),
      operations_(operations_of(test)),
      uses_(1 + test.columns.size()),
      plans_(std::move(plans)),
      runs_(plans_.size()) {
  first_end_ = static_cast<unsigned>(test.first.size());
  unsigned at = first_end_;
  for (const Sequence& column : test.columns) {
    first_of_column_.push_back(at);
    at += static_cast<unsigned>(column.size());
  }
  first_of_column_.push_back(at);
  last_begin_ = at;
  for (const TestOperation& operation : operations_) {
    uses_[static_cast<std::size_t>(operation.column + 1)] |=
        check.operations[check.invocations[operation.invocation].operation].thread_states;
  }
  for (unsigned i = first_end_; i < last_begin_; ++i) {
    if (check.operations[check.invocations[operations_[i].invocation].operation].asynchronous)
      asynchronous_.push_back(i);
  }
  for (Run& run : runs_) {
    for (std::size_t i = 0; i <= threads(); ++i)
      run.logs.emplace_back().lines.reserve(room_for_signals + room_for_calls);
  }
}

/// What was begun and never came to its end is not used by anybody any more, unless threads are stuck in it: then this
/// object is never destroyed.
StressColumns::~StressColumns() {
  for (Run& run : runs_) destroy(run);
}

template <class Function>
void StressColumns::for_each_thread_state(Run& run, Function function) {
  const std::size_t count = check_.thread_states.size();
  for (std::size_t thread = 0; thread < uses_.size() && !run.thread_states.empty(); ++thread) {
    for (std::size_t i = 0; i < count; ++i) {
      if (uses_[thread] >> i & 1) function(*check_.thread_states[i], run.thread_states[thread * count + i]);
    }
  }
}

void StressColumns::begin(std::size_t number) {
  Run& run = runs_[number];
  if (check_.set_up) check_.set_up();
  try {
    make_objects(run);
  } catch (...) {
    cannot_begin(caught_exception());
  }
  for (unsigned i = 0; i < first_end_; ++i) perform(number, threads(), i);
}

void StressColumns::make_objects(Run& run) {
  for (const auto& object : check_.objects) {
    run.objects.push_back(object->make());
    if (!run.objects.back()) throw std::logic_error("the factory gave no object");
  }
  run.handles.emplace(check_, operations_);
  run.thread_states.resize(uses_.size() * check_.thread_states.size());
  for_each_thread_state(
      run, [&](const detail::ThreadStateMaker& maker, void*& state) { state = maker.make(run.objects.data()); });
}

void StressColumns::work(std::size_t run, unsigned thread) {
  const bool serial = !plans_[run].order.empty();
  if (thread >= test_.columns.size()) {
    if (serial) perform(run, thread, asynchronous_[thread - test_.columns.size()]);
    return;
  }
  for (unsigned i = first_of_column_[thread]; i < first_of_column_[thread + 1]; ++i) {
    // In a serial run only what its thread did before precedes an asynchronous operation: it runs beside its column.
    if (serial && std::ranges::find(asynchronous_, i) != asynchronous_.end()) continue;
    perform(run, thread, i);
  }
}

void StressColumns::end(std::size_t number) {
  Run& run = runs_[number];
  for (unsigned i = last_begin_; i < operations_.size(); ++i) perform(number, threads(), i);
  for (const auto& invariant : check_.invariants) {
    AnswerText answer;
    detail::CallFrame frame{.objects = run.objects.data(), .thread_states = nullptr};
    invariant.holds->run(frame, answer);
    if (answer.text() != "true" && !run.broken) run.broken = &invariant.name;
  }
  destroy(run);
}

void StressColumns::destroy(Run& run) {
  if (run.objects.empty()) return;
  if (run.handles) run.handles->destroy();
  for_each_thread_state(run, [](const detail::ThreadStateMaker& maker, void*& state) { maker.destroy(state); });
  for (std::size_t i = run.objects.size(); i-- > 0;) check_.objects[i]->destroy(run.objects[i]);
  run.objects.clear();
  if (check_.tear_down) check_.tear_down();
}

void StressColumns::perform(std::size_t number, unsigned thread, unsigned operation) {
  Run& run = runs_[number];
  const StressPlan& plan = plans_[number];
  Log& log = run.logs[thread];
  wait_for_turn(run, plan, operation);
  AnswerText answer;
  Current now{&run, &log, operation};
  current_ = &now;
  write(log, {run.stamps.before(), static_cast<std::uint8_t>(operation), Entry::call});
  if (!plan.excuses.empty() && plan.excuses[operation]) {
    answer.put(&AnswerText::excuse_mark, 1);
  } else {
    run.handles->call(operation,
                      {.objects = run.objects.data(), .thread_states = states_of(run, operations_[operation].column)},
                      answer);
  }
  write(log, {run.stamps.after(), static_cast<std::uint8_t>(operation), Entry::ret, 0, std::string(answer.text())});
  current_ = nullptr;
  end_turn(run, plan);
}

/// Serially: until everything before this operation in the order has returned.
void StressColumns::wait_for_turn(Run& run, const StressPlan& plan, unsigned operation) {
  if (plan.order.empty() || operations_[operation].column < 0) return;
  const auto place = static_cast<std::size_t>(std::ranges::find(plan.order, operation) - plan.order.begin());
  pthread_mutex_lock(&run.mutex);
  // Sleeps in the end: where an operation blocks, those after it must not look busy.
  for (unsigned looks = 0; run.turn != place + first_end_; ++looks) {
    if (looks > looks_before_sleeping) {
      pthread_cond_wait(&run.next, &run.mutex);
      continue;
    }
    pthread_mutex_unlock(&run.mutex);
    sched_yield();
    pthread_mutex_lock(&run.mutex);
  }
  pthread_mutex_unlock(&run.mutex);
}

void StressColumns::end_turn(Run& run, const StressPlan& plan) {
  if (plan.order.empty()) return;
  pthread_mutex_lock(&run.mutex);
  ++run.turn;
  pthread_cond_broadcast(&run.next);
  pthread_mutex_unlock(&run.mutex);
}

void StressColumns::write(Log& log, Line line) {
  if (log.lines.size() == log.lines.capacity()) return;  // signals without end
  log.lines.push_back(std::move(line));
  log.count.store(log.lines.size(), std::memory_order_release);
}

void StressColumns::signal(unsigned role, bool back) {
  if (!current_) return;
  const std::size_t room = current_->log->lines.capacity() - current_->log->lines.size();
  if (room <= room_for_calls) return;
  write(*current_->log, {current_->run->stamps.after(), static_cast<std::uint8_t>(current_->operation),
                         back ? Entry::signal_back : Entry::signal, static_cast<std::uint8_t>(role)});
}

std::vector<StressColumns::Line> StressColumns::read(std::size_t number) const {
  std::vector<Line> lines;
  for (const Log& log : runs_[number].logs) {
    const std::size_t count = log.count.load(std::memory_order_acquire);  // (1)
    lines.insert(lines.end(), log.lines.begin(), log.lines.begin() + static_cast<std::ptrdiff_t>(count));
  }
  std::ranges::sort(lines, {}, &Line::stamp);
  return lines;
}

void to_history(const std::vector<StressColumns::Line>& lines, unsigned operations, const HandleNames& names,
                Responses& responses, Recorded& history) {
  using Entry = StressColumns::Entry;
  history.begin(operations);
  for (const auto& line : lines) {
    if (line.entry == Entry::call) {
      history.call(line.operation);
    } else if (line.entry == Entry::ret) {
      std::string_view answer = line.answer;
      if (!answer.empty() && answer[0] == AnswerText::excuse_mark) {
        answer.remove_prefix(1);
        history.excused |= std::uint64_t{1} << line.operation;
      }
      names.record(line.operation, answer, responses.number(answer), history);
    } else {
      history.signals.push_back({line.operation, line.role, line.entry == Entry::signal_back});
    }
  }
}

}  // namespace muster
