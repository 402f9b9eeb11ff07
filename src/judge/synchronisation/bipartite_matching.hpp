#pragma once
// Maximum matching in a bipartite graph (Hopcroft and Karp, 1973).

#include <cstdint>
#include <utility>
#include <vector>

namespace muster {

/// `edges` are pairs (left, right). Gives the partner of each left vertex, or `unmatched`.
constexpr std::uint32_t unmatched = ~std::uint32_t{0};
std::vector<std::uint32_t> bipartite_matching(std::uint32_t left, std::uint32_t right,
                                              const std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges);

}  // namespace muster
