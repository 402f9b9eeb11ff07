#include "trace/memory_trace.hpp"

#include <fmt/format.h>

namespace muster::trace {

namespace {

constexpr std::size_t batch_events = 4096;

}  // namespace

std::uint32_t MemoryTrace::Addresses::intern(std::uint64_t address) {
  const auto [entry, is_new] = numbers.try_emplace(address, static_cast<std::uint32_t>(list.size()));
  if (is_new) list.push_back(address);
  return entry->second;
}

void MemoryTrace::add(ThreadIndex thread, Kind kind, std::uint64_t object, std::uint64_t size, std::uint64_t pc) {
  if (thread >= counts_.size()) counts_.resize(thread + 1u);
  if (is_access(kind)) memory_.cut(object, size);
  if (object_class(kind) == NameClass::thread && has_object(kind) && object >= counts_.size())
    counts_.resize(object + 1);
  raw_.push_back({object, size, pc, counts_[thread]++, thread, kind});
}

std::span<const Event> MemoryTrace::next() {
  batch_.clear();
  while (at_ < raw_.size() && batch_.size() < batch_events) {
    const Raw& raw = raw_[at_++];
    Event event{.object = 0,
                .site = sites_.intern(raw.pc),
                .line = static_cast<std::uint32_t>(at_),
                .index = raw.index,
                .thread = raw.thread,
                .kind = raw.kind};
    if (is_access(raw.kind)) {
      memory_.for_each_piece(raw.object, raw.size, [&](std::uint32_t variable) {
        event.object = variable;
        batch_.push_back(event);
      });
      continue;
    }
    if (has_object(raw.kind)) {
      const NameClass name_class = object_class(raw.kind);
      if (name_class == NameClass::thread)
        event.object = static_cast<std::uint32_t>(raw.object);
      else
        event.object = (name_class == NameClass::lock ? locks_ : orders_).intern(raw.object);
    }
    batch_.push_back(event);
  }
  return batch_;
}

std::string MemoryTrace::name(NameClass name_class, std::uint32_t id) const {
  switch (name_class) {
    case NameClass::thread:
      return fmt::format("T{}", id);
    case NameClass::variable:
      return fmt::format("0x{:x}", memory_.address(id));
    case NameClass::lock:
      return fmt::format("0x{:x}", locks_.list[id]);
    case NameClass::order:
      return fmt::format("0x{:x}", orders_.list[id]);
    case NameClass::site:
      return fmt::format("0x{:x}", sites_.list[id]);
  }
  return {};
}

std::uint32_t MemoryTrace::count(NameClass name_class) const {
  switch (name_class) {
    case NameClass::thread:
      return static_cast<std::uint32_t>(counts_.size());
    case NameClass::variable:
      return memory_.size();
    case NameClass::lock:
      return static_cast<std::uint32_t>(locks_.list.size());
    case NameClass::order:
      return static_cast<std::uint32_t>(orders_.list.size());
    case NameClass::site:
      return static_cast<std::uint32_t>(sites_.list.size());
  }
  return 0;
}

std::string MemoryTrace::where(const Event& event) const { return fmt::format("event {}", event.line); }

}  // namespace muster::trace
