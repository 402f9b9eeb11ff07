// Buffers of streams, and what streams of both directions share.

#include <ios>
#include <streambuf>

namespace {

/// `all` becomes false where the other buffer takes no more.
template <class Char>
std::streamsize pour(std::basic_streambuf<Char>* from, std::basic_streambuf<Char>* to, bool& all) {
  using Traits = std::char_traits<Char>;
  std::streamsize count = 0;
  auto c = from->sgetc();
  for (; !Traits::eq_int_type(c, Traits::eof()); c = from->snextc(), ++count) {
    all = !Traits::eq_int_type(to->sputc(Traits::to_char_type(c)), Traits::eof());
    if (!all) return count;
  }
  all = true;
  return count;
}

}  // namespace

namespace std {

template <>
[[gnu::weak]] streamsize __copy_streambufs_eof(streambuf* from, streambuf* to, bool& all) {
  return pour(from, to, all);
}
template <>
[[gnu::weak]] streamsize __copy_streambufs_eof(wstreambuf* from, wstreambuf* to, bool& all) {
  return pour(from, to, all);
}

template class basic_streambuf<char>;
template class basic_streambuf<wchar_t>;
template streamsize __copy_streambufs(streambuf*, streambuf*);
template streamsize __copy_streambufs(wstreambuf*, wstreambuf*);

template class basic_ios<char>;
template class basic_ios<wchar_t>;

}  // namespace std
