// What strings, algorithms and programs call of the C library: to compare, to search, to copy and to read numbers.
// Texts are in texts.cpp. Compiled without instrumentation.

#include <cstddef>

#include "standard_library/accesses.hpp"

using muster::tell_read, muster::tell_write, muster::describe::reads_counted, muster::describe::writes_counted;

MUSTER_DESCRIBED(memcmp, reads_counted(0, 2), reads_counted(1, 2))
MUSTER_DESCRIBED(bcmp, reads_counted(0, 2), reads_counted(1, 2))
MUSTER_DESCRIBED(wmemcmp, reads_counted(0, 2, sizeof(wchar_t)), reads_counted(1, 2, sizeof(wchar_t)))
MUSTER_DESCRIBED(wmemcpy, reads_counted(1, 2, sizeof(wchar_t)), writes_counted(0, 2, sizeof(wchar_t)))
MUSTER_DESCRIBED(wmemmove, reads_counted(1, 2, sizeof(wchar_t)), writes_counted(0, 2, sizeof(wchar_t)))
MUSTER_DESCRIBED(wmemset, writes_counted(0, 2, sizeof(wchar_t)))

// How much the others read, only they know.
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

#define MUSTER_OF_TEXT(Number, name, call)     \
  MUSTER_AGAIN(Number, name, const char* text) \
  Number again_##name(const char* text) { return static_cast<Number>(call); }
MUSTER_OF_TEXT(int, atoi, again_strtol(text, nullptr, 10))
MUSTER_OF_TEXT(long, atol, again_strtol(text, nullptr, 10))
MUSTER_OF_TEXT(long long, atoll, again_strtoll(text, nullptr, 10))
MUSTER_OF_TEXT(double, atof, again_strtod(text, nullptr))
