// What programs do with texts that end with a zero, through the C library: how much of them is read and written, only
// the functions know. Compiled without instrumentation.

#include <strings.h>

#include <cctype>
#include <cstddef>
#include <cstdlib>

#include "standard_library/accesses.hpp"

using muster::length_of, muster::tell_read, muster::tell_write;

namespace {

/// Both are read up to where they differ or end.
template <class Char, class As = Char (*)(Char)>
void told_compared(
    const Char* a, const Char* b, std::size_t most = ~std::size_t{0}, As as = [](Char c) { return c; }) {
  std::size_t same = 0;
  while (same < most && as(a[same]) == as(b[same]) && a[same]) ++same;
  const std::size_t read = same < most ? same + 1 : most;
  tell_read(a, read * sizeof(Char));
  tell_read(b, read * sizeof(Char));
}

char lower_case(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

/// A text, or the first bytes of it.
void tell_read_at_most(const char* text, std::size_t most) {
  const std::size_t length = length_of(text, most);
  tell_read(text, length < most ? length + 1 : most);
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
  tell_read(text, (found ? static_cast<std::size_t>(found - text) : length_of(text)) + 1);
  return found;
}
MUSTER_AGAIN(char*, strrchr, const char* text, int c)
char* again_strrchr(const char* text, int c) {
  tell_read(text, length_of(text) + 1);
  return original_strrchr.get()(text, c);
}
MUSTER_AGAIN(std::size_t, strnlen, const char* text, std::size_t most)
std::size_t again_strnlen(const char* text, std::size_t most) {
  tell_read_at_most(text, most);
  return length_of(text, most);
}
MUSTER_AGAIN(char*, strcpy, char* to, const char* from)
char* again_strcpy(char* to, const char* from) {
  told_copied(to, from, length_of(from) + 1);
  return original_strcpy.get()(to, from);
}
MUSTER_AGAIN(char*, strncpy, char* to, const char* from, std::size_t size)
char* again_strncpy(char* to, const char* from, std::size_t size) {
  tell_read_at_most(from, size);
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

// ---- copies that end elsewhere, or earlier ----

MUSTER_AGAIN(char*, stpcpy, char* to, const char* from)
char* again_stpcpy(char* to, const char* from) {
  told_copied(to, from, length_of(from) + 1);
  return original_stpcpy.get()(to, from);
}
MUSTER_AGAIN(char*, stpncpy, char* to, const char* from, std::size_t size)
char* again_stpncpy(char* to, const char* from, std::size_t size) {
  tell_read_at_most(from, size);
  tell_write(to, size);
  return original_stpncpy.get()(to, from, size);
}
MUSTER_AGAIN(char*, strncat, char* to, const char* from, std::size_t most)
char* again_strncat(char* to, const char* from, std::size_t most) {
  const std::size_t length = length_of(to);
  tell_read(to, length + 1);
  tell_read_at_most(from, most);
  tell_write(to + length, length_of(from, most) + 1);
  return original_strncat.get()(to, from, most);
}
MUSTER_AGAIN(char*, memccpy, char* to, const char* from, int last, std::size_t size)
char* again_memccpy(char* to, const char* from, int last, std::size_t size) {
  char* const end = original_memccpy.get()(to, from, last, size);
  told_copied(to, from, end ? static_cast<std::size_t>(end - to) : size);
  return end;
}
// The copies are the program's: the C library would allocate them out of its sight.
MUSTER_AGAIN(char*, strdup, const char* text)
char* again_strdup(const char* text) {
  const std::size_t size = length_of(text) + 1;
  auto* const copy = static_cast<char*>(std::malloc(size));
  if (copy) again_strncpy(copy, text, size);
  return copy;
}
MUSTER_AGAIN(char*, strndup, const char* text, std::size_t most)
char* again_strndup(const char* text, std::size_t most) {
  const std::size_t length = length_of(text, most);
  auto* const copy = static_cast<char*>(std::malloc(length + 1));
  if (!copy) return nullptr;
  again_strncpy(copy, text, length);
  tell_write(copy + length, 1);
  copy[length] = 0;
  return copy;
}

// ---- searches ----

MUSTER_AGAIN(char*, strstr, const char* text, const char* part)
char* again_strstr(const char* text, const char* part) {
  char* const found = original_strstr.get()(text, part);
  const std::size_t length = length_of(part);
  tell_read(part, length + 1);
  tell_read(text, found ? static_cast<std::size_t>(found - text) + length : length_of(text) + 1);
  return found;
}
MUSTER_AGAIN(char*, strchrnul, const char* text, int c)
char* again_strchrnul(const char* text, int c) {
  char* const found = original_strchrnul.get()(text, c);
  tell_read(text, static_cast<std::size_t>(found - text) + 1);
  return found;
}
MUSTER_AGAIN(std::size_t, strspn, const char* text, const char* set)
std::size_t again_strspn(const char* text, const char* set) {
  const std::size_t found = original_strspn.get()(text, set);
  tell_read(set, length_of(set) + 1);
  tell_read(text, found + 1);
  return found;
}
MUSTER_AGAIN(std::size_t, strcspn, const char* text, const char* set)
std::size_t again_strcspn(const char* text, const char* set) {
  const std::size_t found = original_strcspn.get()(text, set);
  tell_read(set, length_of(set) + 1);
  tell_read(text, found + 1);
  return found;
}
MUSTER_AGAIN(char*, strpbrk, const char* text, const char* set)
char* again_strpbrk(const char* text, const char* set) {
  const std::size_t found = again_strcspn(text, set);
  return text[found] ? const_cast<char*>(text + found) : nullptr;
}

// ---- comparisons that pass over the case of letters ----

MUSTER_AGAIN(int, strcasecmp, const char* a, const char* b)
int again_strcasecmp(const char* a, const char* b) {
  told_compared(a, b, ~std::size_t{0}, lower_case);
  return original_strcasecmp.get()(a, b);
}
MUSTER_AGAIN(int, strncasecmp, const char* a, const char* b, std::size_t most)
int again_strncasecmp(const char* a, const char* b, std::size_t most) {
  told_compared(a, b, most, lower_case);
  return original_strncasecmp.get()(a, b, most);
}

// ---- parts, one after the other, of which the caller's pointer tells the rest ----

MUSTER_AGAIN(char*, strtok_r, char* text, const char* set, char** rest)
char* again_strtok_r(char* text, const char* set, char** rest) {
  if (!text) {
    tell_read(rest, sizeof *rest);
    text = *rest;
  }
  char* const part = text + again_strspn(text, set);
  char* end = part + again_strcspn(part, set);
  tell_write(rest, sizeof *rest);
  if (*end) {
    tell_write(end, 1);
    *end++ = 0;
  }
  *rest = end;
  return *part ? part : nullptr;
}
// Threads that use it share the rest.
MUSTER_AGAIN(char*, strtok, char* text, const char* set)
char* again_strtok(char* text, const char* set) {
  static char* rest = nullptr;
  return again_strtok_r(text, set, &rest);
}
MUSTER_AGAIN(char*, strsep, char** rest, const char* set)
char* again_strsep(char** rest, const char* set) {
  tell_read(rest, sizeof *rest);
  char* const part = *rest;
  if (!part) return nullptr;
  const std::size_t length = again_strcspn(part, set);
  tell_write(rest, sizeof *rest);
  if (part[length]) {
    tell_write(part + length, 1);
    part[length] = 0;
    *rest = part + length + 1;
  } else {
    *rest = nullptr;
  }
  return part;
}

// ---- what is called for these where buffers are checked ----

#define MUSTER_CHECKED_COPY(name)                                      \
  MUSTER_AGAIN(char*, __##name##_chk, char*, const char*, std::size_t) \
  char* again___##name##_chk(char* to, const char* from, std::size_t) { return again_##name(to, from); }
#define MUSTER_CHECKED_SIZE(name)                                                         \
  MUSTER_AGAIN(char*, __##name##_chk, char*, const char*, std::size_t, std::size_t)       \
  char* again___##name##_chk(char* to, const char* from, std::size_t size, std::size_t) { \
    return again_##name(to, from, size);                                                  \
  }
MUSTER_CHECKED_COPY(strcpy)
MUSTER_CHECKED_COPY(strcat)
MUSTER_CHECKED_COPY(stpcpy)
MUSTER_CHECKED_SIZE(strncpy)
MUSTER_CHECKED_SIZE(strncat)
MUSTER_CHECKED_SIZE(stpncpy)
