// Memory resources that one thread at a time may use. The destructor of this one makes its table of virtual functions
// stand here, too.

#include <memory_resource>

#include "instrument/described.hpp"

using namespace muster::describe;

MUSTER_DESCRIBED(_ZNSt3pmr25monotonic_buffer_resource13_M_new_bufferEmm,
                 writes(0, sizeof(std::pmr::monotonic_buffer_resource)))
MUSTER_DESCRIBED(_ZNSt3pmr25monotonic_buffer_resource18_M_release_buffersEv,
                 writes(0, sizeof(std::pmr::monotonic_buffer_resource)))
MUSTER_DESCRIBED(_ZNSt3pmr28unsynchronized_pool_resourceC1ERKNS_12pool_optionsEPNS_15memory_resourceE,
                 writes(0, sizeof(std::pmr::unsynchronized_pool_resource)), reads(1, sizeof(std::pmr::pool_options)))
MUSTER_DESCRIBED(_ZNSt3pmr28unsynchronized_pool_resourceC2ERKNS_12pool_optionsEPNS_15memory_resourceE,
                 writes(0, sizeof(std::pmr::unsynchronized_pool_resource)), reads(1, sizeof(std::pmr::pool_options)))
MUSTER_DESCRIBED(_ZNSt3pmr26synchronized_pool_resourceC1ERKNS_12pool_optionsEPNS_15memory_resourceE,
                 writes(0, sizeof(std::pmr::synchronized_pool_resource)), reads(1, sizeof(std::pmr::pool_options)))
MUSTER_DESCRIBED(_ZNSt3pmr26synchronized_pool_resourceC2ERKNS_12pool_optionsEPNS_15memory_resourceE,
                 writes(0, sizeof(std::pmr::synchronized_pool_resource)), reads(1, sizeof(std::pmr::pool_options)))
MUSTER_DESCRIBED(_ZNSt3pmr28unsynchronized_pool_resourceD1Ev, writes(0, sizeof(std::pmr::unsynchronized_pool_resource)))
MUSTER_DESCRIBED(_ZNSt3pmr28unsynchronized_pool_resourceD2Ev, writes(0, sizeof(std::pmr::unsynchronized_pool_resource)))

[[gnu::weak]] std::pmr::monotonic_buffer_resource::~monotonic_buffer_resource() { release(); }
