#pragma once
// Which steps of an execution could matter by their order, and which of them says most about what went wrong.

#include <optional>
#include <span>
#include <vector>

#include "harness/steps/tracer.hpp"
#include "search/cause_search.hpp"

namespace muster {

/// Deeds of different threads that touch the same thing, one of them changing it: for each of them the next such one of
/// every other thread. Those nearest to the end come first.
std::vector<Conflict> conflicts_of(std::span<const TracedEvent* const> deeds);

/// Of conflicts that each decide whether the execution comes out right, the one to tell: a notification that came
/// before the wait for it; else the last read that was out of date when its thread went on to change something; else
/// the last.
std::optional<Conflict> most_telling(std::span<const TracedEvent* const> deeds, std::span<const Conflict> deciding);

}  // namespace muster
