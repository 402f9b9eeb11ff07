#include "harness/record/transaction_functions.hpp"

#include <memory>
#include <regex>

#include "base/error.hpp"
#include "harness/steps/event_places.hpp"
#include "instrument/tap.hpp"

namespace muster {
namespace {

struct Chosen {
  std::regex expression;
  bool any = false;
};

// Never destroyed: threads that outlive the program's statics may still enter functions.
Chosen* chosen = nullptr;

bool matches(SiteId site) {
  const bool found = std::regex_search(symbolizer_of_events().locate(site).function, chosen->expression);
  chosen->any |= found;
  return found;
}

}  // namespace

void choose_transaction_functions(const std::string& expression) {
  tap::is_transaction = nullptr;
  if (expression.empty()) return;
  try {
    chosen = new Chosen{.expression = std::regex(expression)};
  } catch (const std::regex_error& error) {
    fail("'{}' is no regular expression over function names: {}", expression, error.what());
  }
  tap::is_transaction = matches;
}

bool any_transaction_function() { return chosen && chosen->any; }

}  // namespace muster
