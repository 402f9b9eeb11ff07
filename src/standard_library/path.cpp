// Paths, and functions that take them. The library splits a path into parts and keeps them behind a pointer in the
// path.

#include <filesystem>

#include "instrument/described.hpp"

using namespace muster::describe;

namespace {

constexpr unsigned size = sizeof(std::filesystem::path), error_size = sizeof(std::error_code);

}  // namespace

// Members of std::filesystem::path. Where one makes a path, the first argument is where to.
MUSTER_DESCRIBED(_ZNKSt10filesystem7__cxx114path11parent_pathEv, reads(1, size))
MUSTER_DESCRIBED(_ZNKSt10filesystem7__cxx114path12has_filenameEv, reads(0, size))
MUSTER_DESCRIBED(_ZNKSt10filesystem7__cxx114path13has_root_nameEv, reads(0, size))
MUSTER_DESCRIBED(_ZNKSt10filesystem7__cxx114path13has_root_pathEv, reads(0, size))
MUSTER_DESCRIBED(_ZNKSt10filesystem7__cxx114path13relative_pathEv, reads(1, size))
MUSTER_DESCRIBED(_ZNKSt10filesystem7__cxx114path14root_directoryEv, reads(1, size))
MUSTER_DESCRIBED(_ZNKSt10filesystem7__cxx114path15has_parent_pathEv, reads(0, size))
MUSTER_DESCRIBED(_ZNKSt10filesystem7__cxx114path16lexically_normalEv, reads(1, size))
MUSTER_DESCRIBED(_ZNKSt10filesystem7__cxx114path17_M_find_extensionEv, reads(0, size))
MUSTER_DESCRIBED(_ZNKSt10filesystem7__cxx114path17has_relative_pathEv, reads(0, size))
MUSTER_DESCRIBED(_ZNKSt10filesystem7__cxx114path18has_root_directoryEv, reads(0, size))
MUSTER_DESCRIBED(_ZNKSt10filesystem7__cxx114path18lexically_relativeERKS1_, reads(1, size), reads(2, size))
MUSTER_DESCRIBED(_ZNKSt10filesystem7__cxx114path19lexically_proximateERKS1_, reads(1, size), reads(2, size))
MUSTER_DESCRIBED(_ZNKSt10filesystem7__cxx114path7compareERKS1_, reads(0, size), reads(1, size))
MUSTER_DESCRIBED(_ZNKSt10filesystem7__cxx114path7compareESt17basic_string_viewIcSt11char_traitsIcEE, reads(0, size),
                 reads_counted(2, 1))
MUSTER_DESCRIBED(_ZNKSt10filesystem7__cxx114path9root_nameEv, reads(1, size))
MUSTER_DESCRIBED(_ZNKSt10filesystem7__cxx114path9root_pathEv, reads(1, size))
MUSTER_DESCRIBED(_ZNSt10filesystem7__cxx114path14_M_split_cmptsEv, writes(0, size))
MUSTER_DESCRIBED(_ZNSt10filesystem7__cxx114path15remove_filenameEv, writes(0, size))
MUSTER_DESCRIBED(_ZNSt10filesystem7__cxx114path16replace_filenameERKS1_, writes(0, size), reads(1, size))
MUSTER_DESCRIBED(_ZNSt10filesystem7__cxx114path17replace_extensionERKS1_, writes(0, size), reads(1, size))
MUSTER_DESCRIBED(_ZNSt10filesystem7__cxx114path9_M_appendESt17basic_string_viewIcSt11char_traitsIcEE, writes(0, size),
                 reads_counted(2, 1))
MUSTER_DESCRIBED(_ZNSt10filesystem7__cxx114path9_M_concatESt17basic_string_viewIcSt11char_traitsIcEE, writes(0, size),
                 reads_counted(2, 1))
MUSTER_DESCRIBED(_ZNSt10filesystem7__cxx114pathaSERKS1_, writes(0, size), reads(1, size))
MUSTER_DESCRIBED(_ZNSt10filesystem7__cxx114pathdVERKS1_, writes(0, size), reads(1, size))
MUSTER_DESCRIBED(_ZNSt10filesystem7__cxx114pathpLERKS1_, writes(0, size), reads(1, size))

// The list of a path's parts.
MUSTER_DESCRIBED(_ZNKSt10filesystem7__cxx114path5_List5beginEv, reads(0, 8))
MUSTER_DESCRIBED(_ZNKSt10filesystem7__cxx114path5_List3endEv, reads(0, 8))
MUSTER_DESCRIBED(_ZNSt10filesystem7__cxx114path5_ListC1ERKS2_, reads(1, 8))

MUSTER_DESCRIBED(_ZNSt10filesystem7__cxx114path5_ListC1Ev, writes(0, 8))
MUSTER_DESCRIBED(_ZNSt10filesystem7__cxx114path14_S_convert_locEPKcS3_RKSt6locale, reads_until(1, 2), reads(3, 8))

// Functions.
MUSTER_DESCRIBED(_ZNSt10filesystem19temp_directory_pathB5cxx11ERSt10error_code, writes(1, error_size))
MUSTER_DESCRIBED(_ZNSt10filesystem10equivalentERKNS_7__cxx114pathES3_, reads(0, size), reads(1, size))
MUSTER_DESCRIBED(_ZNSt10filesystem10equivalentERKNS_7__cxx114pathES3_RSt10error_code, reads(0, size), reads(1, size),
                 writes(2, error_size))
MUSTER_DESCRIBED(_ZNSt10filesystem10remove_allERKNS_7__cxx114pathE, reads(0, size))
MUSTER_DESCRIBED(_ZNSt10filesystem10remove_allERKNS_7__cxx114pathERSt10error_code, reads(0, size),
                 writes(1, error_size))
MUSTER_DESCRIBED(_ZNSt10filesystem11permissionsERKNS_7__cxx114pathENS_5permsENS_12perm_optionsE, reads(0, size))
MUSTER_DESCRIBED(_ZNSt10filesystem11permissionsERKNS_7__cxx114pathENS_5permsENS_12perm_optionsERSt10error_code,
                 reads(0, size), writes(3, error_size))
MUSTER_DESCRIBED(_ZNSt10filesystem11resize_fileERKNS_7__cxx114pathEm, reads(0, size))
MUSTER_DESCRIBED(_ZNSt10filesystem11resize_fileERKNS_7__cxx114pathEmRSt10error_code, reads(0, size),
                 writes(2, error_size))
MUSTER_DESCRIBED(_ZNSt10filesystem12copy_symlinkERKNS_7__cxx114pathES3_, reads(0, size), reads(1, size))
MUSTER_DESCRIBED(_ZNSt10filesystem12copy_symlinkERKNS_7__cxx114pathES3_RSt10error_code, reads(0, size), reads(1, size),
                 writes(2, error_size))
MUSTER_DESCRIBED(_ZNSt10filesystem12current_pathB5cxx11ERSt10error_code, writes(1, error_size))
MUSTER_DESCRIBED(_ZNSt10filesystem12current_pathERKNS_7__cxx114pathE, reads(0, size))
MUSTER_DESCRIBED(_ZNSt10filesystem12current_pathERKNS_7__cxx114pathERSt10error_code, reads(0, size),
                 writes(1, error_size))
MUSTER_DESCRIBED(_ZNSt10filesystem12read_symlinkERKNS_7__cxx114pathE, reads(1, size))
MUSTER_DESCRIBED(_ZNSt10filesystem12read_symlinkERKNS_7__cxx114pathERSt10error_code, reads(1, size),
                 writes(2, error_size))
MUSTER_DESCRIBED(_ZNSt10filesystem14create_symlinkERKNS_7__cxx114pathES3_, reads(0, size), reads(1, size))
MUSTER_DESCRIBED(_ZNSt10filesystem14create_symlinkERKNS_7__cxx114pathES3_RSt10error_code, reads(0, size),
                 reads(1, size), writes(2, error_size))
MUSTER_DESCRIBED(_ZNSt10filesystem14symlink_statusERKNS_7__cxx114pathE, reads(0, size))
MUSTER_DESCRIBED(_ZNSt10filesystem14symlink_statusERKNS_7__cxx114pathERSt10error_code, reads(0, size),
                 writes(1, error_size))
MUSTER_DESCRIBED(_ZNSt10filesystem15hard_link_countERKNS_7__cxx114pathE, reads(0, size))
MUSTER_DESCRIBED(_ZNSt10filesystem15hard_link_countERKNS_7__cxx114pathERSt10error_code, reads(0, size),
                 writes(1, error_size))
MUSTER_DESCRIBED(_ZNSt10filesystem15last_write_timeERKNS_7__cxx114pathE, reads(0, size))
MUSTER_DESCRIBED(
    _ZNSt10filesystem15last_write_timeERKNS_7__cxx114pathENSt6chrono10time_pointINS_12__file_clockENS4_8durationIlSt5ratioILl1ELl1000000000EEEEEE,
    reads(0, size))
MUSTER_DESCRIBED(
    _ZNSt10filesystem15last_write_timeERKNS_7__cxx114pathENSt6chrono10time_pointINS_12__file_clockENS4_8durationIlSt5ratioILl1ELl1000000000EEEEEERSt10error_code,
    reads(0, size), writes(2, error_size))
MUSTER_DESCRIBED(_ZNSt10filesystem15last_write_timeERKNS_7__cxx114pathERSt10error_code, reads(0, size),
                 writes(1, error_size))
MUSTER_DESCRIBED(_ZNSt10filesystem16create_directoryERKNS_7__cxx114pathE, reads(0, size))
MUSTER_DESCRIBED(_ZNSt10filesystem16create_directoryERKNS_7__cxx114pathERSt10error_code, reads(0, size),
                 writes(1, error_size))
MUSTER_DESCRIBED(_ZNSt10filesystem16create_directoryERKNS_7__cxx114pathES3_, reads(0, size), reads(1, size))
MUSTER_DESCRIBED(_ZNSt10filesystem16create_directoryERKNS_7__cxx114pathES3_RSt10error_code, reads(0, size),
                 reads(1, size), writes(2, error_size))
MUSTER_DESCRIBED(_ZNSt10filesystem16create_hard_linkERKNS_7__cxx114pathES3_, reads(0, size), reads(1, size))
MUSTER_DESCRIBED(_ZNSt10filesystem16create_hard_linkERKNS_7__cxx114pathES3_RSt10error_code, reads(0, size),
                 reads(1, size), writes(2, error_size))
MUSTER_DESCRIBED(_ZNSt10filesystem16weakly_canonicalERKNS_7__cxx114pathE, reads(1, size))
MUSTER_DESCRIBED(_ZNSt10filesystem16weakly_canonicalERKNS_7__cxx114pathERSt10error_code, reads(1, size),
                 writes(2, error_size))
MUSTER_DESCRIBED(_ZNSt10filesystem18create_directoriesERKNS_7__cxx114pathE, reads(0, size))
MUSTER_DESCRIBED(_ZNSt10filesystem18create_directoriesERKNS_7__cxx114pathERSt10error_code, reads(0, size),
                 writes(1, error_size))
MUSTER_DESCRIBED(_ZNSt10filesystem24create_directory_symlinkERKNS_7__cxx114pathES3_, reads(0, size), reads(1, size))
MUSTER_DESCRIBED(_ZNSt10filesystem24create_directory_symlinkERKNS_7__cxx114pathES3_RSt10error_code, reads(0, size),
                 reads(1, size), writes(2, error_size))
MUSTER_DESCRIBED(_ZNSt10filesystem4copyERKNS_7__cxx114pathES3_NS_12copy_optionsE, reads(0, size), reads(1, size))
MUSTER_DESCRIBED(_ZNSt10filesystem4copyERKNS_7__cxx114pathES3_NS_12copy_optionsERSt10error_code, reads(0, size),
                 reads(1, size), writes(3, error_size))
MUSTER_DESCRIBED(_ZNSt10filesystem5spaceERKNS_7__cxx114pathE, reads(1, size))
MUSTER_DESCRIBED(_ZNSt10filesystem5spaceERKNS_7__cxx114pathERSt10error_code, reads(1, size), writes(2, error_size))
MUSTER_DESCRIBED(_ZNSt10filesystem6removeERKNS_7__cxx114pathE, reads(0, size))
MUSTER_DESCRIBED(_ZNSt10filesystem6removeERKNS_7__cxx114pathERSt10error_code, reads(0, size), writes(1, error_size))
MUSTER_DESCRIBED(_ZNSt10filesystem6renameERKNS_7__cxx114pathES3_, reads(0, size), reads(1, size))
MUSTER_DESCRIBED(_ZNSt10filesystem6renameERKNS_7__cxx114pathES3_RSt10error_code, reads(0, size), reads(1, size),
                 writes(2, error_size))
MUSTER_DESCRIBED(_ZNSt10filesystem6statusERKNS_7__cxx114pathE, reads(0, size))
MUSTER_DESCRIBED(_ZNSt10filesystem6statusERKNS_7__cxx114pathERSt10error_code, reads(0, size), writes(1, error_size))
MUSTER_DESCRIBED(_ZNSt10filesystem7__cxx1110hash_valueERKNS0_4pathE, reads(0, size))
MUSTER_DESCRIBED(_ZNSt10filesystem8absoluteERKNS_7__cxx114pathE, reads(1, size))
MUSTER_DESCRIBED(_ZNSt10filesystem8absoluteERKNS_7__cxx114pathERSt10error_code, reads(1, size), writes(2, error_size))
MUSTER_DESCRIBED(_ZNSt10filesystem8is_emptyERKNS_7__cxx114pathE, reads(0, size))
MUSTER_DESCRIBED(_ZNSt10filesystem8is_emptyERKNS_7__cxx114pathERSt10error_code, reads(0, size), writes(1, error_size))
MUSTER_DESCRIBED(_ZNSt10filesystem8relativeERKNS_7__cxx114pathES3_, reads(1, size), reads(2, size))
MUSTER_DESCRIBED(_ZNSt10filesystem8relativeERKNS_7__cxx114pathES3_RSt10error_code, reads(1, size), reads(2, size),
                 writes(3, error_size))
MUSTER_DESCRIBED(_ZNSt10filesystem9canonicalERKNS_7__cxx114pathE, reads(1, size))
MUSTER_DESCRIBED(_ZNSt10filesystem9canonicalERKNS_7__cxx114pathERSt10error_code, reads(1, size), writes(2, error_size))
MUSTER_DESCRIBED(_ZNSt10filesystem9copy_fileERKNS_7__cxx114pathES3_NS_12copy_optionsE, reads(0, size), reads(1, size))
MUSTER_DESCRIBED(_ZNSt10filesystem9copy_fileERKNS_7__cxx114pathES3_NS_12copy_optionsERSt10error_code, reads(0, size),
                 reads(1, size), writes(3, error_size))
MUSTER_DESCRIBED(_ZNSt10filesystem9file_sizeERKNS_7__cxx114pathE, reads(0, size))
MUSTER_DESCRIBED(_ZNSt10filesystem9file_sizeERKNS_7__cxx114pathERSt10error_code, reads(0, size), writes(1, error_size))
MUSTER_DESCRIBED(_ZNSt10filesystem9proximateERKNS_7__cxx114pathES3_, reads(1, size), reads(2, size))
MUSTER_DESCRIBED(_ZNSt10filesystem9proximateERKNS_7__cxx114pathES3_RSt10error_code, reads(1, size), reads(2, size),
                 writes(3, error_size))
