// Strings: explicitly instantiated in the library, except for what C++20 programs instantiate themselves.

#include <string>

template class std::basic_string<char>;
template class std::basic_string<wchar_t>;
