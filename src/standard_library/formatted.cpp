// Texts that the C library makes of values, and values that it reads from texts: which arguments it reads and writes,
// the format says. Compiled without instrumentation.

#include <cstdarg>
#include <cstddef>
#include <cstdio>

#include "standard_library/accesses.hpp"

using muster::length_of, muster::tell_read, muster::tell_write;

namespace {

/// One conversion, as "%-*.3ls" is one.
struct Conversion {
  char letter = 0;
  int width = -1, precision = -1;  // none
  int size = sizeof(int);          // of a whole number
  bool is_long = false, is_long_double = false;
  bool skips = false;      // of scanf: what is read is thrown away
  bool allocates = false;  // of scanf: memory for what is read
};

bool is_one_of(const char* letters, char letter) {
  while (*letters && *letters != letter) ++letters;
  return *letters != 0;
}

/// Goes through a format. Numbered arguments ("%2$s") end the way: they are not looked at.
class Format {
 public:
  explicit Format(const char* format) : at_(format) {}

  /// The next conversion but "%%"; false at the end. `take_number` gives the argument that stands for a '*'.
  template <class TakeNumber>
  bool next(Conversion& found, bool of_scanf, TakeNumber take_number) {
    for (;;) {
      while (*at_ && *at_ != '%') ++at_;
      if (!*at_) return false;
      ++at_;
      found = {};
      if (!read(found, of_scanf, take_number)) return false;
      if (found.letter != '%') return true;
    }
  }

 private:
  template <class TakeNumber>
  bool read(Conversion& found, bool of_scanf, TakeNumber take_number) {
    while (is_one_of("-+ #0'I", *at_)) ++at_;
    if (*at_ == '*' && of_scanf) {
      found.skips = true;
      ++at_;
    }
    found.width = number(take_number);
    if (*at_ == '$') return false;
    if (*at_ == '.') {
      ++at_;
      found.precision = number(take_number);
      if (found.precision < 0) found.precision = 0;
    }
    if (of_scanf && *at_ == 'm') {
      found.allocates = true;
      ++at_;
    }
    read_size(found);
    found.letter = *at_;
    if (found.letter == 0) return false;
    ++at_;
    if (found.letter == '[') skip_set();
    return true;
  }

  template <class TakeNumber>
  int number(TakeNumber take_number) {
    if (*at_ == '*') {
      ++at_;
      return take_number();
    }
    if (*at_ < '0' || *at_ > '9') return -1;
    int value = 0;
    for (; *at_ >= '0' && *at_ <= '9'; ++at_) value = value * 10 + (*at_ - '0');
    return value;
  }

  void read_size(Conversion& found) {
    for (;; ++at_) {
      switch (*at_) {
        case 'h':
          found.size /= 2;
          break;
        case 'l':
          found.is_long = true;
          found.size = sizeof(long);
          break;
        case 'L':
          found.is_long_double = true;
          [[fallthrough]];
        case 'q':
        case 'j':
        case 'z':
        case 'Z':
        case 't':
          found.size = sizeof(long);
          break;
        default:
          return;
      }
    }
  }

  /// "[^]a-z]": a bracket that comes first is one of the set.
  void skip_set() {
    if (*at_ == '^') ++at_;
    if (*at_ == ']') ++at_;
    while (*at_ && *at_ != ']') ++at_;
    if (*at_) ++at_;
  }

  const char* at_;
};

bool is_floating(char letter) { return is_one_of("aAeEfFgG", letter); }
bool is_whole(char letter) { return is_one_of("diouxXcC", letter); }

template <class Char>
void tell_text(const Char* text, int most) {
  if (!text) return;
  const std::size_t room = most < 0 ? ~std::size_t{0} : static_cast<std::size_t>(most);
  const std::size_t length = length_of(text, room);
  tell_read(text, (length < room ? length + 1 : room) * sizeof(Char));
}

/// What printf and its like read of the program's memory, and write besides their result (%n).
void tell_printed(const char* format, std::va_list given) {
  tell_read(format, length_of(format) + 1);
  std::va_list arguments;
  va_copy(arguments, given);
  Format conversions(format);
  for (Conversion one; conversions.next(one, false, [&] { return va_arg(arguments, int); });) {
    if (one.letter == 's' && one.is_long)
      tell_text(va_arg(arguments, const wchar_t*), -1);
    else if (one.letter == 's')
      tell_text(va_arg(arguments, const char*), one.precision);
    else if (one.letter == 'n')
      tell_write(va_arg(arguments, void*), static_cast<std::size_t>(one.size));
    else if (is_floating(one.letter) && one.is_long_double)
      va_arg(arguments, long double);
    else if (is_floating(one.letter))
      va_arg(arguments, double);
    else if (is_whole(one.letter) && one.size <= static_cast<int>(sizeof(int)))
      va_arg(arguments, int);
    else if (is_whole(one.letter) || one.letter == 'p' || one.letter == 'S')
      va_arg(arguments, long);
    else if (one.letter != 'm')  // which takes nothing; what else there may be is not known
      break;
  }
  va_end(arguments);
}

std::size_t size_read(const Conversion& one, const void* into) {
  if (one.letter == 'c') return static_cast<std::size_t>(one.width < 0 ? 1 : one.width) * (one.is_long ? 4 : 1);
  if (one.letter == 's' || one.letter == '[')
    return one.is_long ? (length_of(static_cast<const wchar_t*>(into)) + 1) * sizeof(wchar_t)
                       : length_of(static_cast<const char*>(into)) + 1;
  if (is_floating(one.letter)) return one.is_long_double ? sizeof(long double) : one.is_long ? 8 : 4;
  return one.letter == 'p' ? sizeof(void*) : static_cast<std::size_t>(one.size);
}

/// What scanf and its like wrote, so many conversions having been done.
void tell_scanned(const char* format, std::va_list given, int done) {
  std::va_list arguments;
  va_copy(arguments, given);
  Format conversions(format);
  for (Conversion one; conversions.next(one, true, [] { return -1; });) {
    if (one.skips) continue;
    if (done <= 0) break;
    const void* const into = va_arg(arguments, void*);
    if (one.letter != 'n') --done;
    tell_write(into, one.allocates ? sizeof(void*) : size_read(one, into));
  }
  va_end(arguments);
}

/// The text and its zero, as much of it as fits.
int told_written(char* into, std::size_t room, int length) {
  if (length < 0) return length;
  const std::size_t size = static_cast<std::size_t>(length) + 1;
  if (room > 0) tell_write(into, size < room ? size : room);
  return length;
}

constinit muster::Original<int(char*, std::size_t, const char*, std::va_list)> original_vsnprintf{"vsnprintf"};
constinit muster::Original<int(char*, const char*, std::va_list)> original_vsprintf{"vsprintf"};
constinit muster::Original<int(const char*, const char*, std::va_list)> original_scan{"__isoc99_vsscanf"};
// Looked up before main.
[[maybe_unused]] const void* const ready[] = {reinterpret_cast<void*>(original_vsnprintf.get()),
                                              reinterpret_cast<void*>(original_vsprintf.get()),
                                              reinterpret_cast<void*>(original_scan.get())};

constexpr std::size_t unlimited = ~std::size_t{0};

int print(char* into, std::size_t room, const char* format, std::va_list arguments) {
  tell_printed(format, arguments);
  return told_written(into, room,
                      room == unlimited ? original_vsprintf.get()(into, format, arguments)
                                        : original_vsnprintf.get()(into, room, format, arguments));
}

int scan(const char* text, const char* format, std::va_list arguments) {
  tell_read(format, length_of(format) + 1);
  tell_read(text, length_of(text) + 1);
  std::va_list again;
  va_copy(again, arguments);
  const int done = original_scan.get()(text, format, arguments);
  tell_scanned(format, again, done);
  va_end(again);
  return done;
}

}  // namespace

// The names are the C library's, hence the assembler labels. What a program that is compiled with checks of buffers
// calls besides (`__snprintf_chk`) knows how much room there is.
#define MUSTER_FORMATTED(name, ...) extern "C" [[gnu::weak]] int again_##name(__VA_ARGS__) asm(#name);
#define MUSTER_WITH_ARGUMENTS(last, call) \
  std::va_list arguments;                 \
  va_start(arguments, last);              \
  const int result = call;                \
  va_end(arguments);                      \
  return result;

MUSTER_FORMATTED(vsprintf, char* into, const char* format, std::va_list arguments)
int again_vsprintf(char* into, const char* format, std::va_list arguments) {
  return print(into, unlimited, format, arguments);
}
MUSTER_FORMATTED(vsnprintf, char* into, std::size_t room, const char* format, std::va_list arguments)
int again_vsnprintf(char* into, std::size_t room, const char* format, std::va_list arguments) {
  return print(into, room, format, arguments);
}
MUSTER_FORMATTED(sprintf, char* into, const char* format, ...)
int again_sprintf(char* into, const char* format, ...){
    MUSTER_WITH_ARGUMENTS(format, print(into, unlimited, format,
                                        arguments))} MUSTER_FORMATTED(snprintf, char* into, std::size_t room,
                                                                      const char* format,
                                                                      ...) int again_snprintf(char* into,
                                                                                              std::size_t room,
                                                                                              const char* format, ...){
    MUSTER_WITH_ARGUMENTS(format,
                          print(into, room, format,
                                arguments))} MUSTER_FORMATTED(__sprintf_chk, char* into, int, std::size_t room,
                                                              const char* format,
                                                              ...) int again___sprintf_chk(char* into, int, std::size_t,
                                                                                           const char* format,
                                                                                           ...){MUSTER_WITH_ARGUMENTS(
    format, print(into, unlimited, format,
                  arguments))} MUSTER_FORMATTED(__snprintf_chk, char* into, std::size_t room, int, std::size_t,
                                                const char* format,
                                                ...) int again___snprintf_chk(char* into, std::size_t room, int,
                                                                              std::size_t, const char* format,
                                                                              ...){MUSTER_WITH_ARGUMENTS(
    format, print(into, room, format,
                  arguments))} MUSTER_FORMATTED(vsscanf, const char* text, const char* format,
                                                std::va_list arguments) int again_vsscanf(const char* text,
                                                                                          const char* format,
                                                                                          std::va_list arguments) {
  return scan(text, format, arguments);
}
MUSTER_FORMATTED(__isoc99_vsscanf, const char* text, const char* format, std::va_list arguments)
int again___isoc99_vsscanf(const char* text, const char* format, std::va_list arguments) {
  return scan(text, format, arguments);
}
MUSTER_FORMATTED(sscanf, const char* text, const char* format, ...)
int again_sscanf(const char* text, const char* format, ...){MUSTER_WITH_ARGUMENTS(
    format, scan(text, format, arguments))} MUSTER_FORMATTED(__isoc99_sscanf, const char* text, const char* format,
                                                             ...) int again___isoc99_sscanf(const char* text,
                                                                                            const char* format, ...) {
  MUSTER_WITH_ARGUMENTS(format, scan(text, format, arguments))
}
