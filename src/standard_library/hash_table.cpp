// What hash tables and hashes call out of line. How a table grows is remembered in the table.

#include "instrument/described.hpp"

using namespace muster::describe;

MUSTER_DESCRIBED(_ZSt11_Hash_bytesPKvmm, reads_counted(0, 1))
MUSTER_DESCRIBED(_ZSt15_Fnv_hash_bytesPKvmm, reads_counted(0, 1))
MUSTER_DESCRIBED(_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm, writes(0, 16))
MUSTER_DESCRIBED(_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm, writes(0, 16))
