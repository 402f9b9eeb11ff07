#include "check/alike.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace muster {
namespace {

using Values = std::set<std::string, std::less<>>;

void add_values(std::string_view arguments, Values& values) {
  while (!arguments.empty()) {
    const std::size_t comma = std::min(arguments.find(", "), arguments.size());
    values.emplace(arguments.substr(0, comma));
    arguments.remove_prefix(std::min(comma + 2, arguments.size()));
  }
}

class Comparison {
 public:
  Comparison(const CheckDefinition& check, const Test& test) : check_(check), operations_(operations_of(test)) {
    for (unsigned i = 0; i < operations_.size(); ++i) {
      if (operations_[i].column < 0) continue;
      const auto column = static_cast<std::size_t>(operations_[i].column);
      if (columns_.size() <= column) columns_.resize(column + 1);
      columns_[column].push_back(i);
    }
    columns_.resize(test.columns.size());
  }

  bool alike(std::size_t a, std::size_t b, Symmetry symmetry) const {
    if (columns_[a].size() != columns_[b].size() || shares_handles(a) || shares_handles(b)) return false;
    for (std::size_t i = 0; i < columns_[a].size(); ++i) {
      const TestOperation& x = operations_[columns_[a][i]];
      const TestOperation& y = operations_[columns_[b][i]];
      if (operation(x) != operation(y) || place_of_source(x) != place_of_source(y)) return false;
      if (symmetry == Symmetry::threads && x.invocation != y.invocation) return false;
    }
    return symmetry == Symmetry::threads || exchanges_values(a, b);
  }

 private:
  unsigned operation(const TestOperation& operation) const {
    return static_cast<unsigned>(check_.invocations[operation.invocation].operation);
  }
  const std::string& arguments(unsigned operation) const {
    return check_.invocations[operations_[operation].invocation].arguments;
  }
  int place_of_source(const TestOperation& operation) const {
    return operation.source < 0 ? -1
                                : static_cast<int>(operations_[static_cast<std::size_t>(operation.source)].position);
  }

  /// Whether handles go from a column to others or come from them: then it matters which column it is.
  bool shares_handles(std::size_t column) const {
    return std::any_of(operations_.begin(), operations_.end(), [&](const TestOperation& o) {
      if (o.source < 0) return false;
      const bool taken = o.column == static_cast<int>(column);
      return taken != (operations_[static_cast<std::size_t>(o.source)].column == static_cast<int>(column));
    });
  }

  /// Whether the arguments in which two columns differ can be exchanged for each other: each stands for one of the
  /// other column, and they are found nowhere else in the test.
  bool exchanges_values(std::size_t a, std::size_t b) const {
    std::map<std::string, std::string> there, back;
    Values of_a, of_b, elsewhere;
    for (unsigned i = 0; i < operations_.size(); ++i) {
      if (differs(i, a, b)) continue;
      add_values(arguments(i), elsewhere);
    }
    for (std::size_t i = 0; i < columns_[a].size(); ++i) {
      const std::string& x = arguments(columns_[a][i]);
      const std::string& y = arguments(columns_[b][i]);
      if (x == y) continue;
      if (there.try_emplace(x, y).first->second != y || back.try_emplace(y, x).first->second != x) return false;
      add_values(x, of_a);
      add_values(y, of_b);
    }
    const auto apart = [](const Values& some, const Values& others) {
      return std::none_of(some.begin(), some.end(), [&](const std::string& value) { return others.contains(value); });
    };
    return apart(of_a, of_b) && apart(of_a, elsewhere) && apart(of_b, elsewhere);
  }

  bool differs(unsigned i, std::size_t a, std::size_t b) const {
    const auto column = static_cast<std::size_t>(operations_[i].column);
    if (operations_[i].column < 0 || (column != a && column != b)) return false;
    return arguments(columns_[a][operations_[i].position]) != arguments(columns_[b][operations_[i].position]);
  }

  const CheckDefinition& check_;
  std::vector<TestOperation> operations_;
  std::vector<std::vector<unsigned>> columns_;
};

}  // namespace

std::vector<std::size_t> alike_columns(const CheckDefinition& check, const Test& test, Symmetry symmetry) {
  const Comparison comparison(check, test);
  std::vector<std::size_t> result(test.columns.size());
  for (std::size_t column = 0; column < result.size(); ++column) {
    result[column] = column;
    for (std::size_t other = column; symmetry != Symmetry::none && other-- > 0 && result[column] == column;) {
      if (comparison.alike(other, column, symmetry)) result[column] = other;
    }
  }
  return result;
}

}  // namespace muster
