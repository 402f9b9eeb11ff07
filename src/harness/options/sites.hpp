#pragma once
// Code addresses by names that outlive the process: "module+0x12".

#include <cstdint>
#include <string>
#include <vector>

#include "symbols/symbolizer.hpp"

namespace muster {

std::vector<std::uint32_t> parse_sites(const std::vector<std::string>& names, Symbolizer& symbolizer);
/// In the order of their names.
std::vector<std::string> name_sites(const std::vector<std::uint32_t>& sites, Symbolizer& symbolizer);

}  // namespace muster
