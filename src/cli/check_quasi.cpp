#include "cli/check_quasi.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "cli/check_result.hpp"
#include "report/terminal.hpp"

namespace muster::cli {
namespace {

constexpr std::size_t most_named = 8;

class QuasiReport {
 public:
  QuasiReport(const History& history, const SpecPtr& spec, const CheckOptions& options)
      : history_(history), spec_(spec), options_(options), factors_(parse_factors(options.quasi, *spec)) {}

  Result run(FactorCounts& counts) {
    const std::vector<QuasiVerdict> verdicts = judge_quasi_keys(history_, spec_, factors_, options_.judge_options());
    count(verdicts, counts);
    Result result;
    result.subject = history_.source().name;
    result.source = SubjectKind::log;
    result.summary = size_of(history_);
    if (verdicts.size() > 1) result.conclusions = objects(verdicts);
    for (const QuasiVerdict& verdict : verdicts) {
      if (!passes(verdict.verdict)) {
        result.findings.push_back(to_finding(verdict));
        const bool failed = fails(verdict.verdict);
        if (failed || result.outcome == Outcome::passed) result.outcome = failed ? Outcome::failed : Outcome::undecided;
      } else if (verdicts.size() == 1 || options_.all) {
        result.conclusions.push_back(headline(verdict));
        for (const std::string& line : details(verdict)) result.conclusions.push_back("    " + line);
      }
    }
    if (!result.findings.empty() || verdicts.empty() || !options_.report_files.any()) return result;
    // Of those that pass, the one furthest out of order.
    result.timeline =
        timeline(*std::ranges::max_element(verdicts, {}, [](const QuasiVerdict& v) { return v.smallest.value_or(0); }));
    return result;
  }

 private:
  Finding to_finding(const QuasiVerdict& verdict) const {
    Finding finding;
    finding.subject = object_of(history_, verdict.key);
    finding.proven = fails(verdict.verdict);
    finding.kind = finding.proven ? FindingKind::not_quasi : FindingKind::undecided;
    const std::string& reason =
        finding.proven ? std::get<Counterexample>(verdict.verdict).reason : std::get<Undecided>(verdict.verdict).reason;
    finding.sentence = fmt::format("{} (for {}); {}", reason, given(), smallest(verdict));
    finding.timeline = timeline(verdict);
    finding.notes = details(verdict);
    return finding;
  }

  /// With an arc for each operation that is out of turn.
  Timeline timeline(const QuasiVerdict& verdict) const {
    const Binding binding(history_, *spec_);
    std::vector<std::uint32_t> numbers;
    const auto* failing = std::get_if<Counterexample>(&verdict.verdict);
    const auto is_shown = [&](OperationId id) {
      if (failing && id == failing->misfits.front()) return true;
      return options_.report_files.any() && (verdict.key.is_none() || binding.key(history_[id]) == verdict.key);
    };
    Timeline timeline = to_timeline(history_, is_shown, numbers);
    for (const OutOfTurn& each : verdict.overtakings.out_of_turn) {
      if (numbers[each.operation] != nowhere && numbers[each.instead_of] != nowhere)
        timeline.displacements.push_back({numbers[each.operation], numbers[each.instead_of], each.distance});
    }
    if (failing) timeline.operations[numbers[failing->misfits.front()]].blamed = true;
    return timeline;
  }

  std::vector<std::string> objects(const std::vector<QuasiVerdict>& verdicts) const {
    const auto number = [&](auto&& is) { return std::ranges::count_if(verdicts, is); };
    std::vector<std::string> lines{
        fmt::format("{} objects of {}: {} linearizable, {} quasi-linearizable for {}, {} neither, {} undecided",
                    verdicts.size(), spec_->name(), number([](const QuasiVerdict& v) { return v.linearizable; }),
                    number([](const QuasiVerdict& v) { return !v.linearizable && passes(v.verdict); }), given(),
                    number([](const QuasiVerdict& v) { return fails(v.verdict); }),
                    number([](const QuasiVerdict& v) { return is_undecided(v.verdict); }))};
    const auto most =
        std::ranges::max_element(verdicts, {}, [](const QuasiVerdict& v) { return v.smallest ? *v.smallest : 0; });
    if (std::ranges::all_of(verdicts, [](const QuasiVerdict& v) { return v.smallest.has_value(); }))
      lines.push_back(fmt::format("smallest factor for all of them: {}", *most->smallest));
    return lines;
  }

  /// Of one that passes.
  std::string headline(const QuasiVerdict& verdict) const {
    const std::string who = verdict.key.is_none() ? std::string(spec_->name())
                                                  : fmt::format("{} of {}", to_string(verdict.key), spec_->name());
    if (verdict.linearizable) return fmt::format("{}: linearizable (smallest factor 0)", who);
    return fmt::format("{}: quasi-linearizable for {}, not linearizable; {}", who, given(), smallest(verdict));
  }

  /// Who overtook whom.
  std::vector<std::string> details(const QuasiVerdict& verdict) const {
    std::vector<std::string> lines;
    if (const auto& most = verdict.overtakings.overtaken) {
      lines.push_back(fmt::format("{} was overtaken {}, by {}", item(most->insert), times(most->removals.size()),
                                  list(most->removals, [&](OperationId id) { return taken(id); })));
    }
    if (const auto& most = verdict.overtakings.overtaker) {
      lines.push_back(
          fmt::format("{} overtook {}: {}", item(most->insert),
                      most->removals.size() == 1 ? "one item" : fmt::format("{} items", most->removals.size()),
                      list(most->removals, [&](OperationId id) { return item(id); })));
    }
    return lines;
  }

  std::string given() const { return to_string(factors_, *spec_); }

  static std::string smallest(const QuasiVerdict& verdict) {
    if (verdict.smallest) return fmt::format("smallest factor {}", *verdict.smallest);
    if (verdict.unexplainable()) return "no factor explains it";
    if (!verdict.at_most) return fmt::format("smallest factor {} or more ({})", verdict.at_least, verdict.undecided);
    return fmt::format("smallest factor between {} and {} ({})", verdict.at_least, *verdict.at_most, verdict.undecided);
  }

  static std::string times(std::size_t count) {
    return count == 1 ? "once" : count == 2 ? "twice" : fmt::format("{} times", count);
  }

  /// The item of an insertion.
  std::string item(OperationId insert) const { return to_string(history_.arguments(insert).back()); }
  std::string taken(OperationId removal) const {
    const Operation& operation = history_[removal];
    return fmt::format("{}{}", to_string(operation.result),
                       operation.line > 0 ? fmt::format(" (line {})", operation.line) : "");
  }

  template <class Name>
  static std::string list(std::span<const OperationId> ids, Name&& name) {
    std::string out;
    for (std::size_t i = 0; i < std::min(ids.size(), most_named); ++i) out += (i > 0 ? ", " : "") + name(ids[i]);
    return ids.size() > most_named ? fmt::format("{} and {} more", out, ids.size() - most_named) : out;
  }

  static void count(const std::vector<QuasiVerdict>& verdicts, FactorCounts& counts) {
    unsigned most = 0;
    bool unexplained = false, unknown = false;
    for (const QuasiVerdict& verdict : verdicts) {
      most = std::max(most, verdict.smallest.value_or(0));
      unexplained |= verdict.unexplainable();
      unknown |= !verdict.smallest && !verdict.unexplainable();
    }
    if (unexplained) {
      ++counts.unexplained;
    } else if (unknown) {
      ++counts.unknown;
    } else {
      ++counts.histories[most];
    }
  }

  const History& history_;
  SpecPtr spec_;
  const CheckOptions& options_;
  QuasiFactors factors_;
};

}  // namespace

std::string FactorCounts::to_text() const {
  std::string out;
  const auto add = [&](const std::string& name, std::size_t count) {
    if (count > 0) out += fmt::format("{}{}: {}", out.empty() ? "" : ", ", name, count);
  };
  for (const auto& [factor, count] : histories) add(fmt::format("{}", factor), count);
  add("none", unexplained);
  add("unknown", unknown);
  return out;
}

Result judge_quasi(const History& history, const SpecPtr& spec, const CheckOptions& options, FactorCounts& counts) {
  return QuasiReport(history, spec, options).run(counts);
}

}  // namespace muster::cli
