// What streams are told how to write, and complex numbers.

#include <complex>
#include <iomanip>
#include <istream>
#include <ostream>

namespace std {

#define MUSTER_BOTH_WAYS(Char, ...)                                            \
  template basic_ostream<Char>& operator<<(basic_ostream<Char>&, __VA_ARGS__); \
  template basic_istream<Char>& operator>>(basic_istream<Char>&, __VA_ARGS__);
#define MUSTER_COMPLEX(Char, Number)                                                      \
  template basic_ostream<Char>& operator<<(basic_ostream<Char>&, const complex<Number>&); \
  template basic_istream<Char>& operator>>(basic_istream<Char>&, complex<Number>&);
#define MUSTER_MANIPULATORS(Char)        \
  MUSTER_BOTH_WAYS(Char, _Setfill<Char>) \
  MUSTER_BOTH_WAYS(Char, _Setiosflags)   \
  MUSTER_BOTH_WAYS(Char, _Resetiosflags) \
  MUSTER_BOTH_WAYS(Char, _Setbase)       \
  MUSTER_BOTH_WAYS(Char, _Setprecision)  \
  MUSTER_BOTH_WAYS(Char, _Setw)          \
  MUSTER_COMPLEX(Char, float)            \
  MUSTER_COMPLEX(Char, double)           \
  MUSTER_COMPLEX(Char, long double)

MUSTER_MANIPULATORS(char)
MUSTER_MANIPULATORS(wchar_t)

}  // namespace std
