#include "merge/read_report.hpp"

#include <simdjson.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>

#include "base/error.hpp"
#include "finding/fields.hpp"

namespace muster {
namespace {

using simdjson::dom::element;

/// Walks the same list of members as the writer. `path_` says where in the document it is.
class Reader {
 public:
  Reader(element at, std::string name) : at_(at), name_(std::move(name)) {}

  template <class T>
  void operator()(const char* member, T& value) {
    element found;
    if (at_[member].get(found) == simdjson::SUCCESS) inside(member, found, value);
  }

  template <class T>
  void always(const char* member, T& value) {
    element found;
    if (at_[member].get(found) != simdjson::SUCCESS) fail("{}: {} has no member `{}`", name_, where(), member);
    inside(member, found, value);
  }

  /// Gives back the version of the format.
  template <class T>
  unsigned document(T& value) {
    unsigned version = 0;
    std::string format;
    if (at_["format"].get_string().error() == simdjson::SUCCESS) always("format", format);
    if (format != "muster-report") fail("{}: no report of Muster: write one with --json FILE", name_);
    always("version", version);
    if (version > report_version)
      fail("{}: version {} of the format, and this program knows versions up to {}", name_, version, report_version);
    fields(*this, value);
    return version;
  }

 private:
  template <class T>
  void inside(const std::string& step, element found, T& value) {
    const element outer = std::exchange(at_, found);
    const std::size_t length = path_.size();
    path_ += "/" + step;
    read(value);
    path_.resize(length);
    at_ = outer;
  }

  void read(std::string& text) {
    std::string_view view;
    if (at_.get(view) != simdjson::SUCCESS) wrong("a text");
    text = view;
  }
  void read(bool& value) {
    if (at_.get(value) != simdjson::SUCCESS) wrong("true or false");
  }
  void read(double& value) {
    if (at_.get(value) != simdjson::SUCCESS) wrong("a number");
  }
  template <std::integral T>
  void read(T& value) {
    // Both signs: an unsigned 64-bit number does not fit into the signed kind.
    std::int64_t number = 0;
    std::uint64_t large = 0;
    if (at_.get(number) == simdjson::SUCCESS && std::in_range<T>(number)) {
      value = static_cast<T>(number);
    } else if (at_.get(large) == simdjson::SUCCESS && std::in_range<T>(large)) {
      value = static_cast<T>(large);
    } else {
      wrong("a whole number that fits");
    }
  }
  template <Worded E>
  void read(E& value) {
    std::string text;
    read(text);
    const std::optional<E> found = find_word<E>(text);
    if (!found) wrong(choices<E>());
    value = *found;
  }
  /// "passed, failed, undecided or no-finding".
  template <Worded E>
  static std::string choices() {
    if (std::same_as<E, FindingKind>) return "a kind of finding that this program knows";
    std::string all(name(E{}));
    for (unsigned i = 1; i < number_of<E>; ++i)
      all += fmt::format("{}{}", all.empty() ? "" : i + 1 < number_of<E> ? ", " : " or ", name(static_cast<E>(i)));
    return all;
  }
  template <class T>
  void read(std::vector<T>& items) {
    simdjson::dom::array array;
    if (at_.get(array) != simdjson::SUCCESS) wrong("a list");
    for (const element item : array) {
      const std::string number = std::to_string(items.size());
      inside(number, item, items.emplace_back());
    }
  }
  template <class T>
  requires requires(Reader& reader, T& value) { fields(reader, value); }
  void read(T& value) {
    if (!at_.is_object()) wrong("an object");
    fields(*this, value);
  }

  [[noreturn]] void wrong(std::string_view expected) const { fail("{}: {} is not {}", name_, where(), expected); }
  std::string where() const { return path_.empty() ? "the document" : path_; }

  element at_;
  std::string name_;
  std::string path_;
};

/// An operation that something points at must be there: whoever draws relies on it.
void check_references(const Timeline& timeline, const std::string& name) {
  const auto check = [&](std::uint32_t operation) {
    if (operation >= timeline.operations.size())
      fail("{}: a timeline of {} operations refers to operation {}", name, timeline.operations.size(), operation);
  };
  for (const Attempt& attempt : timeline.attempts) std::for_each(attempt.order.begin(), attempt.order.end(), check);
  for (const auto& join : timeline.joins) std::for_each(join.begin(), join.end(), check);
  for (const Displacement& displacement : timeline.displacements) {
    check(displacement.operation);
    check(displacement.instead_of);
  }
}

/// Version 1 said of samples, and of searches that a budget had ended, that they passed.
void demand_exhausted(Result& result) {
  const CoverageReport& coverage = result.coverage;
  const bool searched =
      (result.source == SubjectKind::scenario || result.source == SubjectKind::check) && coverage.strategy != "replay";
  const bool sampled = coverage.strategy == "random" || coverage.strategy == "pct" || coverage.strategy == "pos" ||
                       coverage.strategy == "surw";
  if (result.outcome == Outcome::passed && searched)
    result.outcome = sampled ? Outcome::no_finding : outcome_of(result);
}

}  // namespace

Report parse_report(std::string_view text, const std::string& name) {
  simdjson::dom::parser parser;
  const simdjson::padded_string padded(text);
  element root;
  if (const auto error = parser.parse(padded).get(root); error != simdjson::SUCCESS)
    fail("{}: no JSON: {}", name, simdjson::error_message(error));
  if (!root.is_object()) fail("{}: no report of Muster: write one with --json FILE", name);
  Report report;
  const unsigned version = Reader(root, name).document(report);
  if (version < 2) std::for_each(report.results.begin(), report.results.end(), demand_exhausted);
  for (const Result& result : report.results) {
    check_references(result.timeline, name);
    for (const Finding& finding : result.findings) check_references(finding.timeline, name);
  }
  return report;
}

Report read_report(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail("{}: cannot be read", path);
  return parse_report(std::string(std::istreambuf_iterator<char>(file), {}), path);
}

}  // namespace muster
