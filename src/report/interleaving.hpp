#pragma once
// Interleavings as text: one column a thread where that fits, else a line a step with the thread's name in front.

#include <string>
#include <vector>

#include "finding/finding.hpp"
#include "report/painter.hpp"

namespace muster {

/// Without accesses to memory that only one thread ever touches: they can neither cause nor show anything.
std::vector<Step> steps_that_matter(const std::vector<Step>& steps);

std::string draw_interleaving(const std::vector<Step>& steps, const Painter& painter, unsigned width);

}  // namespace muster
