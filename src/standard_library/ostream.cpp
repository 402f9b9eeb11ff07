// Streams that are written to. What their facets write goes through the buffer's virtual functions.

#include <ostream>
#include <string>

namespace std {

#define MUSTER_INSTANTIATE(Char)                                                                 \
  template class basic_ostream<Char>;                                                            \
  template basic_ostream<Char>& endl(basic_ostream<Char>&);                                      \
  template basic_ostream<Char>& ends(basic_ostream<Char>&);                                      \
  template basic_ostream<Char>& flush(basic_ostream<Char>&);                                     \
  template basic_ostream<Char>& operator<<(basic_ostream<Char>&, char);                          \
  template basic_ostream<Char>& operator<<(basic_ostream<Char>&, const char*);                   \
  template basic_ostream<Char>& operator<<(basic_ostream<Char>&, const basic_string<Char>&);     \
  template basic_ostream<Char>& __ostream_insert(basic_ostream<Char>&, const Char*, streamsize); \
  template basic_ostream<Char>& basic_ostream<Char>::_M_insert(long);                            \
  template basic_ostream<Char>& basic_ostream<Char>::_M_insert(unsigned long);                   \
  template basic_ostream<Char>& basic_ostream<Char>::_M_insert(bool);                            \
  template basic_ostream<Char>& basic_ostream<Char>::_M_insert(long long);                       \
  template basic_ostream<Char>& basic_ostream<Char>::_M_insert(unsigned long long);              \
  template basic_ostream<Char>& basic_ostream<Char>::_M_insert(double);                          \
  template basic_ostream<Char>& basic_ostream<Char>::_M_insert(long double);                     \
  template basic_ostream<Char>& basic_ostream<Char>::_M_insert(const void*);

MUSTER_INSTANTIATE(char)
MUSTER_INSTANTIATE(wchar_t)

template ostream& operator<<(ostream&, unsigned char);
template ostream& operator<<(ostream&, signed char);
template ostream& operator<<(ostream&, const unsigned char*);
template ostream& operator<<(ostream&, const signed char*);
template wostream& operator<<(wostream&, wchar_t);
template wostream& operator<<(wostream&, const wchar_t*);

}  // namespace std
