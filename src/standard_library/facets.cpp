// Members of facets that call their virtual functions: what those do in the library is told in
// src/instrument/facets.cpp, to callers that are watched.

#include <locale>

namespace std {

#define MUSTER_GET(Char, Facet, Value)                                                                                 \
  template istreambuf_iterator<Char> Facet<Char>::get(istreambuf_iterator<Char>, istreambuf_iterator<Char>, ios_base&, \
                                                      ios_base::iostate&, Value) const;
#define MUSTER_GET_TIME(Char, name)                                                                             \
  template istreambuf_iterator<Char> time_get<Char>::name(istreambuf_iterator<Char>, istreambuf_iterator<Char>, \
                                                          ios_base&, ios_base::iostate&, tm*) const;
#define MUSTER_GET_MONEY(Char, Value)                                                                                 \
  template istreambuf_iterator<Char> money_get<Char>::get(istreambuf_iterator<Char>, istreambuf_iterator<Char>, bool, \
                                                          ios_base&, ios_base::iostate&, Value) const;
#define MUSTER_PUT(Char, Value) \
  template ostreambuf_iterator<Char> num_put<Char>::put(ostreambuf_iterator<Char>, ios_base&, Char, Value) const;
#define MUSTER_PUT_MONEY(Char, Value)                                                                              \
  template ostreambuf_iterator<Char> money_put<Char>::put(ostreambuf_iterator<Char>, bool, ios_base&, Char, Value) \
      const;

#define MUSTER_FACETS(Char)                                                                                            \
  MUSTER_GET(Char, num_get, bool&)                                                                                     \
  MUSTER_GET(Char, num_get, long&)                                                                                     \
  MUSTER_GET(Char, num_get, unsigned short&)                                                                           \
  MUSTER_GET(Char, num_get, unsigned&)                                                                                 \
  MUSTER_GET(Char, num_get, unsigned long&)                                                                            \
  MUSTER_GET(Char, num_get, long long&)                                                                                \
  MUSTER_GET(Char, num_get, unsigned long long&)                                                                       \
  MUSTER_GET(Char, num_get, float&)                                                                                    \
  MUSTER_GET(Char, num_get, double&)                                                                                   \
  MUSTER_GET(Char, num_get, long double&)                                                                              \
  MUSTER_GET(Char, num_get, void*&)                                                                                    \
  MUSTER_GET_TIME(Char, get_time)                                                                                      \
  MUSTER_GET_TIME(Char, get_date)                                                                                      \
  MUSTER_GET_TIME(Char, get_weekday)                                                                                   \
  MUSTER_GET_TIME(Char, get_monthname)                                                                                 \
  MUSTER_GET_TIME(Char, get_year)                                                                                      \
  template istreambuf_iterator<Char> time_get<Char>::get(istreambuf_iterator<Char>, istreambuf_iterator<Char>,         \
                                                         ios_base&, ios_base::iostate&, tm*, char, char) const;        \
  template istreambuf_iterator<Char> time_get<Char>::get(istreambuf_iterator<Char>, istreambuf_iterator<Char>,         \
                                                         ios_base&, ios_base::iostate&, tm*, const Char*, const Char*) \
      const;                                                                                                           \
  template istreambuf_iterator<Char> time_get<Char>::_M_extract_via_format(                                            \
      istreambuf_iterator<Char>, istreambuf_iterator<Char>, ios_base&, ios_base::iostate&, tm*, const Char*,           \
      __time_get_state&) const;                                                                                        \
  template istreambuf_iterator<Char> time_get<Char>::_M_extract_num(                                                   \
      istreambuf_iterator<Char>, istreambuf_iterator<Char>, int&, int, int, size_t, ios_base&, ios_base::iostate&)     \
      const;                                                                                                           \
  template istreambuf_iterator<Char> time_get<Char>::_M_extract_name(                                                  \
      istreambuf_iterator<Char>, istreambuf_iterator<Char>, int&, const Char**, size_t, ios_base&, ios_base::iostate&) \
      const;                                                                                                           \
  MUSTER_GET_MONEY(Char, long double&)                                                                                 \
  MUSTER_GET_MONEY(Char, basic_string<Char>&)                                                                          \
  MUSTER_PUT(Char, bool)                                                                                               \
  MUSTER_PUT(Char, long)                                                                                               \
  MUSTER_PUT(Char, unsigned long)                                                                                      \
  MUSTER_PUT(Char, long long)                                                                                          \
  MUSTER_PUT(Char, unsigned long long)                                                                                 \
  MUSTER_PUT(Char, double)                                                                                             \
  MUSTER_PUT(Char, long double)                                                                                        \
  MUSTER_PUT(Char, const void*)                                                                                        \
  template ostreambuf_iterator<Char> time_put<Char>::put(ostreambuf_iterator<Char>, ios_base&, Char, const tm*,        \
                                                         const Char*, const Char*) const;                              \
  template ostreambuf_iterator<Char> time_put<Char>::put(ostreambuf_iterator<Char>, ios_base&, Char, const tm*, char,  \
                                                         char) const;                                                  \
  MUSTER_PUT_MONEY(Char, long double)                                                                                  \
  MUSTER_PUT_MONEY(Char, const basic_string<Char>&)                                                                    \
  template int collate<Char>::compare(const Char*, const Char*, const Char*, const Char*) const;                       \
  template long collate<Char>::hash(const Char*, const Char*) const;                                                   \
  template basic_string<Char> collate<Char>::transform(const Char*, const Char*) const;                                \
  template int messages<Char>::open(const string&, const locale&) const;                                               \
  template basic_string<Char> messages<Char>::get(int, int, int, const basic_string<Char>&) const;

MUSTER_FACETS(char)
MUSTER_FACETS(wchar_t)

}  // namespace std
