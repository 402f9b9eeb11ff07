#pragma once
// Calls of functions that are not watched and that somebody described: what they do is done in the model.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "instrument/descriptions.hpp"
#include "instrument/unwatched_call.hpp"

namespace muster {

/// Adds what a file, or a program, or Muster itself describes; the first description of a function counts.
void add_descriptions(std::string_view text, const std::string& source, unsigned first_line = 1);
void add_known_descriptions();
void add_descriptions_of_c_library();
void add_descriptions_of_libcxx();
/// Those of MUSTER_DESCRIBE.
void add_descriptions_of_program();

/// Of a function of this library; null if nobody described it.
const FunctionDescription* description_of(const std::string& name, const std::string& readable_name,
                                          const std::string& library);

/// What a described call does before the function, and after it: what it returned lies in the registers.
void before_described(const FunctionDescription& function, const CallRegisters& registers);
void after_described(const FunctionDescription& function, const CallRegisters& registers);

/// What descriptions keep of an execution: to be watched, and restored before the next one.
std::vector<std::span<std::byte>> described_state();

}  // namespace muster
