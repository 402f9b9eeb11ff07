#pragma once
// A program that shows something, made small.

#include <functional>

#include "search/small_program.hpp"

namespace muster::test {

using Shows = std::function<bool(const SmallProgram&)>;

/// The program without some threads and instructions: without any other of them it would no longer show it.
SmallProgram shrunk(SmallProgram program, const Shows& shows);

}  // namespace muster::test
