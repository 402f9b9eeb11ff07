#pragma once
// What an execution showed of a plan. Lies in shared memory: the program may bring its process down.

#include <array>

#include "base/event.hpp"

namespace muster {

struct Sighting {
  struct Access {
    std::uint64_t address, size;
    SiteId site;                // of the access itself
    SiteId place;               // where it is told to be
    std::uint32_t order;        // among the accesses seen, from 1; 0: not seen
    std::uint32_t transaction;  // in which of its thread's it happened; 0: in none
    bool write;
    ThreadId thread;
  };
  struct Wait {
    ThreadId thread;
    std::uint64_t lock;
    SiteId place;
  };

  std::array<Access, 3> accesses{};
  std::uint32_t seen = 0;
  std::array<Wait, 8> waits{};  // threads that wait for each other in a circle
  std::uint32_t waiting = 0;

  void note(std::size_t number, Access access) {
    access.order = ++seen;
    accesses[number] = access;
  }
};

}  // namespace muster
