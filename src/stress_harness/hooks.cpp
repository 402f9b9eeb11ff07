// What user code calls, where nothing is under control.

#include "base/noted_comparison.hpp"
#include "muster/describe.hpp"
#include "muster/synchronisation.hpp"
#include "stress/stress_hooks.hpp"

#define MUSTER_PUBLIC __attribute__((visibility("default")))

namespace muster {

MUSTER_PUBLIC unsigned choose(unsigned n) { return stress_choose(n); }

MUSTER_PUBLIC Uncontrolled::Uncontrolled() noexcept {}
MUSTER_PUBLIC Uncontrolled::~Uncontrolled() {}

MUSTER_PUBLIC void signal_point(unsigned role) { stress_signal(role, false); }
MUSTER_PUBLIC void signal_back(unsigned role) { stress_signal(role, true); }

namespace detail {

MUSTER_PUBLIC DescriptionRegistration::DescriptionRegistration(const char*, const char*, int) noexcept {}

namespace {
thread_local NotedComparison noted;
}

MUSTER_PUBLIC void note_comparison(const char* sign) noexcept { noted.begin(sign); }
MUSTER_PUBLIC void note_value(bool value) noexcept { noted.value(value); }
MUSTER_PUBLIC void note_value(long long value) noexcept { noted.value(value); }
MUSTER_PUBLIC void note_value(unsigned long long value) noexcept { noted.value(value); }
MUSTER_PUBLIC void note_value(double value) noexcept { noted.value(value); }
MUSTER_PUBLIC void note_value(const void* value) noexcept { noted.word(value ? "not null" : "null"); }
MUSTER_PUBLIC void note_text(const char* text, unsigned long size) noexcept { noted.text({text, size}); }

MUSTER_PUBLIC void requirement_failed(const char* condition, const char* file, int line) noexcept {
  requirement_failed(condition, file, line, "");
}
MUSTER_PUBLIC void requirement_failed(const char* condition, const char* file, int line, const char* message) noexcept {
  const std::string text = fmt::format("{}{}{}{}", condition, noted.told(), *message ? ": " : "", message);
  stress_requirement_failed(text.c_str(), file, line);
}

}  // namespace detail
}  // namespace muster
