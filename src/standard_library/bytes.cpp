// What strings, algorithms and programs call of the C library: to compare, to search, to copy and to read numbers.
// Compiled without instrumentation.

#include <cstddef>

#include "standard_library/accesses.hpp"

using muster::tell_read, muster::tell_write, muster::describe::reads_counted, muster::describe::writes_counted;

MUSTER_DESCRIBED(memcmp, reads_counted(0, 2), reads_counted(1, 2))
MUSTER_DESCRIBED(bcmp, reads_counted(0, 2), reads_counted(1, 2))
MUSTER_DESCRIBED(wmemcmp, reads_counted(0, 2, sizeof(wchar_t)), reads_counted(1, 2, sizeof(wchar_t)))
MUSTER_DESCRIBED(wmemcpy, reads_counted(1, 2, sizeof(wchar_t)), writes_counted(0, 2, sizeof(wchar_t)))
MUSTER_DESCRIBED(wmemmove, reads_counted(1, 2, sizeof(wchar_t)), writes_counted(0, 2, sizeof(wchar_t)))
MUSTER_DESCRIBED(wmemset, writes_counted(0, 2, sizeof(wchar_t)))

// How much the others read, only they know. The names are the C library's, hence the assembler labels.
#define MUSTER_AGAIN(Result, name, ...)                                                                    \
  static constinit muster::Original<Result(__VA_ARGS__)> original_##name{#name};                           \
  static const void* const ready_##name [[maybe_unused]] = reinterpret_cast<void*>(original_##name.get()); \
  extern "C" [[gnu::weak]] Result again_##name(__VA_ARGS__) asm(#name);

namespace {

template <class Char, class Found>
Found* told(const Char* begin, std::size_t size, Found* found) {
  tell_read(begin, sizeof(Char) * (found ? static_cast<std::size_t>(found - begin) + 1 : size));
  return found;
}

template <class Char>
std::size_t told(const Char* text, std::size_t length) {
  tell_read(text, (length + 1) * sizeof(Char));
  return length;
}

/// The end of a number, as a function is asked for it.
template <class Char>
class End {
 public:
  End(const Char* text, Char** wanted) : text_(text), wanted_(wanted) {}
  ~End() {
    tell_read(text_, static_cast<std::size_t>(end_ - text_ + 1) * sizeof(Char));
    if (!wanted_) return;
    tell_write(wanted_, sizeof end_);
    *wanted_ = end_;
  }
  Char** where() { return &end_; }

 private:
  const Char* text_;
  Char** wanted_;
  Char* end_ = nullptr;
};

}  // namespace

MUSTER_AGAIN(char*, memchr, const char* begin, int c, std::size_t size)
char* again_memchr(const char* begin, int c, std::size_t size) {
  return told(begin, size, original_memchr.get()(begin, c, size));
}
MUSTER_AGAIN(wchar_t*, wmemchr, const wchar_t* begin, wchar_t c, std::size_t size)
wchar_t* again_wmemchr(const wchar_t* begin, wchar_t c, std::size_t size) {
  return told(begin, size, original_wmemchr.get()(begin, c, size));
}
MUSTER_AGAIN(std::size_t, strlen, const char* text)
std::size_t again_strlen(const char* text) { return told(text, original_strlen.get()(text)); }
MUSTER_AGAIN(std::size_t, wcslen, const wchar_t* text)
std::size_t again_wcslen(const wchar_t* text) { return told(text, original_wcslen.get()(text)); }

// Texts that end with a zero.
namespace {

template <class Char>
std::size_t length_of(const Char* text, std::size_t most = ~std::size_t{0}) {
  std::size_t length = 0;
  while (length < most && text[length]) ++length;
  return length;
}

/// Both are read up to where they differ or end.
template <class Char>
void told_compared(const Char* a, const Char* b, std::size_t most = ~std::size_t{0}) {
  std::size_t same = 0;
  while (same < most && a[same] == b[same] && a[same]) ++same;
  const std::size_t read = same < most ? same + 1 : most;
  tell_read(a, read * sizeof(Char));
  tell_read(b, read * sizeof(Char));
}

void told_copied(char* to, const char* from, std::size_t size) {
  tell_read(from, size);
  tell_write(to, size);
}

}  // namespace

MUSTER_AGAIN(int, strcmp, const char* a, const char* b)
int again_strcmp(const char* a, const char* b) {
  told_compared(a, b);
  return original_strcmp.get()(a, b);
}
MUSTER_AGAIN(int, strncmp, const char* a, const char* b, std::size_t most)
int again_strncmp(const char* a, const char* b, std::size_t most) {
  told_compared(a, b, most);
  return original_strncmp.get()(a, b, most);
}
MUSTER_AGAIN(int, wcscmp, const wchar_t* a, const wchar_t* b)
int again_wcscmp(const wchar_t* a, const wchar_t* b) {
  told_compared(a, b);
  return original_wcscmp.get()(a, b);
}
MUSTER_AGAIN(char*, strchr, const char* text, int c)
char* again_strchr(const char* text, int c) {
  char* const found = original_strchr.get()(text, c);
  return told(text, found ? 0 : length_of(text) + 1, found);
}
MUSTER_AGAIN(char*, strrchr, const char* text, int c)
char* again_strrchr(const char* text, int c) {
  tell_read(text, length_of(text) + 1);
  return original_strrchr.get()(text, c);
}
MUSTER_AGAIN(std::size_t, strnlen, const char* text, std::size_t most)
std::size_t again_strnlen(const char* text, std::size_t most) {
  const std::size_t length = length_of(text, most);
  tell_read(text, length < most ? length + 1 : most);
  return length;
}
MUSTER_AGAIN(char*, strcpy, char* to, const char* from)
char* again_strcpy(char* to, const char* from) {
  told_copied(to, from, length_of(from) + 1);
  return original_strcpy.get()(to, from);
}
MUSTER_AGAIN(char*, strncpy, char* to, const char* from, std::size_t size)
char* again_strncpy(char* to, const char* from, std::size_t size) {
  const std::size_t length = length_of(from, size);
  tell_read(from, length < size ? length + 1 : size);
  tell_write(to, size);
  return original_strncpy.get()(to, from, size);
}
MUSTER_AGAIN(char*, strcat, char* to, const char* from)
char* again_strcat(char* to, const char* from) {
  const std::size_t length = length_of(to);
  tell_read(to, length + 1);
  told_copied(to + length, from, length_of(from) + 1);
  return original_strcat.get()(to, from);
}

#define MUSTER_WHOLE(Number, Char, name)                             \
  MUSTER_AGAIN(Number, name, const Char* text, Char** end, int base) \
  Number again_##name(const Char* text, Char** end, int base) {      \
    End<Char> found(text, end);                                      \
    return original_##name.get()(text, found.where(), base);         \
  }
#define MUSTER_FLOATING(Number, Char, name)                \
  MUSTER_AGAIN(Number, name, const Char* text, Char** end) \
  Number again_##name(const Char* text, Char** end) {      \
    End<Char> found(text, end);                            \
    return original_##name.get()(text, found.where());     \
  }
#define MUSTER_NUMBERS(Char, prefix)                  \
  MUSTER_WHOLE(long, Char, prefix##l)                 \
  MUSTER_WHOLE(unsigned long, Char, prefix##ul)       \
  MUSTER_WHOLE(long long, Char, prefix##ll)           \
  MUSTER_WHOLE(unsigned long long, Char, prefix##ull) \
  MUSTER_FLOATING(float, Char, prefix##f)             \
  MUSTER_FLOATING(double, Char, prefix##d)            \
  MUSTER_FLOATING(long double, Char, prefix##ld)
MUSTER_NUMBERS(char, strto)
MUSTER_NUMBERS(wchar_t, wcsto)
