// Facets that read from a stream's buffer or write to it: numbers, times and amounts of money. Virtual functions, which
// the library finds in its own tables, so that only all callers can be told. They are called as they are; what they
// read and wrote is told afterwards, since only they know how far they went. What they write to a buffer goes through
// its own virtual functions.

#include <ctime>
#include <locale>
#include <string>

#include "instrument/facet_accesses.hpp"

namespace muster {
namespace {

/// An iterator of a stream's buffer, as it is passed and returned: in two registers.
template <class Char>
struct Spot {
  std::basic_streambuf<Char>* buffer;
  unsigned state;
};

template <class Char>
struct FacetBuffer : std::basic_streambuf<Char> {
  using Buffer = std::basic_streambuf<Char>;
  static Char*& next(Buffer& buffer) { return buffer.*(&FacetBuffer::_M_in_cur); }
  static Char*& end(Buffer& buffer) { return buffer.*(&FacetBuffer::_M_in_end); }
};

template <class Char>
struct ReadFromSpot : ReadFromBuffer<Char> {
  ReadFromSpot(std::basic_streambuf<Char>* buffer, SiteId site)
      : ReadFromBuffer<Char>(buffer ? &FacetBuffer<Char>::next(*buffer) : nullptr,
                             buffer ? &FacetBuffer<Char>::end(*buffer) : nullptr, site) {}
};

struct FacetStream : std::ios_base {
  static const fmtflags& flags(const ios_base& stream) { return stream.*(&FacetStream::_M_flags); }
  static const std::streamsize& width(const ios_base& stream) { return stream.*(&FacetStream::_M_width); }
  static const std::streamsize& precision(const ios_base& stream) { return stream.*(&FacetStream::_M_precision); }
};

// ---- numbers ----

template <class Char, class Number>
Spot<Char> get_number(void* original, const void* facet, Spot<Char> begin, Spot<Char> end, std::ios_base& stream,
                      std::ios_base::iostate& errors, Number& number, SiteId site) {
  using Get = Spot<Char>(const void*, Spot<Char>, Spot<Char>, std::ios_base&, std::ios_base::iostate&, Number&);
  auto* const real = reinterpret_cast<Get*>(original);
  if (!is_told(site)) return real(facet, begin, end, stream, errors, number);
  const ReadFromSpot<Char> told(begin.buffer, site);
  tell_facet_read(FacetStream::flags(stream), site);
  if constexpr (std::is_pointer_v<Number>) tell_facet_write(FacetStream::flags(stream), site);  // for a moment: hex
  tell_facet_write(number, site);
  return real(facet, begin, end, stream, errors, number);
}

/// The width is that of one number, and is forgotten then.
template <class Char, class Number>
Spot<Char> put_number(void* original, const void* facet, Spot<Char> at, std::ios_base& stream, Char fill, Number number,
                      SiteId site) {
  using Put = Spot<Char>(const void*, Spot<Char>, std::ios_base&, Char, Number);
  auto* const real = reinterpret_cast<Put*>(original);
  if (is_told(site)) {
    tell_facet_read(FacetStream::flags(stream), site);
    if constexpr (std::is_floating_point_v<Number>) tell_facet_read(FacetStream::precision(stream), site);
    if constexpr (std::is_pointer_v<Number>) tell_facet_write(FacetStream::flags(stream), site);
    tell_facet_write(FacetStream::width(stream), site);
  }
  return real(facet, at, stream, fill, number);
}

// ---- times ----

template <class Char, class... Format>
Spot<Char> get_time(void* original, TimeFields fields, const void* facet, Spot<Char> begin, Spot<Char> end,
                    std::ios_base& stream, std::ios_base::iostate& errors, std::tm* time, SiteId site,
                    Format... format) {
  using Get =
      Spot<Char>(const void*, Spot<Char>, Spot<Char>, std::ios_base&, std::ios_base::iostate&, std::tm*, Format...);
  auto* const real = reinterpret_cast<Get*>(original);
  if (!is_told(site)) return real(facet, begin, end, stream, errors, time, format...);
  const ReadFromSpot<Char> told(begin.buffer, site);
  const std::tm before = *time;
  const auto result = real(facet, begin, end, stream, errors, time, format...);
  if (!(errors & std::ios_base::failbit)) tell_time(time, fields | changed_fields(before, *time), true, site);
  return result;
}

void finish_time(void* original, void* state, std::tm* time, SiteId site) {
  const std::tm before = *time;
  reinterpret_cast<void (*)(void*, std::tm*)>(original)(state, time);
  if (is_told(site)) tell_time(time, changed_fields(before, *time), true, site);
}

template <class Char>
Spot<Char> put_time(void* original, const void* facet, Spot<Char> at, std::ios_base& stream, Char fill,
                    const std::tm* time, char format, char modifier, SiteId site) {
  using Put = Spot<Char>(const void*, Spot<Char>, std::ios_base&, Char, const std::tm*, char, char);
  auto* const real = reinterpret_cast<Put*>(original);
  if (is_told(site)) tell_time(time, fields_read(format), false, site);
  return real(facet, at, stream, fill, time, format, modifier);
}

// ---- amounts of money ----

template <class Char, class Amount>
Spot<Char> get_money(void* original, const void* facet, Spot<Char> begin, Spot<Char> end, bool international,
                     std::ios_base& stream, std::ios_base::iostate& errors, Amount& amount, SiteId site) {
  using Get = Spot<Char>(const void*, Spot<Char>, Spot<Char>, bool, std::ios_base&, std::ios_base::iostate&, Amount&);
  auto* const real = reinterpret_cast<Get*>(original);
  if (!is_told(site)) return real(facet, begin, end, international, stream, errors, amount);
  const ReadFromSpot<Char> told(begin.buffer, site);
  tell_facet_read(FacetStream::flags(stream), site);
  const auto result = real(facet, begin, end, international, stream, errors, amount);
  if (!(errors & std::ios_base::failbit)) tell_facet_write(amount, site);
  return result;
}

template <class Char, class Amount>
Spot<Char> put_money(void* original, const void* facet, Spot<Char> at, bool international, std::ios_base& stream,
                     Char fill, Amount amount, SiteId site) {
  using Put = Spot<Char>(const void*, Spot<Char>, bool, std::ios_base&, Char, Amount);
  auto* const real = reinterpret_cast<Put*>(original);
  if (is_told(site)) {
    tell_facet_read(FacetStream::flags(stream), site);
    tell_facet_write(FacetStream::width(stream), site);
    if constexpr (std::is_pointer_v<Amount>) {
      tell_facet_read(*amount, site);
      library_access(amount->data(), amount->size() * sizeof(Char), false, site);
    }
  }
  return real(facet, at, international, stream, fill, amount);
}

}  // namespace

// `C` is how the compiler abbreviates the character, `N` the type.
#define MUSTER_FACET_ORIGINAL(name) static void* const original = reinterpret_cast<void*>(next_named<void()>(#name));
#define MUSTER_GETTER(name, Char, call, ...)                                                           \
  MUSTER_NAMED(Spot<Char>, name, (const void* facet, Spot<Char> begin, Spot<Char> end, __VA_ARGS__)) { \
    MUSTER_FACET_ORIGINAL(name)                                                                        \
    return call;                                                                                       \
  }
#define MUSTER_PUTTER(name, Char, call, ...)                                        \
  MUSTER_NAMED(Spot<Char>, name, (const void* facet, Spot<Char> at, __VA_ARGS__)) { \
    MUSTER_FACET_ORIGINAL(name)                                                     \
    return call;                                                                    \
  }

#define MUSTER_GET_NUMBER(Char, C, Number, N)                                                                                   \
  MUSTER_GETTER(                                                                                                                \
      _ZNKSt7num_getI##C##St19istreambuf_iteratorI##C##St11char_traitsI##C##EEE6do_getES3_S3_RSt8ios_baseRSt12_Ios_IostateR##N, \
      Char, (get_number<Char, Number>(original, facet, begin, end, stream, errors, number, MUSTER_SITE)),                       \
      std::ios_base& stream, std::ios_base::iostate& errors, Number& number)
#define MUSTER_PUT_NUMBER(Char, C, Number, N)                                                                       \
  MUSTER_PUTTER(                                                                                                    \
      _ZNKSt7num_putI##C##St19ostreambuf_iteratorI##C##St11char_traitsI##C##EEE6do_putES3_RSt8ios_base##C##N, Char, \
      (put_number<Char, Number>(original, facet, at, stream, fill, number, MUSTER_SITE)), std::ios_base& stream,    \
      Char fill, Number number)
#define MUSTER_GET_TIME(Char, C, function, fields)                                                                                            \
  MUSTER_GETTER(                                                                                                                              \
      _ZNKSt7__cxx118time_getI##C##St19istreambuf_iteratorI##C##St11char_traitsI##C##EEE##function##ES4_S4_RSt8ios_baseRSt12_Ios_IostateP2tm, \
      Char, get_time<Char>(original, fields, facet, begin, end, stream, errors, time, MUSTER_SITE),                                           \
      std::ios_base& stream, std::ios_base::iostate& errors, std::tm* time)
#define MUSTER_GET_MONEY(Char, C, Amount, N)                                                                                               \
  MUSTER_GETTER(                                                                                                                           \
      _ZNKSt7__cxx119money_getI##C##St19istreambuf_iteratorI##C##St11char_traitsI##C##EEE6do_getES4_S4_bRSt8ios_baseRSt12_Ios_IostateR##N, \
      Char,                                                                                                                                \
      (get_money<Char, Amount>(original, facet, begin, end, international, stream, errors, amount, MUSTER_SITE)),                          \
      bool international, std::ios_base& stream, std::ios_base::iostate& errors, Amount& amount)
#define MUSTER_PUT_MONEY(Char, C, Amount, N)                                                                             \
  MUSTER_PUTTER(                                                                                                         \
      _ZNKSt7__cxx119money_putI##C##St19ostreambuf_iteratorI##C##St11char_traitsI##C##EEE6do_putES4_bRSt8ios_base##C##N, \
      Char, (put_money<Char, Amount>(original, facet, at, international, stream, fill, amount, MUSTER_SITE)),            \
      bool international, std::ios_base& stream, Char fill, Amount amount)

#define MUSTER_STREAM_FACETS(Char, C)                                                                                                      \
  MUSTER_GET_NUMBER(Char, C, bool, b)                                                                                                      \
  MUSTER_GET_NUMBER(Char, C, long, l)                                                                                                      \
  MUSTER_GET_NUMBER(Char, C, unsigned short, t)                                                                                            \
  MUSTER_GET_NUMBER(Char, C, unsigned, j)                                                                                                  \
  MUSTER_GET_NUMBER(Char, C, unsigned long, m)                                                                                             \
  MUSTER_GET_NUMBER(Char, C, long long, x)                                                                                                 \
  MUSTER_GET_NUMBER(Char, C, unsigned long long, y)                                                                                        \
  MUSTER_GET_NUMBER(Char, C, float, f)                                                                                                     \
  MUSTER_GET_NUMBER(Char, C, double, d)                                                                                                    \
  MUSTER_GET_NUMBER(Char, C, long double, e)                                                                                               \
  MUSTER_GET_NUMBER(Char, C, void*, Pv)                                                                                                    \
  MUSTER_PUT_NUMBER(Char, C, bool, b)                                                                                                      \
  MUSTER_PUT_NUMBER(Char, C, long, l)                                                                                                      \
  MUSTER_PUT_NUMBER(Char, C, unsigned long, m)                                                                                             \
  MUSTER_PUT_NUMBER(Char, C, long long, x)                                                                                                 \
  MUSTER_PUT_NUMBER(Char, C, unsigned long long, y)                                                                                        \
  MUSTER_PUT_NUMBER(Char, C, double, d)                                                                                                    \
  MUSTER_PUT_NUMBER(Char, C, long double, e)                                                                                               \
  MUSTER_PUT_NUMBER(Char, C, const void*, PKv)                                                                                             \
  MUSTER_GET_TIME(Char, C, 11do_get_time, fields_written('T'))                                                                             \
  MUSTER_GET_TIME(Char, C, 11do_get_date, fields_written('D'))                                                                             \
  MUSTER_GET_TIME(Char, C, 14do_get_weekday, fields_written('a'))                                                                          \
  MUSTER_GET_TIME(Char, C, 16do_get_monthname, fields_written('b'))                                                                        \
  MUSTER_GET_TIME(Char, C, 11do_get_year, fields_written('Y'))                                                                             \
  MUSTER_GETTER(                                                                                                                           \
      _ZNKSt7__cxx118time_getI##C##St19istreambuf_iteratorI##C##St11char_traitsI##C##EEE6do_getES4_S4_RSt8ios_baseRSt12_Ios_IostateP2tmcc, \
      Char,                                                                                                                                \
      get_time<Char>(original, fields_written(format), facet, begin, end, stream, errors, time, MUSTER_SITE, format,                       \
                     modifier),                                                                                                            \
      std::ios_base& stream, std::ios_base::iostate& errors, std::tm* time, char format, char modifier)                                    \
  MUSTER_PUTTER(                                                                                                                           \
      _ZNKSt8time_putI##C##St19ostreambuf_iteratorI##C##St11char_traitsI##C##EEE6do_putES3_RSt8ios_base##C##PK2tmcc,                       \
      Char, put_time<Char>(original, facet, at, stream, fill, time, format, modifier, MUSTER_SITE),                                        \
      std::ios_base& stream, Char fill, const std::tm* time, char format, char modifier)                                                   \
  MUSTER_GET_MONEY(Char, C, long double, e)                                                                                                \
  MUSTER_GET_MONEY(Char, C, std::basic_string<Char>, NS_12basic_stringI##C##S3_SaI##C##EEE)                                                \
  MUSTER_PUT_MONEY(Char, C, long double, e)                                                                                                \
  MUSTER_PUT_MONEY(Char, C, const std::basic_string<Char>*, RKNS_12basic_stringI##C##S3_SaI##C##EEE)

/// What follows from several formats.
MUSTER_NAMED(void, _ZNSt16__time_get_state17_M_finalize_stateEP2tm, (void* state, std::tm* time)) {
  MUSTER_FACET_ORIGINAL(_ZNSt16__time_get_state17_M_finalize_stateEP2tm)
  finish_time(original, state, time, MUSTER_SITE);
}

MUSTER_STREAM_FACETS(char, c)
MUSTER_STREAM_FACETS(wchar_t, w)

}  // namespace muster
