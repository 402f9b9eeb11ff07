// Facets of LLVM's libc++: numbers, times, amounts of money, letters and encodings, as character_facets.cpp and
// stream_facets.cpp have them for libstdc++, by libc++'s layouts. A program that makes facets itself has its own
// instances of the templates, which are watched; these are the library's, behind its tables of virtual functions.

#include <cstdint>
#include <type_traits>
#include <utility>

#include "instrument/described.hpp"
#include "instrument/facet_accesses.hpp"

namespace muster {
namespace {

/// std::basic_streambuf, as far as reading concerns it. An iterator of it is a pointer to it.
template <class Char>
struct LlvmBuffer {
  const void *table, *locale;
  Char *begin, *next, *end;
};

template <class Char>
struct ReadFromLlvm : ReadFromBuffer<Char> {
  ReadFromLlvm(const LlvmBuffer<Char>* buffer, SiteId site)
      : ReadFromBuffer<Char>(buffer ? &buffer->next : nullptr, buffer ? &buffer->end : nullptr, site) {}
};

/// What of a stream all streams have: it is told as a whole.
struct LlvmStream {
  std::byte state[136];
};
constexpr std::uint32_t llvm_failed = 4;

/// Three words, in which short ones lie.
struct LlvmString {
  std::uintptr_t words[3];
};

/// What is read: a number, or an amount of money.
template <class Char, class Result, class... More>
LlvmBuffer<Char>* get_value(void* original, const void* facet, LlvmBuffer<Char>* begin, LlvmBuffer<Char>* end,
                            LlvmStream& stream, std::uint32_t& errors, Result& result, SiteId site, More... more) {
  using Get = LlvmBuffer<Char>*(const void*, LlvmBuffer<Char>*, LlvmBuffer<Char>*, More..., LlvmStream&, std::uint32_t&,
                                Result&);
  auto* const real = reinterpret_cast<Get*>(original);
  if (!is_told(site)) return real(facet, begin, end, more..., stream, errors, result);
  const ReadFromLlvm<Char> told(begin, site);
  tell_facet_read(stream, site);
  LlvmBuffer<Char>* const reached = real(facet, begin, end, more..., stream, errors, result);
  // A number that cannot be read becomes zero; an amount stays as it is.
  if (sizeof...(More) == 0 || !(errors & llvm_failed)) tell_facet_write(result, site);
  return reached;
}

template <class Char, class... Format>
LlvmBuffer<Char>* get_llvm_time(void* original, TimeFields fields, const void* facet, LlvmBuffer<Char>* begin,
                                LlvmBuffer<Char>* end, LlvmStream& stream, std::uint32_t& errors, std::tm* time,
                                SiteId site, Format... format) {
  using Get = LlvmBuffer<Char>*(const void*, LlvmBuffer<Char>*, LlvmBuffer<Char>*, LlvmStream&, std::uint32_t&,
                                std::tm*, Format...);
  auto* const real = reinterpret_cast<Get*>(original);
  if (!is_told(site)) return real(facet, begin, end, stream, errors, time, format...);
  const ReadFromLlvm<Char> told(begin, site);
  const std::tm before = *time;
  LlvmBuffer<Char>* const reached = real(facet, begin, end, stream, errors, time, format...);
  if (!(errors & llvm_failed)) tell_time(time, fields | changed_fields(before, *time), true, site);
  return reached;
}

}  // namespace

#define MUSTER_ORIGINAL(name) static void* const original = reinterpret_cast<void*>(next_named<void()>(#name));
#define MUSTER_LLVM_GETTER(name, Char, call, ...)                                                  \
  MUSTER_NAMED(LlvmBuffer<Char>*, name,                                                            \
               (const void* facet, LlvmBuffer<Char>* begin, LlvmBuffer<Char>* end, __VA_ARGS__)) { \
    MUSTER_ORIGINAL(name)                                                                          \
    return call;                                                                                   \
  }

// ---- numbers, amounts of money, times; `C` is how the compiler abbreviates the character, `N` the type ----

#define MUSTER_LLVM_NUMBER(Char, C, Number, N)                                                                            \
  MUSTER_LLVM_GETTER(                                                                                                     \
      _ZNKSt3__17num_getI##C##NS_19istreambuf_iteratorI##C##NS_11char_traitsI##C##EEEEE6do_getES4_S4_RNS_8ios_baseERj##N, \
      Char, (get_value<Char, Number>(original, facet, begin, end, stream, errors, number, MUSTER_SITE)),                  \
      LlvmStream& stream, std::uint32_t& errors, Number& number)
#define MUSTER_LLVM_MONEY(Char, C, Amount, N)                                                                                \
  MUSTER_LLVM_GETTER(                                                                                                        \
      _ZNKSt3__19money_getI##C##NS_19istreambuf_iteratorI##C##NS_11char_traitsI##C##EEEEE6do_getES4_S4_bRNS_8ios_baseERj##N, \
      Char,                                                                                                                  \
      (get_value<Char, Amount, bool>(original, facet, begin, end, stream, errors, amount, MUSTER_SITE,                       \
                                     international)),                                                                        \
      bool international, LlvmStream& stream, std::uint32_t& errors, Amount& amount)
#define MUSTER_LLVM_TIME(Char, C, function, fields)                                                                              \
  MUSTER_LLVM_GETTER(                                                                                                            \
      _ZNKSt3__18time_getI##C##NS_19istreambuf_iteratorI##C##NS_11char_traitsI##C##EEEEE##function##ES4_S4_RNS_8ios_baseERjP2tm, \
      Char, get_llvm_time<Char>(original, fields, facet, begin, end, stream, errors, time, MUSTER_SITE),                         \
      LlvmStream& stream, std::uint32_t& errors, std::tm* time)
#define MUSTER_LLVM_STREAM_FACETS(Char, C)                                                                                       \
  MUSTER_LLVM_NUMBER(Char, C, bool, Rb)                                                                                          \
  MUSTER_LLVM_NUMBER(Char, C, long, Rl)                                                                                          \
  MUSTER_LLVM_NUMBER(Char, C, long long, Rx)                                                                                     \
  MUSTER_LLVM_NUMBER(Char, C, unsigned short, Rt)                                                                                \
  MUSTER_LLVM_NUMBER(Char, C, unsigned, S8_)                                                                                     \
  MUSTER_LLVM_NUMBER(Char, C, unsigned long, Rm)                                                                                 \
  MUSTER_LLVM_NUMBER(Char, C, unsigned long long, Ry)                                                                            \
  MUSTER_LLVM_NUMBER(Char, C, float, Rf)                                                                                         \
  MUSTER_LLVM_NUMBER(Char, C, double, Rd)                                                                                        \
  MUSTER_LLVM_NUMBER(Char, C, long double, Re)                                                                                   \
  MUSTER_LLVM_NUMBER(Char, C, void*, RPv)                                                                                        \
  MUSTER_LLVM_MONEY(Char, C, long double, Re)                                                                                    \
  MUSTER_LLVM_MONEY(Char, C, LlvmString, RNS_12basic_stringI##C##S3_NS_9allocatorI##C##EEEE)                                     \
  MUSTER_LLVM_TIME(Char, C, 11do_get_time, fields_written('T'))                                                                  \
  MUSTER_LLVM_TIME(Char, C, 11do_get_date, fields_written('D'))                                                                  \
  MUSTER_LLVM_TIME(Char, C, 14do_get_weekday, fields_written('a'))                                                               \
  MUSTER_LLVM_TIME(Char, C, 16do_get_monthname, fields_written('b'))                                                             \
  MUSTER_LLVM_TIME(Char, C, 11do_get_year, fields_written('Y'))                                                                  \
  MUSTER_LLVM_GETTER(                                                                                                            \
      _ZNKSt3__18time_getI##C##NS_19istreambuf_iteratorI##C##NS_11char_traitsI##C##EEEEE6do_getES4_S4_RNS_8ios_baseERjP2tmcc,    \
      Char,                                                                                                                      \
      get_llvm_time<Char>(original, fields_written(format), facet, begin, end, stream, errors, time, MUSTER_SITE,                \
                          format, modifier),                                                                                     \
      LlvmStream& stream, std::uint32_t& errors, std::tm* time, char format, char modifier)                                      \
  MUSTER_NAMED(                                                                                                                  \
      LlvmBuffer<Char>*,                                                                                                         \
      _ZNKSt3__18time_putI##C##NS_19ostreambuf_iteratorI##C##NS_11char_traitsI##C##EEEEE6do_putES4_RNS_8ios_baseE##C##PK2tmcc,   \
      (const void* facet, LlvmBuffer<Char>* at, LlvmStream& stream, Char fill, const std::tm* time, char format,                 \
       char modifier)) {                                                                                                         \
    using Put = LlvmBuffer<Char>*(const void*, LlvmBuffer<Char>*, LlvmStream&, Char, const std::tm*, char, char);                \
    MUSTER_ORIGINAL(                                                                                                             \
        _ZNKSt3__18time_putI##C##NS_19ostreambuf_iteratorI##C##NS_11char_traitsI##C##EEEEE6do_putES4_RNS_8ios_baseE##C##PK2tmcc) \
    if (is_told(MUSTER_SITE)) tell_time(time, fields_read(format), false, MUSTER_SITE);                                          \
    return reinterpret_cast<Put*>(original)(facet, at, stream, fill, time, format, modifier);                                    \
  }                                                                                                                              \
  /* What the template calls, where the program has an instance of its own. */                                                   \
  MUSTER_NAMED(void, _ZNKSt3__110__time_put8__do_putEP##C##RS1_PK2tmcc,                                                          \
               (const void* facet, Char* begin, Char*& end, const std::tm* time, char format, char modifier)) {                  \
    using Put = void(const void*, Char*, Char*&, const std::tm*, char, char);                                                    \
    MUSTER_ORIGINAL(_ZNKSt3__110__time_put8__do_putEP##C##RS1_PK2tmcc)                                                           \
    if (is_told(MUSTER_SITE)) tell_time(time, fields_read(format), false, MUSTER_SITE);                                          \
    reinterpret_cast<Put*>(original)(facet, begin, end, time, format, modifier);                                                 \
  }
MUSTER_LLVM_STREAM_FACETS(char, c)
MUSTER_LLVM_STREAM_FACETS(wchar_t, w)

#define MUSTER_LLVM_PUT_MONEY(C)                                                                                                                                             \
  MUSTER_DESCRIBED_VIRTUAL(                                                                                                                                                  \
      _ZNKSt3__19money_putI##C##NS_19ostreambuf_iteratorI##C##NS_11char_traitsI##C##EEEEE6do_putES4_bRNS_8ios_baseE##C##RKNS_12basic_stringI##C##S3_NS_9allocatorI##C##EEEE, \
      describe::writes(3, sizeof(LlvmStream)), describe::reads(5, sizeof(LlvmString)))                                                                                       \
  MUSTER_DESCRIBED_VIRTUAL(                                                                                                                                                  \
      _ZNKSt3__19money_putI##C##NS_19ostreambuf_iteratorI##C##NS_11char_traitsI##C##EEEEE6do_putES4_bRNS_8ios_baseE##C##e,                                                   \
      describe::writes(3, sizeof(LlvmStream)))
MUSTER_LLVM_PUT_MONEY(c)
MUSTER_LLVM_PUT_MONEY(w)

// ---- letters, their order, and messages ----

using namespace describe;

#define MUSTER_LLVM_LETTERS(facet, C)                                           \
  MUSTER_DESCRIBED_VIRTUAL(facet##10do_toupperEP##C##PK##C, writes_until(1, 2)) \
  MUSTER_DESCRIBED_VIRTUAL(facet##10do_tolowerEP##C##PK##C, writes_until(1, 2))
#define MUSTER_LLVM_WIDE_LETTERS(facet)                                                                   \
  MUSTER_DESCRIBED_VIRTUAL(facet##8do_widenEPKcS3_Pw, reads_until(1, 2), writes_as_many(3, 1, 2, 4, 1))   \
  MUSTER_DESCRIBED_VIRTUAL(facet##9do_narrowEPKwS3_cPc, reads_until(1, 2), writes_as_many(4, 1, 2, 1, 4)) \
  MUSTER_DESCRIBED_VIRTUAL(facet##5do_isEPKwS3_Pt, reads_until(1, 2), writes_as_many(3, 1, 2, 2, 4))
#define MUSTER_LLVM_ORDER(facet, C)                                                                    \
  MUSTER_DESCRIBED_VIRTUAL(facet##10do_compareEPK##C##S3_S3_S3_, reads_until(1, 2), reads_until(3, 4)) \
  MUSTER_DESCRIBED_VIRTUAL(facet##12do_transformEPK##C##S3_, reads_until(2, 3))
MUSTER_LLVM_LETTERS(_ZNKSt3__15ctypeIcE, c)
MUSTER_LLVM_LETTERS(_ZNKSt3__15ctypeIwE, w)
MUSTER_LLVM_LETTERS(_ZNKSt3__112ctype_bynameIcE, c)
MUSTER_LLVM_LETTERS(_ZNKSt3__112ctype_bynameIwE, w)
MUSTER_LLVM_WIDE_LETTERS(_ZNKSt3__15ctypeIwE)
MUSTER_LLVM_WIDE_LETTERS(_ZNKSt3__112ctype_bynameIwE)
MUSTER_DESCRIBED_VIRTUAL(_ZNKSt3__15ctypeIcE8do_widenEPKcS3_Pc, reads_until(1, 2), writes_as_many(3, 1, 2, 1, 1))
MUSTER_DESCRIBED_VIRTUAL(_ZNKSt3__15ctypeIcE9do_narrowEPKcS3_cPc, reads_until(1, 2), writes_as_many(4, 1, 2, 1, 1))
MUSTER_LLVM_ORDER(_ZNKSt3__17collateIcE, c)
MUSTER_LLVM_ORDER(_ZNKSt3__17collateIwE, w)
MUSTER_LLVM_ORDER(_ZNKSt3__114collate_bynameIcE, c)
MUSTER_LLVM_ORDER(_ZNKSt3__114collate_bynameIwE, w)
MUSTER_DESCRIBED_VIRTUAL(_ZNKSt3__17collateIcE7do_hashEPKcS3_, reads_until(1, 2))
MUSTER_DESCRIBED_VIRTUAL(_ZNKSt3__17collateIwE7do_hashEPKwS3_, reads_until(1, 2))

#define MUSTER_LLVM_SCAN(name)                                                                       \
  MUSTER_NAMED(const wchar_t*, name,                                                                 \
               (const void* facet, unsigned short mask, const wchar_t* begin, const wchar_t* end)) { \
    using Scan = const wchar_t*(const void*, unsigned short, const wchar_t*, const wchar_t*);        \
    MUSTER_ORIGINAL(name)                                                                            \
    const wchar_t* const found = reinterpret_cast<Scan*>(original)(facet, mask, begin, end);         \
    ToldAfter{MUSTER_SITE}.read(begin, found == end ? end : found + 1);                              \
    return found;                                                                                    \
  }
MUSTER_LLVM_SCAN(_ZNKSt3__15ctypeIwE10do_scan_isEtPKwS3_)
MUSTER_LLVM_SCAN(_ZNKSt3__15ctypeIwE11do_scan_notEtPKwS3_)
MUSTER_LLVM_SCAN(_ZNKSt3__112ctype_bynameIwE10do_scan_isEtPKwS3_)
MUSTER_LLVM_SCAN(_ZNKSt3__112ctype_bynameIwE11do_scan_notEtPKwS3_)

// ---- encodings ----

#define MUSTER_LLVM_ENCODING(facet, state, Inside, I, Outside, O)                       \
  MUSTER_CONVERT(facet##5do_inER##state##PK##O##S5_RS5_P##I##S7_RS7_, Outside, Inside)  \
  MUSTER_CONVERT(facet##6do_outER##state##PK##I##S5_RS5_P##O##S7_RS7_, Inside, Outside) \
  MUSTER_LENGTH(facet##9do_lengthER##state##PK##O##S5_m, Outside)
#define MUSTER_LLVM_UNICODE(Inside, I)                                                            \
  MUSTER_LLVM_ENCODING(_ZNKSt3__114__codecvt_utf8I##I##E, 11__mbstate_t, Inside, I, char, c)      \
  MUSTER_LLVM_ENCODING(_ZNKSt3__115__codecvt_utf16I##I##Lb0EE, 11__mbstate_t, Inside, I, char, c) \
  MUSTER_LLVM_ENCODING(_ZNKSt3__115__codecvt_utf16I##I##Lb1EE, 11__mbstate_t, Inside, I, char, c) \
  MUSTER_LLVM_ENCODING(_ZNKSt3__120__codecvt_utf8_utf16I##I##E, 11__mbstate_t, Inside, I, char, c)
MUSTER_LLVM_UNICODE(wchar_t, w)
MUSTER_LLVM_UNICODE(char16_t, Ds)
MUSTER_LLVM_UNICODE(char32_t, Di)
MUSTER_LLVM_ENCODING(_ZNKSt3__17codecvtIcc11__mbstate_tE, S1_, char, c, char, c)
MUSTER_LLVM_ENCODING(_ZNKSt3__17codecvtIwc11__mbstate_tE, S1_, wchar_t, w, char, c)
MUSTER_LLVM_ENCODING(_ZNKSt3__17codecvtIDsc11__mbstate_tE, S1_, char16_t, Ds, char, c)
MUSTER_LLVM_ENCODING(_ZNKSt3__17codecvtIDic11__mbstate_tE, S1_, char32_t, Di, char, c)
MUSTER_LLVM_ENCODING(_ZNKSt3__17codecvtIDsDu11__mbstate_tE, S1_, char16_t, Ds, char8_t, Du)
MUSTER_LLVM_ENCODING(_ZNKSt3__17codecvtIDiDu11__mbstate_tE, S1_, char32_t, Di, char8_t, Du)

// ---- numbers as texts, and a step of a regular expression ----

MUSTER_NAMED(char*, _ZNSt3__16__itoa8__u32toaEjPc, (std::uint32_t value, char* text)) {
  MUSTER_ORIGINAL(_ZNSt3__16__itoa8__u32toaEjPc)
  char* const end = reinterpret_cast<char* (*)(std::uint32_t, char*)>(original)(value, text);
  ToldAfter{MUSTER_SITE}.write(text, end);
  return end;
}
MUSTER_NAMED(char*, _ZNSt3__16__itoa8__u64toaEmPc, (std::uint64_t value, char* text)) {
  MUSTER_ORIGINAL(_ZNSt3__16__itoa8__u64toaEmPc)
  char* const end = reinterpret_cast<char* (*)(std::uint64_t, char*)>(original)(value, text);
  ToldAfter{MUSTER_SITE}.write(text, end);
  return end;
}

namespace {

/// Where a search for a regular expression is.
template <class Char>
struct SearchState {
  int next_deed;
  const Char *first, *current, *last;
};

}  // namespace

// `.`: one character, if there is one.
#define MUSTER_LLVM_ANY(Char, C)                                                                    \
  MUSTER_NAMED(void, _ZNKSt3__123__match_any_but_newlineI##C##E6__execERNS_7__stateI##C##EE,        \
               (const void* node, SearchState<Char>& state)) {                                      \
    MUSTER_ORIGINAL(_ZNKSt3__123__match_any_but_newlineI##C##E6__execERNS_7__stateI##C##EE)         \
    if (state.current != state.last) ToldAfter{MUSTER_SITE}.read(state.current, state.current + 1); \
    reinterpret_cast<void (*)(const void*, SearchState<Char>&)>(original)(node, state);             \
  }
MUSTER_LLVM_ANY(char, c)
MUSTER_LLVM_ANY(wchar_t, w)

}  // namespace muster
