// Streams of files, and what they ask of the C library's.

#include <fstream>

#include "standard_library/accesses.hpp"

using namespace muster::describe;

namespace {

using File = std::__basic_file<char>;
using Read = std::streamsize(File*, char*, std::streamsize);

constexpr unsigned size = sizeof(File);
const auto original_read = reinterpret_cast<Read*>(muster_original("_ZNSt12__basic_fileIcE6xsgetnEPcl"));

}  // namespace

MUSTER_DESCRIBED(_ZNSt12__basic_fileIcEC1EP15pthread_mutex_t, writes(0, size))
MUSTER_DESCRIBED(_ZNSt12__basic_fileIcEC2EP15pthread_mutex_t, writes(0, size))
MUSTER_DESCRIBED(_ZNSt12__basic_fileIcED1Ev, writes(0, size))
MUSTER_DESCRIBED(_ZNSt12__basic_fileIcED2Ev, writes(0, size))
MUSTER_DESCRIBED(_ZNSt12__basic_fileIcE4openEPKcSt13_Ios_Openmodei, writes(0, size), reads_text(1))
MUSTER_DESCRIBED(_ZNSt12__basic_fileIcE5closeEv, writes(0, size))
MUSTER_DESCRIBED(_ZNKSt12__basic_fileIcE7is_openEv, reads(0, size))
MUSTER_DESCRIBED(_ZNSt12__basic_fileIcE6xsputnEPKcl, reads(0, size), reads_counted(1, 2))
MUSTER_DESCRIBED(_ZNSt12__basic_fileIcE8xsputn_2EPKclS2_l, reads(0, size), reads_counted(1, 2), reads_counted(3, 4))
MUSTER_DESCRIBED(_ZNSt12__basic_fileIcE7seekoffElSt12_Ios_Seekdir, reads(0, size))
MUSTER_DESCRIBED(_ZNSt12__basic_fileIcE9showmanycEv, reads(0, size))

/// How much is read, only the file knows.
[[gnu::weak]] std::streamsize std::__basic_file<char>::xsgetn(char* into, streamsize most) {
  const streamsize count = original_read(this, into, most);
  if (count > 0) muster::tell_write(into, static_cast<size_t>(count));
  return count;
}

#define MUSTER_INSTANTIATE(Char)            \
  template class std::basic_filebuf<Char>;  \
  template class std::basic_ifstream<Char>; \
  template class std::basic_ofstream<Char>; \
  template class std::basic_fstream<Char>;

MUSTER_INSTANTIATE(char)
MUSTER_INSTANTIATE(wchar_t)
