#include "harness/options/sites.hpp"

#include <algorithm>

namespace muster {

std::vector<std::uint32_t> parse_sites(const std::vector<std::string>& names, Symbolizer& symbolizer) {
  std::vector<std::uint32_t> sites;
  for (const std::string& name : names) {
    if (const std::uint64_t address = symbolizer.from_offset(name))
      sites.push_back(static_cast<std::uint32_t>(address));
  }
  return sites;
}

std::vector<std::string> name_sites(const std::vector<std::uint32_t>& sites, Symbolizer& symbolizer) {
  std::vector<std::string> names;
  for (const std::uint32_t site : sites) {
    if (const std::uint64_t address = symbolizer.widen(site)) names.push_back(symbolizer.to_offset(address));
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace muster
