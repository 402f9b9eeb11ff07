#include "predict/matcher.hpp"

#include <algorithm>
#include <tuple>

namespace muster::predict {

namespace {

/// Exact searches stop here, all together: phase II stays short on traces where every candidate needs one.
constexpr std::uint64_t most_visited = 20'000'000;

class Matcher {
 public:
  Matcher(const Profiler& profiler, PairSearch& search, const MatchOptions& options)
      : profiler_(profiler), search_(search), options_(options) {}

  Matches run() {
    for (const auto& profiles : by_variable())
      for (const Profile* mine : profiles)
        for (const Profile* theirs : profiles)
          if (mine->thread != theirs->thread && !mine->pairs.empty()) match_threads(*mine, *theirs);
    std::ranges::sort(result_.groups, worse);
    return std::move(result_);
  }

 private:
  std::vector<std::vector<const Profile*>> by_variable() const {
    std::vector<std::vector<const Profile*>> variables;
    for (const Profile& profile : profiler_.profiles()) {
      if (profile.variable >= variables.size()) variables.resize(profile.variable + 1);
      variables[profile.variable].push_back(&profile);
    }
    return variables;
  }

  void match_threads(const Profile& mine, const Profile& theirs) {
    bool write_read_write = false, access_write_access = false;
    for (const PairGroup& pairs : mine.pairs) {
      for (const PointGroup& points : theirs.points) {
        if (!points.write && !(pairs.first_writes && pairs.last_writes)) continue;
        if (!match_groups(mine, theirs, pairs, points)) continue;
        (points.write ? access_write_access : write_read_write) = true;
      }
    }
    result_.write_read_write += write_read_write;
    result_.access_write_access += access_write_access;
  }

  bool match_groups(const Profile& mine, const Profile& theirs, const PairGroup& pairs, const PointGroup& points) {
    Prediction prediction{.pattern = make_pattern(pairs.first_writes, points.write, pairs.last_writes),
                          .thread = mine.thread,
                          .other = theirs.thread,
                          .variable = mine.variable,
                          .first = {0, pairs.first_site},
                          .between = {0, points.site},
                          .last = {0, pairs.last_site}};
    for (const Pair& pair : pairs.pairs) {
      prediction.first.index = pair.first_index;
      prediction.last.index = pair.last_index;
      for (const Point& point : points.points) {
        prediction.between.index = point.index;
        if (!feasible(prediction, pair, point)) continue;
        add(prediction);
        return true;
      }
    }
    return false;
  }

  bool feasible(const Prediction& prediction, const Pair& pair, const Point& point) {
    const Segments& segments = profiler_.segments();
    if (!profiler_.locksets().compatible(pair.held, point.locks)) return false;
    if (segments.precedes(prediction.other, point.segment, prediction.thread, pair.first_segment) ||
        segments.precedes(prediction.thread, pair.last_segment, prediction.other, point.segment))
      return false;
    const bool deadlock_in_reach = options_.may_deadlock && pair.held != no_locks && point.locks != no_locks;
    // Where order events stand between the two accesses, the moment of fewest locks may be on the wrong side of them.
    if (!deadlock_in_reach && pair.first_segment == pair.last_segment) return true;
    const Answer answer = search_.visited() < most_visited ? search_.search(prediction).answer : Answer::unknown;
    result_.rejected += answer == Answer::no;
    result_.undecided += answer == Answer::unknown;
    return answer == Answer::yes;
  }

  void add(const Prediction& prediction) {
    const std::tuple key{prediction.pattern, prediction.first.site, prediction.between.site, prediction.last.site};
    const auto [entry, is_new] = group_of_.try_emplace(key, result_.groups.size());
    if (is_new)
      result_.groups.push_back(
          {prediction.pattern, prediction.first.site, prediction.between.site, prediction.last.site, 0, {}});
    PredictionGroup& group = result_.groups[entry->second];
    ++group.count;
    if (group.examples.size() < options_.examples) group.examples.push_back(prediction);
  }

  static bool worse(const PredictionGroup& a, const PredictionGroup& b) {
    return std::tuple(a.pattern, b.count, a.first_site, a.between_site, a.last_site) <
           std::tuple(b.pattern, a.count, b.first_site, b.between_site, b.last_site);
  }

  const Profiler& profiler_;
  PairSearch& search_;
  const MatchOptions& options_;
  Matches result_;
  absl::flat_hash_map<std::tuple<Pattern, std::uint32_t, std::uint32_t, std::uint32_t>, std::size_t> group_of_;
};

}  // namespace

Matches match(const Profiler& profiler, PairSearch& search, const MatchOptions& options) {
  return Matcher(profiler, search, options).run();
}

}  // namespace muster::predict
