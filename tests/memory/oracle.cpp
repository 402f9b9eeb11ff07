#include "memory/oracle.hpp"

#include <algorithm>

namespace muster::weak {
namespace {

using Values = std::array<std::set<Value>, location_count>;

/// Sets of values, by location.
using ValueSets = std::array<unsigned, location_count>;

/// One way through a thread's code.
struct Path {
  std::vector<Access> accesses;
  Local end;
  bool finished;
  ValueSets reads{}, writes{};
};

class Paths {
 public:
  Paths(const ThreadCode& code, const Values& values, const OracleOptions& options)
      : code_(code), values_(values), options_(options) {
    follow(code.settle({}), {}, options.silent_turns);
  }
  std::vector<Path> found;
  bool complete = true;

 private:
  /// `since` holds where the thread was since it last changed anything.
  void follow(const Local& local, std::vector<Local> since, unsigned turns) {
    if (code_.at_end(local)) return keep(local, true);
    const Local live = code_.live(local);
    if (std::ranges::find(since, live) != since.end()) {
      if (turns == 0) return;
      --turns;
      since.clear();
    }
    since.push_back(live);
    if (code_.is_head(local)) keep(local, false);
    if (accesses_.size() == options_.most_accesses) {
      complete = false;
      return;
    }
    const Op op = code_.at(local).op;
    if (op == Op::store || op == Op::fence) return make(local, code_.access(local, 0), since, turns);
    for (const Value read : values_[code_.at(local).location]) {
      const Access access = code_.access(local, read);
      make(local, access, since, turns);
      if (access.writes && code_.may_fail(local)) make(local, code_.access(local, read, true), since, turns);
    }
  }
  void keep(const Local& end, bool finished) {
    Path path{accesses_, end, finished};
    for (const Access& access : accesses_) {
      if (access.reads) path.reads[access.location] |= 1u << access.read;
      if (access.writes) path.writes[access.location] |= 1u << access.written;
    }
    found.push_back(std::move(path));
  }
  void make(const Local& local, const Access& access, const std::vector<Local>& since, unsigned turns) {
    accesses_.push_back(access);
    follow(code_.after(local, access), access.is_silent() ? since : std::vector<Local>{}, turns);
    accesses_.pop_back();
  }

  const ThreadCode& code_;
  const Values& values_;
  const OracleOptions& options_;
  std::vector<Access> accesses_;
};

bool writes_something(Op op) { return op != Op::load && op != Op::fence && op != Op::jump; }

class Oracle {
 public:
  Oracle(const Program& program, const OracleOptions& options) : threads_(threads_of(program)), options_(options) {
    std::size_t writes = 0;
    for (const Code& code : program.threads)
      writes += static_cast<std::size_t>(
          std::ranges::count_if(code, [](const Instruction& i) { return writes_something(i.op); }));
    find_paths(writes);
    std::size_t combinations = 1;
    for (const auto& paths : paths_) combinations *= paths.size();
    answer.complete &= combinations <= options.most_combinations;
    if (answer.complete) choose_path(0);
  }
  OracleAnswer answer;

 private:
  /// With more values that may be read there are more that may be written, but each takes another write.
  void find_paths(std::size_t writes) {
    Values values;
    for (auto& at : values) at.insert(0);
    bool grows = true;
    for (std::size_t round = 0; grows && round <= writes && answer.complete; ++round) {
      grows = false;
      paths_.clear();
      for (const ThreadCode& thread : threads_) {
        Paths paths(thread, values, options_);
        answer.complete &= paths.complete;
        paths_.push_back(std::move(paths.found));
      }
      for (const auto& paths : paths_) {
        for (const Path& path : paths) {
          for (const Access& access : path.accesses)
            grows |= access.writes && values[access.location].insert(access.written).second;
        }
      }
    }
  }

  void choose_path(std::size_t thread) {
    if (!answer.complete) return;
    if (thread < threads_.size()) {
      for (const Path& path : paths_[thread]) {
        chosen_.push_back(&path);
        choose_path(thread + 1);
        chosen_.pop_back();
      }
      return;
    }
    if (!all_is_written()) return;
    graph_ = {};
    for (unsigned t = 0; t < threads_.size(); ++t) {
      for (const Access& access : chosen_[t]->accesses) graph_.events.push_back({t, access});
    }
    choose_source(0);
  }

  bool all_is_written() const {
    for (Location at = 0; at < location_count; ++at) {
      unsigned reads = 0, writes = 1;
      for (const Path* path : chosen_) {
        reads |= path->reads[at];
        writes |= path->writes[at];
      }
      if ((reads & ~writes) != 0) return false;
    }
    return true;
  }

  void choose_source(std::size_t e) {
    if (e == graph_.events.size()) {
      if (!is_grounded(graph_)) return;
      for (auto& order : graph_.order) order.clear();
      return place_write(0);
    }
    Event& event = graph_.events[e];
    if (!event.access.reads) return choose_source(e + 1);
    for (EventIndex source = initial; source < static_cast<EventIndex>(graph_.events.size()); ++source) {
      if (!may_read(e, source)) continue;
      event.source = source;
      choose_source(e + 1);
    }
  }

  bool may_read(std::size_t e, EventIndex source) const {
    const Event& event = graph_.events[e];
    if (source == initial) return event.access.read == 0 && !is_updated(e, source);
    const Event& from = graph_.events[static_cast<std::size_t>(source)];
    if (!from.access.writes || from.access.location != event.access.location) return false;
    if (from.access.written != event.access.read) return false;
    if (from.thread == event.thread && source >= static_cast<EventIndex>(e)) return false;
    return !is_updated(e, source);
  }
  /// Two updates never read the same.
  bool is_updated(std::size_t e, EventIndex source) const {
    const auto is_update = [](const Access& access) { return access.reads && access.writes; };
    if (!is_update(graph_.events[e].access)) return false;
    return std::any_of(graph_.events.begin(), graph_.events.begin() + static_cast<std::ptrdiff_t>(e),
                       [&](const Event& other) {
                         return is_update(other.access) && other.source == source &&
                                other.access.location == graph_.events[e].access.location;
                       });
  }

  /// In each place that what its thread wrote there before leaves.
  void place_write(std::size_t e) {
    if (!answer.complete) return;
    if (e == graph_.events.size()) return look_at_graph();
    const Event& event = graph_.events[e];
    if (!event.access.writes) return place_write(e + 1);
    auto& order = graph_.order[event.access.location];
    for (std::size_t at = order.size() + 1; at-- > 0;) {
      if (at < order.size() && graph_.events[static_cast<std::size_t>(order[at])].thread == event.thread) break;
      order.insert(order.begin() + static_cast<std::ptrdiff_t>(at), static_cast<EventIndex>(e));
      place_write(e + 1);
      order.erase(order.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }

  void look_at_graph() {
    if (++answer.graphs > options_.most_graphs) {
      answer.complete = false;
      return;
    }
    if (!is_atomic(graph_)) return;
    if (options_.races && is_coherent(graph_) && is_sequentially_consistent(graph_))
      answer.races.merge(races(graph_, w));
    const Outcome outcome = outcome_of_graph();
    if (outcome.threads.empty() || answer.outcomes.contains(outcome)) return;
    if (is_coherent(graph_) && is_sequentially_consistent(graph_)) answer.outcomes.insert(outcome);
  }

  /// Without threads if one that has not finished goes on.
  Outcome outcome_of_graph() const {
    Outcome outcome;
    for (Location at = 0; at < location_count; ++at) {
      if (!graph_.order[at].empty())
        outcome.memory[at] = graph_.events[static_cast<std::size_t>(graph_.order[at].back())].access.written;
    }
    for (std::size_t t = 0; t < threads_.size(); ++t) {
      const Path& path = *chosen_[t];
      if (path.finished) {
        outcome.threads.push_back(Outcome::finished(path.end));
        continue;
      }
      const Circle circle = find_circle(threads_[t], path.end, outcome.memory);
      if (!circle.through_start) return {};
      outcome.threads.push_back({true, circle.least});
    }
    return outcome;
  }

  std::vector<ThreadCode> threads_;
  const OracleOptions& options_;
  std::vector<std::vector<Path>> paths_;  // by thread
  std::vector<const Path*> chosen_;
  Graph graph_;
};

}  // namespace

OracleAnswer ask_oracle(const Program& program, const OracleOptions& options) {
  return std::move(Oracle(program, options).answer);
}

}  // namespace muster::weak
