#pragma once
// The places of events, told as plans tell them.

#include <string>
#include <unordered_map>

#include "base/event.hpp"
#include "runtime/control.hpp"
#include "symbols/symbolizer.hpp"

namespace muster {

class PlanPlaces {
 public:
  explicit PlanPlaces(Symbolizer& symbolizer) : symbolizer_(symbolizer) {}

  const std::string& name(SiteId site) {
    const OwnWork work;
    const auto [entry, is_new] = names_.try_emplace(site);
    if (is_new) entry->second = symbolizer_.describe(site);
    return entry->second;
  }

 private:
  Symbolizer& symbolizer_;
  std::unordered_map<SiteId, std::string> names_;
};

}  // namespace muster
