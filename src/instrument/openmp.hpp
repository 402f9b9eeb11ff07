#pragma once

#include <cstddef>
#include <span>

namespace muster {

/// What an execution changes of what is known of OpenMP's teams: to be restored before the next one.
std::span<std::byte> team_data();

}  // namespace muster
