// Streams of files.

#include <fstream>

#define MUSTER_INSTANTIATE(Char)            \
  template class std::basic_filebuf<Char>;  \
  template class std::basic_ifstream<Char>; \
  template class std::basic_ofstream<Char>; \
  template class std::basic_fstream<Char>;

MUSTER_INSTANTIATE(char)
MUSTER_INSTANTIATE(wchar_t)
