// Streams of strings.

#include <sstream>

#define MUSTER_INSTANTIATE(Char)                 \
  template class std::basic_stringbuf<Char>;     \
  template class std::basic_istringstream<Char>; \
  template class std::basic_ostringstream<Char>; \
  template class std::basic_stringstream<Char>;

MUSTER_INSTANTIATE(char)
MUSTER_INSTANTIATE(wchar_t)
