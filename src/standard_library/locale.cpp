// Locales and their facets, as far as they read what the program changes. How they are counted is told where all calls
// are seen.

#include <locale>

#include "instrument/described.hpp"

using namespace muster::describe;

MUSTER_DESCRIBED(_ZNSt6localeC1Ev, writes(0, 8))
MUSTER_DESCRIBED(_ZNSt6localeC2Ev, writes(0, 8))
MUSTER_DESCRIBED(_ZNSt6localeC1EPKc, writes(0, 8), reads_text(1))
MUSTER_DESCRIBED(_ZNSt6localeC2EPKc, writes(0, 8), reads_text(1))
MUSTER_DESCRIBED(_ZNSt6localeC1EPNS_5_ImplE, writes(0, 8))
MUSTER_DESCRIBED(_ZNSt6localeC2EPNS_5_ImplE, writes(0, 8))
MUSTER_DESCRIBED(_ZNSt6localeC1ERKS_, reads(1, 8))
MUSTER_DESCRIBED(_ZNSt6localeC2ERKS_, reads(1, 8))
MUSTER_DESCRIBED(_ZNSt6localeC1ERKS_PKci, reads(1, 8))
MUSTER_DESCRIBED(_ZNSt6localeC2ERKS_PKci, reads(1, 8))
MUSTER_DESCRIBED(_ZNSt6localeC1ERKS_S1_i, reads(1, 8), reads(2, 8))
MUSTER_DESCRIBED(_ZNSt6localeC2ERKS_S1_i, reads(1, 8), reads(2, 8))
MUSTER_DESCRIBED(_ZNSt6localeaSERKS_, writes(0, 8), reads(1, 8))
MUSTER_DESCRIBED(_ZNSt6localeD1Ev, reads(0, 8))
MUSTER_DESCRIBED(_ZNSt6localeD2Ev, reads(0, 8))
MUSTER_DESCRIBED(_ZNSt6locale6globalERKS_, reads(1, 8))
MUSTER_DESCRIBED(_ZNKSt6locale4nameB5cxx11Ev, reads(1, 8))
MUSTER_DESCRIBED(_ZNKSt6localeeqERKS_, reads(0, 8), reads(1, 8))
MUSTER_DESCRIBED(_ZNSt8ios_baseC2Ev, writes(0, sizeof(std::ios_base)))
MUSTER_DESCRIBED(_ZNSt8ios_baseD2Ev, writes(0, sizeof(std::ios_base)))
MUSTER_DESCRIBED(_ZNSt8ios_base7_M_initEv, writes(0, sizeof(std::ios_base)))
MUSTER_DESCRIBED(_ZNSt8ios_base5imbueERKSt6locale, writes(1, sizeof(std::ios_base)), reads(2, 8))
MUSTER_DESCRIBED(_ZNSt8ios_base17register_callbackEPFvNS_5eventERS_iEi, writes(0, sizeof(std::ios_base)))
MUSTER_DESCRIBED(_ZNSt8ios_base13_M_grow_wordsEib, writes(0, sizeof(std::ios_base)))
MUSTER_DESCRIBED(_ZNSt8ios_base7_M_swapERS_, writes(0, sizeof(std::ios_base)), writes(1, sizeof(std::ios_base)))
MUSTER_DESCRIBED(_ZNSt8ios_base7_M_moveERS_, writes(0, sizeof(std::ios_base)), writes(1, sizeof(std::ios_base)))

namespace std {

#define MUSTER_FACET(...)                                            \
  template const __VA_ARGS__& use_facet<__VA_ARGS__>(const locale&); \
  template bool has_facet<__VA_ARGS__>(const locale&);
#define MUSTER_FACETS(Char)                    \
  MUSTER_FACET(ctype<Char>)                    \
  MUSTER_FACET(codecvt<Char, char, mbstate_t>) \
  MUSTER_FACET(collate<Char>)                  \
  MUSTER_FACET(num_get<Char>)                  \
  MUSTER_FACET(num_put<Char>)                  \
  MUSTER_FACET(numpunct<Char>)                 \
  MUSTER_FACET(money_get<Char>)                \
  MUSTER_FACET(money_put<Char>)                \
  MUSTER_FACET(moneypunct<Char, false>)        \
  MUSTER_FACET(moneypunct<Char, true>)         \
  MUSTER_FACET(time_get<Char>)                 \
  MUSTER_FACET(time_put<Char>)                 \
  MUSTER_FACET(messages<Char>)

MUSTER_FACETS(char)
MUSTER_FACETS(wchar_t)

}  // namespace std
