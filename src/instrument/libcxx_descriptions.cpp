// What functions of LLVM's libc++ read and write of the program's objects, by its layouts. Strings are three words, in
// which short ones lie; a path is a string, a locale a pointer. What of a stream all streams have is written as a
// whole: whoever uses a stream beside that has to be ordered. Iterators over directories share where they are; the
// library counts that itself, so calls of them are told besides.

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
std::__1::num_put<char, std::__1::ostreambuf_iterator<char, std::__1::char_traits<char> > >::do_put: writes 136 bytes of argument 3
std::__1::num_put<wchar_t, std::__1::ostreambuf_iterator<wchar_t, std::__1::char_traits<wchar_t> > >::do_put: writes 136 bytes of argument 3
_ZNSt3__14__fs10filesystem10__absoluteERKNS1_4pathEPNS_10error_codeE: reads 24 bytes of argument 2, writes 16 bytes of argument 3
_ZNSt3__14__fs10filesystem11__canonicalERKNS1_4pathEPNS_10error_codeE: reads 24 bytes of argument 2, writes 16 bytes of argument 3
_ZNSt3__14__fs10filesystem18__weakly_canonicalERKNS1_4pathEPNS_10error_codeE: reads 24 bytes of argument 2, writes 16 bytes of argument 3
_ZNSt3__14__fs10filesystem14__read_symlinkERKNS1_4pathEPNS_10error_codeE: reads 24 bytes of argument 2, writes 16 bytes of argument 3
_ZNSt3__14__fs10filesystem7__spaceERKNS1_4pathEPNS_10error_codeE: reads 24 bytes of argument 2, writes 16 bytes of argument 3
_ZNSt3__14__fs10filesystem14__current_pathEPNS_10error_codeE: writes 16 bytes of argument 2
_ZNSt3__14__fs10filesystem21__temp_directory_pathEPNS_10error_codeE: writes 16 bytes of argument 2
_ZNSt3__14__fs10filesystem14__current_pathERKNS1_4pathEPNS_10error_codeE: reads 24 bytes of argument 1, writes 16 bytes of argument 2
_ZNSt3__14__fs10filesystem11__copy_fileERKNS1_4pathES4_NS1_12copy_optionsEPNS_10error_codeE: reads 24 bytes of argument 1, reads 24 bytes of argument 2, writes 16 bytes of argument 4
_ZNSt3__14__fs10filesystem6__copyERKNS1_4pathES4_NS1_12copy_optionsEPNS_10error_codeE: reads 24 bytes of argument 1, reads 24 bytes of argument 2, writes 16 bytes of argument 4
_ZNSt3__14__fs10filesystem11__file_sizeERKNS1_4pathEPNS_10error_codeE: reads 24 bytes of argument 1, writes 16 bytes of argument 2
_ZNSt3__14__fs10filesystem12__equivalentERKNS1_4pathES4_PNS_10error_codeE: reads 24 bytes of argument 1, reads 24 bytes of argument 2, writes 16 bytes of argument 3
_ZNSt3__14__fs10filesystem12__remove_allERKNS1_4pathEPNS_10error_codeE: reads 24 bytes of argument 1, writes 16 bytes of argument 2
_ZNSt3__14__fs10filesystem13__fs_is_emptyERKNS1_4pathEPNS_10error_codeE: reads 24 bytes of argument 1, writes 16 bytes of argument 2
_ZNSt3__14__fs10filesystem13__permissionsERKNS1_4pathENS1_5permsENS1_12perm_optionsEPNS_10error_codeE: reads 24 bytes of argument 1, writes 16 bytes of argument 4
_ZNSt3__14__fs10filesystem13__resize_fileERKNS1_4pathEmPNS_10error_codeE: reads 24 bytes of argument 1, writes 16 bytes of argument 3
_ZNSt3__14__fs10filesystem14__copy_symlinkERKNS1_4pathES4_PNS_10error_codeE: reads 24 bytes of argument 1, reads 24 bytes of argument 2, writes 16 bytes of argument 3
_ZNSt3__14__fs10filesystem16__create_symlinkERKNS1_4pathES4_PNS_10error_codeE: reads 24 bytes of argument 1, reads 24 bytes of argument 2, writes 16 bytes of argument 3
_ZNSt3__14__fs10filesystem18__create_hard_linkERKNS1_4pathES4_PNS_10error_codeE: reads 24 bytes of argument 1, reads 24 bytes of argument 2, writes 16 bytes of argument 3
_ZNSt3__14__fs10filesystem26__create_directory_symlinkERKNS1_4pathES4_PNS_10error_codeE: reads 24 bytes of argument 1, reads 24 bytes of argument 2, writes 16 bytes of argument 3
_ZNSt3__14__fs10filesystem18__create_directoryERKNS1_4pathEPNS_10error_codeE: reads 24 bytes of argument 1, writes 16 bytes of argument 2
_ZNSt3__14__fs10filesystem18__create_directoryERKNS1_4pathES4_PNS_10error_codeE: reads 24 bytes of argument 1, reads 24 bytes of argument 2, writes 16 bytes of argument 3
_ZNSt3__14__fs10filesystem20__create_directoriesERKNS1_4pathEPNS_10error_codeE: reads 24 bytes of argument 1, writes 16 bytes of argument 2
_ZNSt3__14__fs10filesystem8__statusERKNS1_4pathEPNS_10error_codeE: reads 24 bytes of argument 2, writes 16 bytes of argument 3
_ZNSt3__14__fs10filesystem16__symlink_statusERKNS1_4pathEPNS_10error_codeE: reads 24 bytes of argument 2, writes 16 bytes of argument 3
_ZNSt3__14__fs10filesystem17__hard_link_countERKNS1_4pathEPNS_10error_codeE: reads 24 bytes of argument 1, writes 16 bytes of argument 2
_ZNSt3__14__fs10filesystem17__last_write_timeERKNS1_4pathEPNS_10error_codeE: reads 24 bytes of argument 1, writes 16 bytes of argument 2
_ZNSt3__14__fs10filesystem17__last_write_timeERKNS1_4pathENS_6chrono10time_pointINS1_16_FilesystemClockENS5_8durationInNS_5ratioILl1ELl1000000000EEEEEEEPNS_10error_codeE: reads 24 bytes of argument 1, writes 16 bytes of argument 4
_ZNSt3__14__fs10filesystem8__removeERKNS1_4pathEPNS_10error_codeE: reads 24 bytes of argument 1, writes 16 bytes of argument 2
_ZNSt3__14__fs10filesystem8__renameERKNS1_4pathES4_PNS_10error_codeE: reads 24 bytes of argument 1, reads 24 bytes of argument 2, writes 16 bytes of argument 3
_ZNSt3__14__fs10filesystem18directory_iteratorC1ERKNS1_4pathEPNS_10error_codeENS1_17directory_optionsE: reads 24 bytes of argument 2, writes 16 bytes of argument 3, may order threads
_ZNSt3__14__fs10filesystem18directory_iteratorC2ERKNS1_4pathEPNS_10error_codeENS1_17directory_optionsE: reads 24 bytes of argument 2, writes 16 bytes of argument 3, may order threads
std::__1::__fs::filesystem::directory_iterator::__increment: writes 16 bytes of argument 1, writes 16 bytes of argument 2, may order threads
std::__1::__fs::filesystem::directory_iterator::__dereference: reads 16 bytes of argument 1, may order threads
_ZNSt3__14__fs10filesystem28recursive_directory_iteratorC1ERKNS1_4pathENS1_17directory_optionsEPNS_10error_codeE: reads 24 bytes of argument 2, writes 16 bytes of argument 4, may order threads
_ZNSt3__14__fs10filesystem28recursive_directory_iteratorC2ERKNS1_4pathENS1_17directory_optionsEPNS_10error_codeE: reads 24 bytes of argument 2, writes 16 bytes of argument 4, may order threads
std::__1::__fs::filesystem::recursive_directory_iterator::__increment: writes 16 bytes of argument 1, writes 16 bytes of argument 2, may order threads
std::__1::__fs::filesystem::recursive_directory_iterator::__pop: writes 16 bytes of argument 1, writes 16 bytes of argument 2, may order threads
std::__1::__fs::filesystem::recursive_directory_iterator::__dereference: reads 16 bytes of argument 1, may order threads
std::__1::__fs::filesystem::recursive_directory_iterator::depth: reads 16 bytes of argument 1, may order threads
std::__1::__fs::filesystem::recursive_directory_iterator::options: reads 16 bytes of argument 1, may order threads
std::__1::__fs::filesystem::directory_entry::__do_refresh: reads 24 bytes of argument 1, may order threads
_ZNSt3__112system_errorC1ENS_10error_codeERKNS_12basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEEE: reads 24 bytes of argument 4
_ZNSt3__112system_errorC2ENS_10error_codeERKNS_12basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEEE: reads 24 bytes of argument 4
_ZNSt3__112system_errorC1EiRKNS_14error_categoryERKNS_12basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEEE: reads 24 bytes of argument 4
_ZNSt3__112system_errorC2EiRKNS_14error_categoryERKNS_12basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEEE: reads 24 bytes of argument 4
_ZNSt3__18ios_base7failureC1ERKNS_12basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEEERKNS_10error_codeE: reads 24 bytes of argument 2, reads 16 bytes of argument 3
_ZNSt3__18ios_base7failureC2ERKNS_12basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEEERKNS_10error_codeE: reads 24 bytes of argument 2, reads 16 bytes of argument 3
_ZNSt3__16localeC1EPKc: reads the text of argument 2
_ZNSt3__16localeC1ERKNS_12basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEEE: reads 24 bytes of argument 2
_ZNSt3__16localeC1ERKS0_PKci: reads 8 bytes of argument 2, reads the text of argument 3
_ZNSt3__16localeC1ERKS0_RKNS_12basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEEEi: reads 8 bytes of argument 2, reads 24 bytes of argument 3
_ZNSt3__16localeC1ERKS0_S2_i: reads 8 bytes of argument 2, reads 8 bytes of argument 3
std::__1::locale::global: reads 8 bytes of argument 2, may order threads
_ZNSt3__113random_deviceC1ERKNS_12basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEEE: writes 4 bytes of argument 1, reads 24 bytes of argument 2
_ZNSt3__113random_deviceC2ERKNS_12basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEEE: writes 4 bytes of argument 1, reads 24 bytes of argument 2
std::__1::random_device::~random_device: writes 4 bytes of argument 1
std::__1::strstreambuf::strstreambuf: writes 96 bytes of argument 1
std::__1::strstreambuf::~strstreambuf: writes 96 bytes of argument 1
std::__1::strstreambuf::str: writes 96 bytes of argument 1
std::__1::strstreambuf::freeze: writes 96 bytes of argument 1
std::__1::strstreambuf::pcount: reads 96 bytes of argument 1
std::__1::strstreambuf::overflow: writes 96 bytes of argument 1
std::__1::strstreambuf::underflow: writes 96 bytes of argument 1
std::__1::strstreambuf::pbackfail: writes 96 bytes of argument 1
std::__1::strstreambuf::seekoff: writes 96 bytes of argument 1
std::__1::strstreambuf::seekpos: writes 96 bytes of argument 1
std::__1::istrstream::~istrstream: writes 112 bytes of argument 1
std::__1::ostrstream::~ostrstream: writes 104 bytes of argument 1
std::__1::strstream::~strstream: writes 120 bytes of argument 1
std::__1::__assoc_sub_state::set_exception: reads 8 bytes of argument 2
std::__1::__assoc_sub_state::set_exception_at_thread_exit: reads 8 bytes of argument 2
_ZNSt3__17promiseIvE9set_valueEv: reads 8 bytes of argument 1
_ZNSt3__17promiseIvE13set_exceptionESt13exception_ptr: reads 8 bytes of argument 1, reads 8 bytes of argument 2
_ZNSt3__17promiseIvE24set_value_at_thread_exitEv: reads 8 bytes of argument 1
_ZNSt3__17promiseIvE28set_exception_at_thread_exitESt13exception_ptr: reads 8 bytes of argument 1, reads 8 bytes of argument 2
_ZNSt3__17promiseIvE10get_futureEv: reads 8 bytes of argument 2
std::__1::__construct_barrier_algorithm_base: reads 8 bytes of argument 1
)";

}  // namespace

void add_descriptions_of_libcxx() { add_descriptions(libcxx, "libcxx_descriptions.cpp"); }

}  // namespace muster
