// Streams that are read. What the library specialises for char and wchar_t is written again.

#include <bits/c++config.h>
// A member that the headers declare to be instantiated elsewhere could not be specialised.
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0

#include <algorithm>
#include <concepts>
#include <istream>
#include <limits>
#include <string>

// There is one of each facet, and it has one number: that of the library.
namespace std {
#define MUSTER_ELSEWHERE(Char)           \
  extern template class basic_ios<Char>; \
  extern template class num_get<Char>;   \
  extern template class num_put<Char>;   \
  extern template class numpunct<Char>;
MUSTER_ELSEWHERE(char)
MUSTER_ELSEWHERE(wchar_t)
}  // namespace std

namespace {

constexpr std::ios_base::iostate bad = std::ios_base::badbit, fail = std::ios_base::failbit,
                                 eof = std::ios_base::eofbit;
constexpr std::streamsize unlimited = std::numeric_limits<std::streamsize>::max();

template <class Char>
using Stream = std::basic_istream<Char>;
template <class Char>
using Traits = std::char_traits<Char>;

/// Members that only classes derived from a stream may name.
template <class Char>
struct StreamParts : Stream<Char> {
  static std::streamsize& count(Stream<Char>& in) { return in.*(&StreamParts::_M_gcount); }
};

/// What an input function does between its beginning and its end: `act` adds to the errors; an exception is one, too.
template <class Char, class Act>
std::ios_base::iostate attempt(Stream<Char>& in, bool keep_spaces, Act act) {
  std::ios_base::iostate errors = std::ios_base::goodbit;
  if (const typename Stream<Char>::sentry ready(in, keep_spaces); ready) {
    try {
      act(errors);
    } catch (__cxxabiv1::__forced_unwind&) {
      in._M_setstate(bad);
      throw;
    } catch (...) {
      in._M_setstate(bad);
    }
  }
  return errors;
}

template <class Char>
void add(Stream<Char>& in, std::ios_base::iostate errors) {
  if (errors) in.setstate(errors);
}

template <class Char>
bool is_end(typename Traits<Char>::int_type c) {
  return Traits<Char>::eq_int_type(c, Traits<Char>::eof());
}

/// Hands characters to `take` until `stop` says so or there are no more; what stopped it.
template <class Char, class Stop, class Take>
auto take_until(Stream<Char>& in, Stop stop, Take take) {
  auto c = in.rdbuf()->sgetc();
  while (!is_end<Char>(c) && !stop(Traits<Char>::to_char_type(c))) {
    take(Traits<Char>::to_char_type(c));
    c = in.rdbuf()->snextc();
  }
  return c;
}

template <class Char>
auto is_space(Stream<Char>& in) {
  return [&spaces = std::use_facet<std::ctype<Char>>(in.getloc())](Char c) {
    return spaces.is(std::ctype_base::space, c);
  };
}

// ---- numbers ----

/// short and int are read as long, and the nearest number is taken for one that is too large.
template <class Number>
void narrow(long read, Number& number, std::ios_base::iostate& errors) {
  using Limits = std::numeric_limits<Number>;
  if (read < Limits::min() || read > Limits::max()) errors |= fail;
  number = static_cast<Number>(std::min<long>(std::max<long>(read, Limits::min()), Limits::max()));
}

template <class Char, class Number>
Stream<Char>& extract(Stream<Char>& in, Number& number) {
  add(in, attempt(in, false, [&](std::ios_base::iostate& errors) {
        const auto& numbers = std::use_facet<std::num_get<Char>>(in.getloc());
        if constexpr (std::same_as<Number, short> || std::same_as<Number, int>) {
          long read = 0;
          numbers.get(in, {}, in, errors, read);
          narrow(read, number, errors);
        } else {
          numbers.get(in, {}, in, errors, number);
        }
      }));
  return in;
}

// ---- characters ----

template <class Char>
Stream<Char>& get_line(Stream<Char>& in, Char* into, std::streamsize size, Char end) {
  std::streamsize& count = StreamParts<Char>::count(in);
  count = 0;
  auto errors = attempt(in, true, [&](std::ios_base::iostate& found) {
    const auto full = [&](Char c) { return count + 1 >= size || Traits<Char>::eq(c, end); };
    const auto c = take_until(in, full, [&](Char taken) { *into++ = taken, ++count; });
    if (is_end<Char>(c)) {
      found |= eof;
    } else if (Traits<Char>::eq(Traits<Char>::to_char_type(c), end)) {
      ++count;
      in.rdbuf()->sbumpc();
    } else {
      found |= fail;
    }
  });
  if (size > 0) *into = Char();
  if (count == 0) errors |= fail;
  add(in, errors);
  return in;
}

template <class Char, class IsEnd>
Stream<Char>& ignore(Stream<Char>& in, std::streamsize most, IsEnd is_delimiter) {
  std::streamsize& count = StreamParts<Char>::count(in);
  count = 0;
  add(in, attempt(in, true, [&](std::ios_base::iostate& errors) {
        if (most <= 0) return;
        const auto counted = [&] { count += count != unlimited; };
        const auto enough = [&] { return most != unlimited && count >= most; };
        const auto c = take_until(
            in, [&](Char seen) { return enough() || is_delimiter(seen); }, [&](Char) { counted(); });
        if (enough()) return;
        if (is_end<Char>(c)) {
          errors |= eof;
        } else {
          counted();
          in.rdbuf()->sbumpc();
        }
      }));
  return in;
}

// ---- strings ----

template <class Char>
Stream<Char>& get_line(Stream<Char>& in, std::basic_string<Char>& line, Char end) {
  std::size_t extracted = 0;
  const std::size_t most = line.max_size();
  auto errors = attempt(in, true, [&](std::ios_base::iostate& found) {
    line.erase();
    const auto full = [&](Char c) { return extracted >= most || Traits<Char>::eq(c, end); };
    const auto c = take_until(in, full, [&](Char taken) { line += taken, ++extracted; });
    if (is_end<Char>(c)) {
      found |= eof;
    } else if (Traits<Char>::eq(Traits<Char>::to_char_type(c), end)) {
      ++extracted;
      in.rdbuf()->sbumpc();
    } else {
      found |= fail;
    }
  });
  if (extracted == 0) errors |= fail;
  add(in, errors);
  return in;
}

/// A word of at most `most` characters, or fewer if the stream's width says so. `begin` is called first, `take` for
/// each.
template <class Char, class Begin, class Take, class End>
void extract_word(Stream<Char>& in, std::streamsize most, Begin begin, Take take, End end) {
  std::streamsize extracted = 0;
  auto errors = attempt(in, false, [&](std::ios_base::iostate& found) {
    begin();
    if (in.width() > 0) most = std::min(most, in.width());
    const auto full = [&, spaces = is_space(in)](Char c) { return extracted >= most || spaces(c); };
    const auto c = take_until(in, full, [&](Char taken) { take(taken), ++extracted; });
    if (extracted < most && is_end<Char>(c)) found |= eof;
    end();
    in.width(0);
  });
  if (extracted == 0) errors |= fail;
  add(in, errors);
}

}  // namespace

namespace std {

#define MUSTER_NUMBER(Char, Number)                                                    \
  template <>                                                                          \
  template <>                                                                          \
  [[gnu::weak]] basic_istream<Char>& basic_istream<Char>::_M_extract(Number& number) { \
    return extract(*this, number);                                                     \
  }
#define MUSTER_INSTANTIATE(Char)                                                                            \
  MUSTER_NUMBER(Char, unsigned short)                                                                       \
  MUSTER_NUMBER(Char, unsigned)                                                                             \
  MUSTER_NUMBER(Char, long)                                                                                 \
  MUSTER_NUMBER(Char, unsigned long)                                                                        \
  MUSTER_NUMBER(Char, bool)                                                                                 \
  MUSTER_NUMBER(Char, long long)                                                                            \
  MUSTER_NUMBER(Char, unsigned long long)                                                                   \
  MUSTER_NUMBER(Char, float)                                                                                \
  MUSTER_NUMBER(Char, double)                                                                               \
  MUSTER_NUMBER(Char, long double)                                                                          \
  MUSTER_NUMBER(Char, void*)                                                                                \
  template <>                                                                                               \
  [[gnu::weak]] basic_istream<Char>& basic_istream<Char>::operator>>(short& number) {                       \
    return extract(*this, number);                                                                          \
  }                                                                                                         \
  template <>                                                                                               \
  [[gnu::weak]] basic_istream<Char>& basic_istream<Char>::operator>>(int& number) {                         \
    return extract(*this, number);                                                                          \
  }                                                                                                         \
  template <>                                                                                               \
  [[gnu::weak]] basic_istream<Char>& basic_istream<Char>::getline(Char* into, streamsize size, Char end) {  \
    return get_line(*this, into, size, end);                                                                \
  }                                                                                                         \
  template <>                                                                                               \
  [[gnu::weak]] basic_istream<Char>& basic_istream<Char>::ignore(streamsize most) {                         \
    return ::ignore(*this, most, [](Char) { return false; });                                               \
  }                                                                                                         \
  template <>                                                                                               \
  [[gnu::weak]] basic_istream<Char>& basic_istream<Char>::ignore(streamsize most, int_type end) {           \
    return ::ignore(*this, most,                                                                            \
                    [end](Char c) { return traits_type::eq_int_type(traits_type::to_int_type(c), end); });  \
  }                                                                                                         \
  template <>                                                                                               \
  [[gnu::weak]] basic_istream<Char>& getline(basic_istream<Char>& in, basic_string<Char>& line, Char end) { \
    return get_line(in, line, end);                                                                         \
  }                                                                                                         \
  template class basic_istream<Char>;                                                                       \
  template class basic_iostream<Char>;                                                                      \
  template basic_istream<Char>& ws(basic_istream<Char>&);                                                   \
  template basic_istream<Char>& operator>>(basic_istream<Char>&, Char&);                                    \
  template basic_istream<Char>& getline(basic_istream<Char>&, basic_string<Char>&);

MUSTER_INSTANTIATE(char)
MUSTER_INSTANTIATE(wchar_t)

template istream& operator>>(istream&, unsigned char&);
template istream& operator>>(istream&, signed char&);
template wistream& operator>>(wistream&, wstring&);
template void __istream_extract(wistream&, wchar_t*, streamsize);

template <>
[[gnu::weak]] istream& operator>>(istream& in, string& word) {
  extract_word(
      in, static_cast<streamsize>(word.max_size()), [&] { word.erase(); }, [&](char c) { word += c; }, [] {});
  return in;
}

[[gnu::weak]] void __istream_extract(istream& in, char* into, streamsize room) {
  extract_word(
      in, room - 1, [] {}, [&](char c) { *into++ = c; }, [&] { *into = char(); });
}

}  // namespace std
