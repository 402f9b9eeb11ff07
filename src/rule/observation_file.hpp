#pragma once
// Observation files: what a class did serially, in the XML form of Line-Up's Figure 7. One section for each vector of
// answers; in it the operations of each thread, and every order in which they gave these answers.

#include <string>
#include <string_view>

#include "rule/observation_set.hpp"

namespace muster {

/// Sorted, so that two files differ only where the observations do.
std::string write_observations(const CheckDefinition& check, const Test& test, const ObservationSet& observed,
                               const Responses& responses);

/// The test that a file is about, as text.
std::string test_of_observations(std::string_view text, const std::string& file);

/// Throws Error, with file and line, for a damaged file or one that is about another test.
ObservationSet read_observations(std::string_view text, const std::string& file, const CheckDefinition& check,
                                 const Test& test, Responses& responses);

}  // namespace muster
