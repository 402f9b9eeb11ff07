#include "harness/options/heap_policy.hpp"

#include <utility>

#include "base/error.hpp"

namespace muster {
namespace {

constexpr std::pair<HeapPolicy, const char*> policies[] = {
    {HeapPolicy::quarantine, "quarantine"}, {HeapPolicy::reuse, "reuse"}, {HeapPolicy::shared_reuse, "shared-reuse"}};

}  // namespace

std::string_view name(HeapPolicy policy) {
  for (const auto& [value, text] : policies) {
    if (value == policy) return text;
  }
  return "";
}

HeapPolicy parse_heap_policy(const std::string& text) {
  for (const auto& [value, name] : policies) {
    if (name == text) return value;
  }
  fail("unknown heap policy '{}': use quarantine, reuse or shared-reuse", text);
}

}  // namespace muster
