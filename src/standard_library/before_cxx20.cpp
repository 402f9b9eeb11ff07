// Members of strings and streams that only earlier standards have; compiled as C++11.

#include <sstream>

namespace std {

#define MUSTER_INSTANTIATE(Char)                                                      \
  template basic_string<Char>::basic_string(const Char*, const allocator<Char>&);     \
  template basic_string<Char>::basic_string(size_type, Char, const allocator<Char>&); \
  template void basic_streambuf<Char>::stossc();                                      \
  template basic_string<Char> basic_stringbuf<Char>::str() const;                     \
  template basic_string<Char> basic_istringstream<Char>::str() const;                 \
  template basic_string<Char> basic_ostringstream<Char>::str() const;                 \
  template basic_string<Char> basic_stringstream<Char>::str() const;

MUSTER_INSTANTIATE(char)
MUSTER_INSTANTIATE(wchar_t)

}  // namespace std
