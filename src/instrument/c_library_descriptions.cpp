// What functions of the C library do to memory that they are given. Those that wait for something, or that go on where
// another thread left something, as files are, may order threads besides. Texts and formats are in
// src/standard_library.

#include "instrument/described_calls.hpp"

namespace muster {
namespace {

constexpr const char* c_library = R"(library libc.so
bzero: writes argument 2 bytes of argument 1
explicit_bzero: writes argument 2 bytes of argument 1
bcopy: reads argument 3 bytes of argument 1, writes argument 3 bytes of argument 2
swab: reads argument 3 bytes of argument 1, writes argument 3 bytes of argument 2
mempcpy: reads argument 3 bytes of argument 2, writes argument 3 bytes of argument 1
__mempcpy_chk: reads argument 3 bytes of argument 2, writes argument 3 bytes of argument 1
wmempcpy: reads argument 3 times 4 bytes of argument 2, writes argument 3 times 4 bytes of argument 1
qsort: writes argument 2 times argument 3 bytes of argument 1
qsort_r: writes argument 2 times argument 3 bytes of argument 1
gmtime_r: reads 8 bytes of argument 1, writes 56 bytes of argument 2
localtime_r: reads 8 bytes of argument 1, writes 56 bytes of argument 2
gmtime: reads 8 bytes of argument 1
localtime: reads 8 bytes of argument 1
mktime: writes 56 bytes of argument 1
timegm: writes 56 bytes of argument 1
asctime_r: reads 28 bytes of argument 1, writes the text of argument 2 if it returns non-zero
ctime_r: reads 8 bytes of argument 1, writes the text of argument 2 if it returns non-zero
strftime: reads the text of argument 3, writes the result bytes of argument 1
rand_r: writes 4 bytes of argument 1
erand48: writes 6 bytes of argument 1
nrand48: writes 6 bytes of argument 1
jrand48: writes 6 bytes of argument 1
getenv: reads the text of argument 1
inet_ntop: writes the text of argument 3 if it returns non-zero
read: writes the result bytes of argument 2, may order threads
pread: writes the result bytes of argument 2, may order threads
pread64: writes the result bytes of argument 2, may order threads
recv: writes the result bytes of argument 2, may order threads
write: reads argument 3 bytes of argument 2, may order threads
pwrite: reads argument 3 bytes of argument 2, may order threads
pwrite64: reads argument 3 bytes of argument 2, may order threads
send: reads argument 3 bytes of argument 2, may order threads
fread: writes the result times argument 2 bytes of argument 1, may order threads
fwrite: reads argument 2 times argument 3 bytes of argument 1, may order threads
__fread_chk: writes the result times argument 3 bytes of argument 1, may order threads
__read_chk: writes the result bytes of argument 2, may order threads
__fgets_chk: writes the text of argument 1 if it returns non-zero, may order threads
fgets: writes the text of argument 1 if it returns non-zero, may order threads
fputs: reads the text of argument 1, may order threads
puts: reads the text of argument 1, may order threads
getline: writes 8 bytes of argument 1, writes 8 bytes of argument 2, may order threads
getdelim: writes 8 bytes of argument 1, writes 8 bytes of argument 2, may order threads
)";

}  // namespace

void add_descriptions_of_c_library() { add_descriptions(c_library, "c_library_descriptions.cpp"); }

}  // namespace muster
