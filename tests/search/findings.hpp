#pragma once
// How findings of small programs are told, so that those of different searches can be compared.

#include "search/small_program.hpp"

namespace muster::test {

/// Where a later access raced with an earlier one; of several atomic accesses no search says which.
std::string race_of(SiteId later, SiteId earlier, bool earlier_is_atomic);
/// A use after free, and a race between a free and a use: which of both is seen depends on who came first.
std::string touched_and_freed(SiteId place, SiteId freed_at);
std::string failed_requirement(SiteId place);
bool is_about_freed_memory(const std::string& outcome);

/// The same for what the engine tells.
std::string text_of(const SmallProgram& program, const Incident& incident);

}  // namespace muster::test
