#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "base/error.hpp"
#include "rule/answer_text.hpp"
#include "rule/synchronisation.hpp"
#include "rule/synchronisation_judge.hpp"

namespace muster {
namespace {

using detail::Invoke;
using detail::ModeDefinition;

std::string list(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// What the spec's function says of these; false if they pass something of another type than it takes. A spec has no
/// exceptions among its answers, so one that leaves it is a mistake in the check.
bool ask_spec(const CheckDefinition& check, const ModeDefinition& mode, const void* state, const Invoke* const* invokes,
              detail::OutcomeSink& sink) {
  try {
    return mode.run(state, invokes, sink);
  } catch (const Error&) {
    throw;
  } catch (...) {
    fail(
        "{}:{}: check {}: the spec's function for mode {{{}}} {}: where these cannot synchronise, it returns a "
        "std::optional without a value",
        check.file, check.line, check.name, list(mode.participants), caught_exception());
  }
}

/// The user's states, each of which it keeps, as numbers.
class UserStates final : public SyncStates {
 public:
  UserStates(const CheckDefinition& check, const SyncSpec& spec)
      : check_(check), definition_(*check.synchronisation), spec_(spec) {}
  ~UserStates() override {
    for (void* state : states_) definition_.destroy(state);
  }

  StateId initial() override { return number(definition_.initial()); }

  std::vector<SyncOutcome> outcomes(StateId state, unsigned mode, Participants participants) override {
    class Sink final : public detail::OutcomeSink {
     public:
      explicit Sink(UserStates& states) : states(states) {}
      void outcome(void* state, const std::vector<std::string>& responses) override {
        SyncOutcome made{states.number(state), {}};
        for (const std::string& response : responses) made.responses.push_back(Value::text(response));
        list.push_back(std::move(made));
      }
      UserStates& states;
      std::vector<SyncOutcome> list;
    } sink(*this);
    std::vector<const Invoke*> invokes;
    for (const Arguments& arguments : participants)
      invokes.push_back(check_.invocations[static_cast<std::size_t>(arguments[0].as_integer())].invoke.get());
    const void* now = states_[state];
    if (!ask_spec(check_, *definition_.modes[mode], now, invokes.data(), sink)) {
      fail("{}:{}: check {}: a participant of {} passes something of another type than the spec's function takes",
           check_.file, check_.line, check_.name, spec_.modes()[mode].name);
    }
    for (const SyncOutcome& outcome : sink.list) {
      if (outcome.responses.size() == participants.size()) continue;
      fail("{}:{}: check {}: {} has {} participants, and its function gives {} responses", check_.file, check_.line,
           check_.name, spec_.modes()[mode].name, participants.size(), outcome.responses.size());
    }
    return std::move(sink.list);
  }

  std::size_t bytes() const override { return states_.size() * 64; }

 private:
  StateId number(void* state) {
    const auto known =
        std::ranges::find_if(states_, [&](const void* other) { return definition_.equal(other, state); });
    if (known != states_.end()) {
      definition_.destroy(state);
      return static_cast<StateId>(known - states_.begin());
    }
    states_.push_back(state);
    return static_cast<StateId>(states_.size() - 1);
  }

  const CheckDefinition& check_;
  const detail::SynchronisationDefinition& definition_;
  const SyncSpec& spec_;
  std::deque<void*> states_;
};

class UserSpec final : public SyncSpec {
 public:
  explicit UserSpec(const CheckDefinition& check) : check_(check) {
    for (const auto& operation : check.operations) operations_.push_back({operation.name, 1});
    for (const auto& mode : check.synchronisation->modes) {
      SyncMode made{"{" + list(mode->participants) + "}", {}};
      for (const std::string& name : mode->participants)
        made.participants.push_back(static_cast<MethodIndex>(find_operation(name)));
      modes_.push_back(std::move(made));
    }
  }

  std::string_view name() const override { return check_.name; }
  std::span<const SyncOperation> operations() const override { return operations_; }
  std::span<const SyncMode> modes() const override { return modes_; }
  bool is_stateless() const override { return check_.synchronisation->stateless(); }
  std::unique_ptr<SyncStates> states() const override { return std::make_unique<UserStates>(check_, *this); }

 private:
  const CheckDefinition& check_;
  std::vector<SyncOperation> operations_;
  std::vector<SyncMode> modes_;
};

const Invoke* any_invocation_of(const CheckDefinition& check, std::string_view operation) {
  for (const auto& invocation : check.invocations) {
    if (check.operations[invocation.operation].name == operation) return invocation.invoke.get();
  }
  return nullptr;
}

/// Every invocation of a participant in turn, beside some invocation of each other one.
void require_types(const CheckDefinition& check, const ModeDefinition& mode) {
  class Nowhere final : public detail::OutcomeSink {
   public:
    explicit Nowhere(const detail::SynchronisationDefinition& definition) : definition(definition) {}
    void outcome(void* state, const std::vector<std::string>&) override { definition.destroy(state); }
    const detail::SynchronisationDefinition& definition;
  } nowhere(*check.synchronisation);
  std::vector<const Invoke*> invokes;
  for (const std::string& name : mode.participants) invokes.push_back(any_invocation_of(check, name));
  void* state = check.synchronisation->initial();
  for (std::size_t role = 0; role < mode.participants.size(); ++role) {
    for (std::size_t i = 0; i < check.invocations.size(); ++i) {
      const auto& invocation = check.invocations[i];
      const auto& name = check.operations[invocation.operation].name;
      if (name != mode.participants[role]) continue;
      auto tried = invokes;
      tried[role] = invocation.invoke.get();
      if (ask_spec(check, mode, state, tried.data(), nowhere)) continue;
      check.synchronisation->destroy(state);
      fail("{}:{}: check {}: mode {{{}}}: {} passes something of another type than the spec's function takes for it",
           check.file, check.line, check.name, list(mode.participants), name_of(check, static_cast<Invocation>(i)));
    }
  }
  check.synchronisation->destroy(state);
}

}  // namespace

SyncSpecPtr synchronisation_spec(const CheckDefinition& check) { return std::make_shared<UserSpec>(check); }

void require_complete_synchronisation(const CheckDefinition& check) {
  const auto where = [&] { return fmt::format("{}:{}: check {}", check.file, check.line, check.name); };
  std::vector<std::string> names;
  for (const auto& operation : check.operations) names.push_back(operation.name);
  if (check.synchronisation->modes.empty())
    fail("{}: the synchronisation spec has no mode: add .mode({{\"…\"}}, …)", where());
  for (const auto& mode : check.synchronisation->modes) {
    for (const std::string& participant : mode->participants) {
      if (std::ranges::find(names, participant) == names.end())
        fail("{}: mode {{{}}}: there is no operation '{}'; there are {}", where(), list(mode->participants),
             participant, list(names));
    }
    if (mode->participants.size() != mode->parameters())
      fail("{}: mode {{{}}} names {} participants, and its function takes {}", where(), list(mode->participants),
           mode->participants.size(), mode->parameters());
    if (mode->participants.empty()) fail("{}: a mode without participants", where());
  }
  for (const std::string& name : names) {
    const bool used = std::ranges::any_of(check.synchronisation->modes, [&](const auto& mode) {
      return std::ranges::find(mode->participants, name) != mode->participants.end();
    });
    if (!used) fail("{}: operation {} takes part in no mode of the synchronisation spec", where(), name);
  }
  for (const auto& mode : check.synchronisation->modes) require_types(check, *mode);
}

std::vector<std::string> warnings_about(const CheckDefinition& check, const TestSource& source,
                                        const std::vector<TestResult>& results) {
  std::vector<std::string> warnings;
  std::uint64_t misleading = 0;
  for (const TestResult& result : results) {
    misleading += result.misleading;
    const std::string warning = warn_about_arity(check, source.test(result.number));
    if (!warning.empty() && warnings.empty()) warnings.push_back(warning);
  }
  if (misleading > 0) {
    warnings.push_back(fmt::format(
        "the signal points of {} histories fit no synchronisation, although a search explains these histories",
        misleading));
  }
  return warnings;
}

std::string warn_about_arity(const CheckDefinition& check, const Test& test) {
  if (!check.synchronisation) return {};
  for (const auto& mode : check.synchronisation->modes) {
    if (mode->participants.size() > test.columns.size()) {
      return fmt::format("mode {{{}}} takes {} participants, and the test has {} threads: it never happens",
                         list(mode->participants), mode->participants.size(), test.columns.size());
    }
  }
  return {};
}

}  // namespace muster
