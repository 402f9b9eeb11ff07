// What programs call out of line of LLVM's library, libc++, besides templates, which they instantiate themselves.
// Described by its layouts: this is compiled with whatever library Muster is built with.

#include <pthread.h>

#include "instrument/described.hpp"

using namespace muster::describe;

// ---- exceptions: a pointer is a pointer; an exception is a table and a text ----

MUSTER_DESCRIBED(_ZNSt13exception_ptrC1ERKS_, writes(0, 8), reads(1, 8))
MUSTER_DESCRIBED(_ZNSt13exception_ptrC2ERKS_, writes(0, 8), reads(1, 8))
MUSTER_DESCRIBED(_ZNSt13exception_ptraSERKS_, writes(0, 8), reads(1, 8))
MUSTER_DESCRIBED(_ZNSt13exception_ptrD1Ev, reads(0, 8))
MUSTER_DESCRIBED(_ZNSt13exception_ptrD2Ev, reads(0, 8))

// ---- strings: three words, in which short ones lie ----

#define MUSTER_NUMBER_OF(Char, name, base)                                                                         \
  MUSTER_DESCRIBED(                                                                                                \
      _ZNSt3__1##name##ERKNS_12basic_stringI##Char##NS_11char_traitsI##Char##EENS_9allocatorI##Char##EEEEPm##base, \
      reads(0, 24), writes(1, 8))
#define MUSTER_NUMBERS_OF(Char)      \
  MUSTER_NUMBER_OF(Char, 4stoi, i)   \
  MUSTER_NUMBER_OF(Char, 4stol, i)   \
  MUSTER_NUMBER_OF(Char, 5stoul, i)  \
  MUSTER_NUMBER_OF(Char, 5stoll, i)  \
  MUSTER_NUMBER_OF(Char, 6stoull, i) \
  MUSTER_NUMBER_OF(Char, 4stof, )    \
  MUSTER_NUMBER_OF(Char, 4stod, )    \
  MUSTER_NUMBER_OF(Char, 5stold, )
MUSTER_NUMBERS_OF(c)
MUSTER_NUMBERS_OF(w)

#define MUSTER_TO_CHARS(Number)                                                              \
  MUSTER_DESCRIBED(_ZNSt3__18to_charsEPcS0_##Number, writes_until(0, 1))                     \
  MUSTER_DESCRIBED(_ZNSt3__18to_charsEPcS0_##Number##NS_12chars_formatE, writes_until(0, 1)) \
  MUSTER_DESCRIBED(_ZNSt3__18to_charsEPcS0_##Number##NS_12chars_formatEi, writes_until(0, 1))
MUSTER_TO_CHARS(f)
MUSTER_TO_CHARS(d)
MUSTER_TO_CHARS(e)

// ---- threads: what the C library knows them by ----

MUSTER_DESCRIBED(_ZNSt3__16threadD1Ev, reads(0, 8))
MUSTER_DESCRIBED(_ZNSt3__16threadD2Ev, reads(0, 8))

namespace {

using End = void(pthread_t*);

const auto original_join = reinterpret_cast<End*>(muster_original("_ZNSt3__16thread4joinEv"));
const auto original_detach = reinterpret_cast<End*>(muster_original("_ZNSt3__16thread6detachEv"));

}  // namespace

// The library's own say what went wrong.
extern "C" {
[[gnu::weak]] void muster_libcxx_join(pthread_t* thread) asm("_ZNSt3__16thread4joinEv");
[[gnu::weak]] void muster_libcxx_detach(pthread_t* thread) asm("_ZNSt3__16thread6detachEv");
void muster_libcxx_join(pthread_t* thread) {
  if (*thread == 0 || pthread_join(*thread, nullptr) != 0) return original_join(thread);
  *thread = 0;
}
void muster_libcxx_detach(pthread_t* thread) {
  if (*thread == 0 || pthread_detach(*thread) != 0) return original_detach(thread);
  *thread = 0;
}
}
