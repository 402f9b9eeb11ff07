// What functions of LLVM's libc++ read and write of the program's objects, by its layouts. Strings are three words, in
// which short ones lie; a path is a string, a locale a pointer. What of a stream all streams have is written as a
// whole: whoever uses a stream beside that has to be ordered.

#include "instrument/described_calls.hpp"

namespace muster {
namespace {

constexpr const char* libcxx = R"(library libc++
std::__1::ios_base::init: writes 136 bytes of argument 1
std::__1::ios_base::clear: writes 136 bytes of argument 1
std::__1::ios_base::__set_badbit_and_consider_rethrow: writes 136 bytes of argument 1
std::__1::ios_base::__set_failbit_and_consider_rethrow: writes 136 bytes of argument 1
std::__1::ios_base::getloc: reads 136 bytes of argument 2
std::__1::ios_base::imbue: writes 136 bytes of argument 2
std::__1::ios_base::copyfmt: writes 136 bytes of argument 1, reads 136 bytes of argument 2
std::__1::ios_base::move: writes 136 bytes of argument 1, writes 136 bytes of argument 2
std::__1::ios_base::swap: writes 136 bytes of argument 1, writes 136 bytes of argument 2
std::__1::ios_base::iword: writes 136 bytes of argument 1
std::__1::ios_base::pword: writes 136 bytes of argument 1
std::__1::ios_base::register_callback: writes 136 bytes of argument 1
std::__1::ios_base::__call_callbacks: reads 136 bytes of argument 1
std::__1::ios_base::~ios_base: writes 136 bytes of argument 1
_ZNSt3__16localeC1ERKS0_: reads 8 bytes of argument 2
_ZNSt3__16localeC2ERKS0_: reads 8 bytes of argument 2
std::__1::locale::use_facet: reads 8 bytes of argument 1
std::__1::locale::has_facet: reads 8 bytes of argument 1
std::__1::locale::name: reads 8 bytes of argument 2
std::__1::locale::operator==: reads 8 bytes of argument 1, reads 8 bytes of argument 2
std::__1::locale::__install_ctor: writes 8 bytes of argument 1, reads 8 bytes of argument 2
_ZNSt13runtime_errorC1ERKNSt3__112basic_stringIcNS0_11char_traitsIcEENS0_9allocatorIcEEEE: reads 24 bytes of argument 2
_ZNSt13runtime_errorC2ERKNSt3__112basic_stringIcNS0_11char_traitsIcEENS0_9allocatorIcEEEE: reads 24 bytes of argument 2
_ZNSt11logic_errorC1ERKNSt3__112basic_stringIcNS0_11char_traitsIcEENS0_9allocatorIcEEEE: reads 24 bytes of argument 2
_ZNSt11logic_errorC2ERKNSt3__112basic_stringIcNS0_11char_traitsIcEENS0_9allocatorIcEEEE: reads 24 bytes of argument 2
std::__1::__fs::filesystem::path::__compare: reads 24 bytes of argument 1
std::__1::__fs::filesystem::path::__extension: reads 24 bytes of argument 1
std::__1::__fs::filesystem::path::__filename: reads 24 bytes of argument 1
std::__1::__fs::filesystem::path::__parent_path: reads 24 bytes of argument 1
std::__1::__fs::filesystem::path::__relative_path: reads 24 bytes of argument 1
std::__1::__fs::filesystem::path::__root_directory: reads 24 bytes of argument 1
std::__1::__fs::filesystem::path::__root_name: reads 24 bytes of argument 1
std::__1::__fs::filesystem::path::__root_path_raw: reads 24 bytes of argument 1
std::__1::__fs::filesystem::path::__stem: reads 24 bytes of argument 1
std::__1::__fs::filesystem::path::begin: reads 24 bytes of argument 2
std::__1::__fs::filesystem::path::end: reads 24 bytes of argument 2
std::__1::__fs::filesystem::path::lexically_normal: reads 24 bytes of argument 2
std::__1::__fs::filesystem::path::lexically_relative: reads 24 bytes of argument 2, reads 24 bytes of argument 3
std::__1::__fs::filesystem::path::replace_extension: writes 24 bytes of argument 1, reads 24 bytes of argument 2
std::__1::__fs::filesystem::path::iterator::__increment: writes 56 bytes of argument 1
std::__1::__fs::filesystem::path::iterator::__decrement: writes 56 bytes of argument 1
std::__1::__fs::filesystem::hash_value: reads 24 bytes of argument 1
std::__1::__fs::filesystem::__copy: reads 24 bytes of argument 1, may order threads
std::__1::__fs::filesystem::__copy_file: reads 24 bytes of argument 1, may order threads
std::__1::__fs::filesystem::__copy_symlink: reads 24 bytes of argument 1, may order threads
std::__1::__fs::filesystem::__create_directories: reads 24 bytes of argument 1, may order threads
std::__1::__fs::filesystem::__create_directory: reads 24 bytes of argument 1, may order threads
std::__1::__fs::filesystem::__create_directory_symlink: reads 24 bytes of argument 1, may order threads
std::__1::__fs::filesystem::__create_hard_link: reads 24 bytes of argument 1, may order threads
std::__1::__fs::filesystem::__create_symlink: reads 24 bytes of argument 1, may order threads
std::__1::__fs::filesystem::__equivalent: reads 24 bytes of argument 1, may order threads
std::__1::__fs::filesystem::__file_size: reads 24 bytes of argument 1, may order threads
std::__1::__fs::filesystem::__fs_is_empty: reads 24 bytes of argument 1, may order threads
std::__1::__fs::filesystem::__hard_link_count: reads 24 bytes of argument 1, may order threads
std::__1::__fs::filesystem::__permissions: reads 24 bytes of argument 1, may order threads
std::__1::__fs::filesystem::__remove: reads 24 bytes of argument 1, may order threads
std::__1::__fs::filesystem::__remove_all: reads 24 bytes of argument 1, may order threads
std::__1::__fs::filesystem::__rename: reads 24 bytes of argument 1, may order threads
std::__1::__fs::filesystem::__resize_file: reads 24 bytes of argument 1, may order threads
std::__1::num_put<char, std::__1::ostreambuf_iterator<char, std::__1::char_traits<char> > >::do_put: writes 136 bytes of argument 3
std::__1::num_put<wchar_t, std::__1::ostreambuf_iterator<wchar_t, std::__1::char_traits<wchar_t> > >::do_put: writes 136 bytes of argument 3
)";

}  // namespace

void add_descriptions_of_libcxx() { add_descriptions(libcxx, "libcxx_descriptions.cpp"); }

}  // namespace muster
