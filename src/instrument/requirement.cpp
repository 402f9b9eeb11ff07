// A requirement that does not hold, under control or not.

#include "muster/requirement.hpp"

#include <cstdio>
#include <cstdlib>

#include "base/noted_comparison.hpp"
#include "instrument/hook.hpp"
#include "runtime/engine.hpp"

#define MUSTER_PUBLIC __attribute__((visibility("default")))

namespace muster {
namespace {

// The execution ends after it, and nobody else runs until then.
NotedComparison noted;

[[noreturn]] void fail(const char* condition, const char* file, int line, const char* message, SiteId site) {
  controlled = false;
  const std::string text = fmt::format("{}{}{}{}", condition, noted.told(), *message ? ": " : "", message);
  if (!engine) {
    std::fprintf(stderr, "%s:%d: MUSTER_REQUIRE failed: %s\n", file, line, text.c_str());
    std::abort();
  }
  engine->fatal(IncidentKind::requirement, site, fmt::format("{}:{}: {}", file, line, text));
}

}  // namespace

namespace detail {

MUSTER_PUBLIC void note_comparison(const char* sign) noexcept {
  controlled = false;
  noted.begin(sign);
}
MUSTER_PUBLIC void note_value(bool value) noexcept { noted.value(value); }
MUSTER_PUBLIC void note_value(long long value) noexcept { noted.value(value); }
MUSTER_PUBLIC void note_value(unsigned long long value) noexcept { noted.value(value); }
MUSTER_PUBLIC void note_value(double value) noexcept { noted.value(value); }
MUSTER_PUBLIC void note_value(const void* value) noexcept { noted.word(value ? "not null" : "null"); }
MUSTER_PUBLIC void note_text(const char* text, unsigned long size) noexcept { noted.text({text, size}); }

MUSTER_PUBLIC void requirement_failed(const char* condition, const char* file, int line) noexcept {
  fail(condition, file, line, "", MUSTER_SITE);
}
MUSTER_PUBLIC void requirement_failed(const char* condition, const char* file, int line, const char* message) noexcept {
  fail(condition, file, line, message, MUSTER_SITE);
}

}  // namespace detail
}  // namespace muster
