#include "trace/memory_trace.hpp"

#include <fmt/format.h>

namespace muster::trace {

namespace {

constexpr std::size_t batch_events = 4096;

}  // namespace

void MemoryTrace::add(ThreadIndex thread, Kind kind, std::uint64_t object, std::uint64_t size, std::uint64_t pc) {
  if (thread >= counts_.size()) counts_.resize(thread + 1u);
  objects_.cut(kind, object, size);
  if (object_class(kind) == NameClass::thread && has_object(kind) && object >= counts_.size())
    counts_.resize(object + 1);
  raw_.push_back({object, size, pc, counts_[thread]++, thread, kind});
}

std::span<const Event> MemoryTrace::next() {
  batch_.clear();
  while (at_ < raw_.size() && batch_.size() < batch_events) {
    const Raw& raw = raw_[at_++];
    objects_.resolve({.object = 0,
                      .site = sites_.intern(raw.pc),
                      .line = static_cast<std::uint32_t>(at_),
                      .index = raw.index,
                      .thread = raw.thread,
                      .kind = raw.kind},
                     raw.object, raw.size, batch_);
  }
  return batch_;
}

std::string MemoryTrace::name(NameClass name_class, std::uint32_t id) const {
  if (name_class == NameClass::thread) return fmt::format("T{}", id);
  if (name_class == NameClass::site) return fmt::format("0x{:x}", sites_.address(id));
  return objects_.name(name_class, id);
}

std::uint32_t MemoryTrace::count(NameClass name_class) const {
  if (name_class == NameClass::thread) return static_cast<std::uint32_t>(counts_.size());
  return name_class == NameClass::site ? sites_.size() : objects_.count(name_class);
}

std::string MemoryTrace::where(const Event& event) const { return fmt::format("event {}", event.line); }

}  // namespace muster::trace
