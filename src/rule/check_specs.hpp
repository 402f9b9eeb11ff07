#pragma once
// What histories of a check are judged by, as specs for the judges of recorded histories. Methods are the operations of
// the check, or have their names.

#include "rule/observation_set.hpp"
#include "rule/serial_runs.hpp"
#include "spec/spec.hpp"

namespace muster {

/// An answer as a value: by its text.
Value answer_value(const std::string& text);

/// The built-in object of this name. Throws Error if there is none, or if it has no operation of the same name for one
/// of the check's.
SpecPtr builtin_spec(const CheckDefinition& check, const std::string& name);

/// The models of the check.
SpecPtr modelled_spec(const CheckDefinition& check);

/// What `runs` answer: a state is the calls so far with their answers, and calls are run as the judge asks for them.
/// `observed`, if given, was seen already, in whatever threads, and is as good. `runs` outlives the spec.
SpecPtr executed_spec(const CheckDefinition& check, const Test& test, SerialRuns& runs, const ObservationSet* observed,
                      const Responses& responses);

}  // namespace muster
