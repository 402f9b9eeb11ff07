// Facets that read and write characters of the program, and buffers of characters that somebody else owns: virtual
// functions, which the library finds in its own tables.

#include <clocale>
#include <cwchar>
#include <locale>
#include <string>

#include "instrument/described.hpp"
#include "instrument/facet_accesses.hpp"

namespace muster {

using namespace describe;

// ---- classes of characters, order, messages ----

MUSTER_DESCRIBED_VIRTUAL(_ZNKSt5ctypeIcE10do_toupperEPcPKc, writes_until(1, 2))
MUSTER_DESCRIBED_VIRTUAL(_ZNKSt5ctypeIcE10do_tolowerEPcPKc, writes_until(1, 2))
MUSTER_DESCRIBED_VIRTUAL(_ZNKSt5ctypeIwE10do_toupperEPwPKw, writes_until(1, 2))
MUSTER_DESCRIBED_VIRTUAL(_ZNKSt5ctypeIwE10do_tolowerEPwPKw, writes_until(1, 2))
MUSTER_DESCRIBED_VIRTUAL(_ZNKSt5ctypeIcE8do_widenEPKcS2_Pc, reads_until(1, 2), writes_as_many(3, 1, 2, 1, 1))
MUSTER_DESCRIBED_VIRTUAL(_ZNKSt5ctypeIwE8do_widenEPKcS2_Pw, reads_until(1, 2), writes_as_many(3, 1, 2, 4, 1))
MUSTER_DESCRIBED_VIRTUAL(_ZNKSt5ctypeIcE9do_narrowEPKcS2_cPc, reads_until(1, 2), writes_as_many(4, 1, 2, 1, 1))
MUSTER_DESCRIBED_VIRTUAL(_ZNKSt5ctypeIwE9do_narrowEPKwS2_cPc, reads_until(1, 2), writes_as_many(4, 1, 2, 1, 4))
MUSTER_DESCRIBED_VIRTUAL(_ZNKSt5ctypeIwE5do_isEPKwS2_Pt, reads_until(1, 2), writes_as_many(3, 1, 2, 2, 4))

MUSTER_DESCRIBED_VIRTUAL(_ZNKSt7__cxx117collateIcE10do_compareEPKcS3_S3_S3_, reads_until(1, 2), reads_until(3, 4))
MUSTER_DESCRIBED_VIRTUAL(_ZNKSt7__cxx117collateIwE10do_compareEPKwS3_S3_S3_, reads_until(1, 2), reads_until(3, 4))
MUSTER_DESCRIBED_VIRTUAL(_ZNKSt7__cxx117collateIcE12do_transformEPKcS3_, reads_until(2, 3))
MUSTER_DESCRIBED_VIRTUAL(_ZNKSt7__cxx117collateIwE12do_transformEPKwS3_, reads_until(2, 3))
MUSTER_DESCRIBED_VIRTUAL(_ZNKSt7__cxx117collateIcE7do_hashEPKcS3_, reads_until(1, 2))
MUSTER_DESCRIBED_VIRTUAL(_ZNKSt7__cxx117collateIwE7do_hashEPKwS3_, reads_until(1, 2))

MUSTER_DESCRIBED_VIRTUAL(_ZNKSt7__cxx118messagesIcE7do_openERKNS_12basic_stringIcSt11char_traitsIcESaIcEEERKSt6locale,
                         reads(1, sizeof(std::string)), reads(2, sizeof(std::locale)))
MUSTER_DESCRIBED_VIRTUAL(_ZNKSt7__cxx118messagesIwE7do_openERKNS_12basic_stringIcSt11char_traitsIcESaIcEEERKSt6locale,
                         reads(1, sizeof(std::string)), reads(2, sizeof(std::locale)))
MUSTER_DESCRIBED_VIRTUAL(_ZNKSt7__cxx118messagesIcE6do_getEiiiRKNS_12basic_stringIcSt11char_traitsIcESaIcEEE,
                         reads(5, sizeof(std::string)))
MUSTER_DESCRIBED_VIRTUAL(_ZNKSt7__cxx118messagesIwE6do_getEiiiRKNS_12basic_stringIwSt11char_traitsIwESaIwEEE,
                         reads(5, sizeof(std::wstring)))

// ---- buffers of characters that somebody else owns (std::strstreambuf, which ends after its flags) ----

constexpr unsigned strstreambuf_size = sizeof(std::streambuf) + 3 * sizeof(void*);

MUSTER_DESCRIBED_VIRTUAL(_ZNSt12strstreambuf8overflowEi, writes(0, strstreambuf_size))
MUSTER_DESCRIBED_VIRTUAL(_ZNSt12strstreambuf9underflowEv, writes(0, strstreambuf_size))
MUSTER_DESCRIBED_VIRTUAL(_ZNSt12strstreambuf9pbackfailEi, writes(0, strstreambuf_size))
MUSTER_DESCRIBED_VIRTUAL(_ZNSt12strstreambuf7seekoffElSt12_Ios_SeekdirSt13_Ios_Openmode, writes(0, strstreambuf_size))
MUSTER_DESCRIBED_VIRTUAL(_ZNSt12strstreambuf7seekposESt4fposI11__mbstate_tESt13_Ios_Openmode,
                         writes(0, strstreambuf_size))

namespace {

using CharacterMask = std::ctype_base::mask;

}  // namespace

#define MUSTER_SCAN(name)                                                                              \
  MUSTER_NAMED(const wchar_t*, name,                                                                   \
               (const void* facet, CharacterMask mask, const wchar_t* begin, const wchar_t* end)) {    \
    static auto* const real =                                                                          \
        next_named<const wchar_t*(const void*, CharacterMask, const wchar_t*, const wchar_t*)>(#name); \
    const wchar_t* const found = real(facet, mask, begin, end);                                        \
    ToldAfter{MUSTER_SITE}.read(begin, found == end ? end : found + 1);                                \
    return found;                                                                                      \
  }
MUSTER_SCAN(_ZNKSt5ctypeIwE10do_scan_isEtPKwS2_)
MUSTER_SCAN(_ZNKSt5ctypeIwE11do_scan_notEtPKwS2_)

// ---- encodings ----

/// Both ways, and how many characters of the outside make so many inside.
#define MUSTER_ENCODING(facet, state, Inside, I, Outside, O)                           \
  MUSTER_CONVERT(facet##5do_inER##state##PK##O##S4_RS4_P##I##S6_RS6_, Outside, Inside) \
  MUSTER_CONVERT(facet##6do_outER##state##PK##I##S4_RS4_P##O##S6_RS6_, Inside, Outside)

MUSTER_CONVERT(_ZNKSt7codecvtIcc11__mbstate_tE5do_inERS0_PKcS4_RS4_PcS6_RS6_, char, char)
MUSTER_CONVERT(_ZNKSt7codecvtIcc11__mbstate_tE6do_outERS0_PKcS4_RS4_PcS6_RS6_, char, char)
MUSTER_ENCODING(_ZNKSt7codecvtIwc11__mbstate_tE, S0_, wchar_t, w, char, c)
MUSTER_ENCODING(_ZNKSt7codecvtIDsc11__mbstate_tE, S0_, char16_t, Ds, char, c)
MUSTER_ENCODING(_ZNKSt7codecvtIDic11__mbstate_tE, S0_, char32_t, Di, char, c)
MUSTER_ENCODING(_ZNKSt7codecvtIDsDu11__mbstate_tE, S0_, char16_t, Ds, char8_t, Du)
MUSTER_ENCODING(_ZNKSt7codecvtIDiDu11__mbstate_tE, S0_, char32_t, Di, char8_t, Du)
MUSTER_ENCODING(_ZNKSt19__codecvt_utf8_baseIwE, 11__mbstate_t, wchar_t, w, char, c)
MUSTER_ENCODING(_ZNKSt19__codecvt_utf8_baseIDsE, 11__mbstate_t, char16_t, Ds, char, c)
MUSTER_ENCODING(_ZNKSt19__codecvt_utf8_baseIDiE, 11__mbstate_t, char32_t, Di, char, c)
MUSTER_ENCODING(_ZNKSt20__codecvt_utf16_baseIwE, 11__mbstate_t, wchar_t, w, char, c)
MUSTER_ENCODING(_ZNKSt20__codecvt_utf16_baseIDsE, 11__mbstate_t, char16_t, Ds, char, c)
MUSTER_ENCODING(_ZNKSt20__codecvt_utf16_baseIDiE, 11__mbstate_t, char32_t, Di, char, c)
MUSTER_ENCODING(_ZNKSt25__codecvt_utf8_utf16_baseIwE, 11__mbstate_t, wchar_t, w, char, c)
MUSTER_ENCODING(_ZNKSt25__codecvt_utf8_utf16_baseIDsE, 11__mbstate_t, char16_t, Ds, char, c)
MUSTER_ENCODING(_ZNKSt25__codecvt_utf8_utf16_baseIDiE, 11__mbstate_t, char32_t, Di, char, c)

MUSTER_LENGTH(_ZNKSt7codecvtIwc11__mbstate_tE9do_lengthERS0_PKcS4_m, char)
MUSTER_LENGTH(_ZNKSt7codecvtIDsc11__mbstate_tE9do_lengthERS0_PKcS4_m, char)
MUSTER_LENGTH(_ZNKSt7codecvtIDic11__mbstate_tE9do_lengthERS0_PKcS4_m, char)
MUSTER_LENGTH(_ZNKSt7codecvtIDsDu11__mbstate_tE9do_lengthERS0_PKDuS4_m, char8_t)
MUSTER_LENGTH(_ZNKSt7codecvtIDiDu11__mbstate_tE9do_lengthERS0_PKDuS4_m, char8_t)
MUSTER_LENGTH(_ZNKSt19__codecvt_utf8_baseIwE9do_lengthER11__mbstate_tPKcS4_m, char)
MUSTER_LENGTH(_ZNKSt19__codecvt_utf8_baseIDsE9do_lengthER11__mbstate_tPKcS4_m, char)
MUSTER_LENGTH(_ZNKSt19__codecvt_utf8_baseIDiE9do_lengthER11__mbstate_tPKcS4_m, char)
MUSTER_LENGTH(_ZNKSt20__codecvt_utf16_baseIwE9do_lengthER11__mbstate_tPKcS4_m, char)
MUSTER_LENGTH(_ZNKSt20__codecvt_utf16_baseIDsE9do_lengthER11__mbstate_tPKcS4_m, char)
MUSTER_LENGTH(_ZNKSt20__codecvt_utf16_baseIDiE9do_lengthER11__mbstate_tPKcS4_m, char)
MUSTER_LENGTH(_ZNKSt25__codecvt_utf8_utf16_baseIwE9do_lengthER11__mbstate_tPKcS4_m, char)
MUSTER_LENGTH(_ZNKSt25__codecvt_utf8_utf16_baseIDsE9do_lengthER11__mbstate_tPKcS4_m, char)
MUSTER_LENGTH(_ZNKSt25__codecvt_utf8_utf16_baseIDiE9do_lengthER11__mbstate_tPKcS4_m, char)

}  // namespace muster
