#pragma once
// Says what functions do that the program calls and that are not built with it. A FILE given by --describe says the
// same.
//
//   MUSTER_DESCRIBE(R"(
//     library libpool
//     pool_lock: locks argument 1, is not called
//     pool_unlock: unlocks argument 1, is not called
//     pool_copy: reads argument 3 bytes of argument 2, writes argument 3 bytes of argument 1
//   )")
//
// docs/reference/descriptions.md says what can be said.

namespace muster::detail {

#ifdef __clang__
/// clang++ counts what stands on several lines by the last of them, g++ by the first.
constexpr int line_of_description(const char* text, int line) {
  for (; *text != 0; ++text) line -= *text == '\n';
  return line;
}
#else
constexpr int line_of_description(const char*, int line) { return line; }
#endif

struct DescriptionRegistration {
  DescriptionRegistration(const char* text, const char* file, int line) noexcept;
};

}  // namespace muster::detail

#define MUSTER_DESCRIBE(text) MUSTER_DESCRIBE_AT(text, __COUNTER__)
#define MUSTER_DESCRIBE_AT(text, number) MUSTER_DESCRIBE_NAMED(text, number)
#define MUSTER_DESCRIBE_NAMED(text, number)                                           \
  static const ::muster::detail::DescriptionRegistration muster_description_##number( \
      text, __FILE__, ::muster::detail::line_of_description(text, __LINE__));
