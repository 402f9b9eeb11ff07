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
    const std::optional<Prediction>& prediction = candidate.prediction;
    for (std::uint32_t number = 0; number < candidate.turns.size(); ++number) {
      Turn turn = candidate.turns[number];
      const bool reaches_between =
          prediction && turn.thread == prediction->other && turn.events > prediction->between.index;
      if (reaches_between) turn.events = prediction->between.index;
      if (turn.thread >= threads_.size()) threads_.resize(turn.thread + 1u);
      threads_[turn.thread].turns.push_back({turn.events, number});
      if (reaches_between) break;
    }
    for (const Thread& thread : threads_) open_ += !thread.turns.empty() && thread.turns.back().events > 0;
  }

  bool done() const { return failed_ || open_ == 0; }
  bool concerns(std::uint32_t thread) const { return thread < threads_.size() && !threads_[thread].turns.empty(); }
  std::uint32_t thread_count() const { return static_cast<std::uint32_t>(threads_.size()); }

  /// One of a thread that concerns it.
  void event(const trace::Event& event, Writer trace_writer) {
    if (failed_) return;
    Thread& thread = threads_[event.thread];
    if (event.index >= thread.turns.back().events) return;
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

/// Counts the accesses of one thread at one place, up to one of them.
class Count {
 public:
  Count(std::uint32_t thread, const AccessRef& access, bool writes)
      : thread_(thread), access_(access), writes_(writes) {}

  bool done() const { return done_; }
  std::uint32_t thread() const { return thread_; }
  std::uint32_t number() const { return number_; }

  /// One of its thread's.
  void event(const trace::Event& event) {
    if (done_ || event.index > access_.index) return;
    // An access to several variables is one event of its thread.
    const bool counts = is_access(event.kind) && event.site == access_.site && is_write(event.kind) == writes_;
    if (counts && event.index != last_) ++number_;
    if (counts) last_ = event.index;
    done_ = event.index == access_.index;
  }

 private:
  std::uint32_t thread_;
  AccessRef access_;
  bool writes_;
  std::uint32_t number_ = 0, last_ = ~0u;
  bool done_ = false;
};

std::vector<Count> counts_of(const Candidate& candidate) {
  if (!candidate.prediction) return {};
  const Prediction& of = *candidate.prediction;
  return {{of.thread, of.first, writes(of.pattern, 0)},
          {of.other, of.between, writes(of.pattern, 1)},
          {of.thread, of.last, writes(of.pattern, 2)}};
}

/// Those that still have to hear of events, by the thread whose events concern them: there may be many, and most are
/// done, or wait for another thread.
template <class Listener>
class ByThread {
 public:
  void add(std::uint32_t thread, Listener& listener) {
    if (thread >= lists_.size()) lists_.resize(thread + 1u);
    lists_[thread].push_back(&listener);
  }
  template <class... Told>
  void event(const trace::Event& event, const Told&... told) {
    if (event.thread >= lists_.size()) return;
    std::erase_if(lists_[event.thread], [&](Listener* listener) {
      listener->event(event, told...);
      return listener->done();
    });
  }

 private:
  std::vector<std::vector<Listener*>> lists_;
};

}  // namespace

std::vector<Certificate> certify(trace::TraceReader& reader, const std::vector<Candidate>& candidates) {
  std::vector<Job> jobs(candidates.begin(), candidates.end());
  std::vector<std::vector<Count>> counts;
  for (const Candidate& candidate : candidates) counts.push_back(counts_of(candidate));
  ByThread<Job> following;
  ByThread<Count> counting;
  for (Job& job : jobs) {
    for (std::uint32_t thread = 0; thread < job.thread_count(); ++thread)
      if (job.concerns(thread)) following.add(thread, job);
  }
  for (auto& each : counts)
    for (Count& count : each) counting.add(count.thread(), count);
  const auto all_counted = [](const std::vector<Count>& each) { return std::ranges::all_of(each, &Count::done); };
  std::vector<Writer> last_writer;  // by variable
  reader.rewind();
  try {
    for (auto batch = reader.next(); !batch.empty(); batch = reader.next()) {
      if (std::ranges::all_of(jobs, &Job::done) && std::ranges::all_of(counts, all_counted)) break;
      for (const trace::Event& event : batch) {
        Writer writer = 0;
        if (is_access(event.kind)) {
          if (event.object >= last_writer.size()) last_writer.resize(event.object + 1u);
          writer = last_writer[event.object];
          if (is_write(event.kind)) last_writer[event.object] = writer_of(event);
        }
        following.event(event, writer);
        counting.event(event);
      }
    }
  } catch (const Error&) {
    // What follows a bad place is not part of any candidate; those that need it stay open, and uncertified.
  }
  std::vector<Certificate> result(jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    result[i].certified = jobs[i].done() && jobs[i].holds();
    for (std::size_t access = 0; access < counts[i].size(); ++access)
      result[i].nth[access] = counts[i][access].number();
  }
  return result;
}

}  // namespace muster::predict
