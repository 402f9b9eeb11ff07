// Iterators over directories. Copies share where they are, which the library keeps behind a pointer.

#include <filesystem>

#include "instrument/described.hpp"

using namespace muster::describe;

namespace {

using std::filesystem::directory_iterator, std::filesystem::recursive_directory_iterator;

constexpr unsigned size = sizeof(directory_iterator), deep_size = sizeof(recursive_directory_iterator),
                   path_size = sizeof(std::filesystem::path), error_size = sizeof(std::error_code);
/// What is shared begins with a pointer to the open directory, its path and the entry that is read now.
constexpr unsigned shared_size = sizeof(void*) + path_size + sizeof(std::filesystem::directory_entry);
/// The same of a directory with all below it: a queue.
constexpr unsigned deep_shared_size = 10 * sizeof(void*);

}  // namespace

MUSTER_DESCRIBED(_ZNSt10filesystem7__cxx1118directory_iteratorC1ERKNS0_4pathENS_17directory_optionsEPSt10error_code,
                 writes(0, size), reads(1, path_size), writes(3, error_size))
MUSTER_DESCRIBED(_ZNSt10filesystem7__cxx1118directory_iteratorC2ERKNS0_4pathENS_17directory_optionsEPSt10error_code,
                 writes(0, size), reads(1, path_size), writes(3, error_size))
MUSTER_DESCRIBED(_ZNKSt10filesystem7__cxx1118directory_iteratordeEv, reads(0, size))
MUSTER_DESCRIBED(_ZNSt10filesystem7__cxx1118directory_iteratorppEv, reads(0, size), writes_behind(0, shared_size))
MUSTER_DESCRIBED(_ZNSt10filesystem7__cxx1118directory_iterator9incrementERSt10error_code, reads(0, size),
                 writes_behind(0, shared_size), writes(1, error_size))

MUSTER_DESCRIBED(
    _ZNSt10filesystem7__cxx1128recursive_directory_iteratorC1ERKNS0_4pathENS_17directory_optionsEPSt10error_code,
    writes(0, deep_size), reads(1, path_size), writes(3, error_size))
MUSTER_DESCRIBED(
    _ZNSt10filesystem7__cxx1128recursive_directory_iteratorC2ERKNS0_4pathENS_17directory_optionsEPSt10error_code,
    writes(0, deep_size), reads(1, path_size), writes(3, error_size))
MUSTER_DESCRIBED(_ZNKSt10filesystem7__cxx1128recursive_directory_iteratordeEv, reads(0, deep_size),
                 reads_behind(0, deep_shared_size))
MUSTER_DESCRIBED(_ZNSt10filesystem7__cxx1128recursive_directory_iteratorppEv, reads(0, deep_size),
                 writes_behind(0, deep_shared_size))
MUSTER_DESCRIBED(_ZNSt10filesystem7__cxx1128recursive_directory_iterator9incrementERSt10error_code, reads(0, deep_size),
                 writes_behind(0, deep_shared_size), writes(1, error_size))
MUSTER_DESCRIBED(_ZNSt10filesystem7__cxx1128recursive_directory_iterator3popEv, reads(0, deep_size),
                 writes_behind(0, deep_shared_size))
MUSTER_DESCRIBED(_ZNSt10filesystem7__cxx1128recursive_directory_iterator3popERSt10error_code, reads(0, deep_size),
                 writes_behind(0, deep_shared_size), writes(1, error_size))
MUSTER_DESCRIBED(_ZNSt10filesystem7__cxx1128recursive_directory_iterator25disable_recursion_pendingEv,
                 reads(0, deep_size), writes_behind(0, deep_shared_size))
MUSTER_DESCRIBED(_ZNKSt10filesystem7__cxx1128recursive_directory_iterator17recursion_pendingEv, reads(0, deep_size),
                 reads_behind(0, deep_shared_size))
MUSTER_DESCRIBED(_ZNKSt10filesystem7__cxx1128recursive_directory_iterator5depthEv, reads(0, deep_size),
                 reads_behind(0, deep_shared_size))
MUSTER_DESCRIBED(_ZNKSt10filesystem7__cxx1128recursive_directory_iterator7optionsEv, reads(0, deep_size),
                 reads_behind(0, deep_shared_size))

// Whoever gives up the last share closes the directory: these counts are atomics of the headers.
namespace std {

template class __shared_ptr<filesystem::_Dir>;
template class __shared_ptr<filesystem::recursive_directory_iterator::_Dir_stack>;

namespace filesystem {

[[gnu::weak]] recursive_directory_iterator::~recursive_directory_iterator() = default;
[[gnu::weak]] recursive_directory_iterator& recursive_directory_iterator::operator=(
    const recursive_directory_iterator&) noexcept = default;
[[gnu::weak]] recursive_directory_iterator& recursive_directory_iterator::operator=(
    recursive_directory_iterator&&) noexcept = default;

}  // namespace filesystem
}  // namespace std
