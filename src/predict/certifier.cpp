#include "predict/certifier.hpp"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/error.hpp"

namespace muster::predict {

namespace {

/// A write by thread and index; 0 stands for the initial value.
using Writer = std::uint64_t;

Writer writer_of(const trace::Event& event) { return ((std::uint64_t{event.thread} + 1) << 32) | event.index; }

class Job {
 public:
  explicit Job(const Candidate& candidate) {
    for (std::uint32_t number = 0; number < candidate.turns.size(); ++number) {
      Turn turn = candidate.turns[number];
      const bool reaches_between =
          turn.thread == candidate.prediction.other && turn.events > candidate.prediction.between.index;
      if (reaches_between) turn.events = candidate.prediction.between.index;
      if (turn.thread >= threads_.size()) threads_.resize(turn.thread + 1u);
      threads_[turn.thread].turns.push_back({turn.events, number});
      if (reaches_between) break;
    }
    for (const Thread& thread : threads_) open_ += !thread.turns.empty() && thread.turns.back().events > 0;
  }

  bool done() const { return failed_ || open_ == 0; }

  void event(const trace::Event& event, Writer trace_writer) {
    if (failed_ || event.thread >= threads_.size()) return;
    Thread& thread = threads_[event.thread];
    if (thread.turns.empty() || event.index >= thread.turns.back().events) return;
    while (event.index >= thread.turns[thread.current].events) ++thread.current;
    if (is_access(event.kind)) access(event, thread.turns[thread.current].number, trace_writer);
    if (event.index + 1 == thread.turns.back().events) --open_;
  }

  bool holds() const {
    if (failed_) return false;
    return std::ranges::all_of(variables_, [](const auto& entry) {
      Writer current = 0;
      for (const auto& [number, turn] : entry.second) {
        if (turn.expected && *turn.expected != current) return false;
        if (turn.last_write) current = *turn.last_write;
      }
      return true;
    });
  }

 private:
  struct ThreadTurn {
    std::uint32_t events, number;
  };
  struct Thread {
    std::vector<ThreadTurn> turns;
    std::size_t current = 0;
  };
  struct VariableTurn {
    std::optional<Writer> expected;  // what reads before the turn's own first write saw in the trace
    std::optional<Writer> last_write;
  };

  void access(const trace::Event& event, std::uint32_t number, Writer trace_writer) {
    VariableTurn& turn = variables_[event.object][number];
    if (event.kind != trace::Kind::write && event.kind != trace::Kind::atomic_write) {
      if (turn.last_write) {
        failed_ |= *turn.last_write != trace_writer;
      } else {
        failed_ |= turn.expected && *turn.expected != trace_writer;
        turn.expected = trace_writer;
      }
    }
    if (is_write(event.kind)) turn.last_write = writer_of(event);
  }

  std::vector<Thread> threads_;
  absl::flat_hash_map<std::uint32_t, std::map<std::uint32_t, VariableTurn>> variables_;  // by variable and turn
  std::size_t open_ = 0;  // threads that have not reached their last event yet
  bool failed_ = false;
};

}  // namespace

std::vector<bool> certify(trace::TraceReader& reader, const std::vector<Candidate>& candidates) {
  std::vector<Job> jobs(candidates.begin(), candidates.end());
  std::vector<Writer> last_writer;  // by variable
  reader.rewind();
  try {
    for (auto batch = reader.next(); !batch.empty(); batch = reader.next()) {
      if (std::ranges::all_of(jobs, &Job::done)) break;
      for (const trace::Event& event : batch) {
        Writer writer = 0;
        if (is_access(event.kind)) {
          if (event.object >= last_writer.size()) last_writer.resize(event.object + 1u);
          writer = last_writer[event.object];
          if (is_write(event.kind)) last_writer[event.object] = writer_of(event);
        }
        for (Job& job : jobs) job.event(event, writer);
      }
    }
  } catch (const Error&) {
    // What follows a bad place is not part of any candidate; those that need it stay open, and uncertified.
  }
  std::vector<bool> result;
  for (const Job& job : jobs) result.push_back(job.done() && job.holds());
  return result;
}

}  // namespace muster::predict
