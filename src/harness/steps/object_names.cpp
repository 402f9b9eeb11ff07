#include "harness/steps/object_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "harness/steps/steps.hpp"

namespace muster {
namespace {

/// Empty for memory, which may be anything.
std::string_view sort_by(EventKind kind) {
  switch (kind) {
    case EventKind::lock:
    case EventKind::try_lock:
    case EventKind::unlock:
    case EventKind::lock_shared:
    case EventKind::try_lock_shared:
    case EventKind::unlock_shared:
      return "mutex";
    case EventKind::wait:
    case EventKind::timed_wait:
    case EventKind::notify_one:
    case EventKind::notify_all:
      return "condition";
    case EventKind::acquire_semaphore:
    case EventKind::release_semaphore:
      return "semaphore";
    case EventKind::arrive:
      return "barrier";
    case EventKind::once:
      return "flag";
    default:
      return {};
  }
}

bool has_object(const TracedEvent& traced) {
  switch (traced.event.kind) {
    case EventKind::finish:
    case EventKind::start:
    case EventKind::call:
    case EventKind::ret:
    case EventKind::fence:
    case EventKind::yield:
    case EventKind::sleep:
    case EventKind::clock:
      return false;
    default:
      return traced.event.object != 0;
  }
}

/// Without members whose names are the implementation's: "slot.mutex.__size[0]" is the whole mutex.
std::string without_reserved(const std::string& name) { return name.substr(0, name.find(".__")); }

/// What a shared pointer counts in its block, in words; empty for all else.
std::string shared_count(const std::string& type, std::uint64_t offset) {
  if (!type.starts_with("_Sp_counted")) return {};
  constexpr std::uint64_t uses = sizeof(void*), weak_uses = uses + sizeof(int);
  return offset == uses ? "copies of shared " : offset == weak_uses ? "weak copies of shared " : "";
}

}  // namespace

ObjectNames::ObjectNames(const std::vector<TracedEvent>& events, Symbolizer& symbolizer) : symbolizer_(symbolizer) {
  for (const TracedEvent& traced : events) {
    const std::string_view sort = sort_by(traced.event.kind);
    if (!sort.empty()) sorts_.try_emplace(traced.event.object, sort);
    if (has_object(traced)) look_at(traced);
  }
  // What a pointer in one block says of another may say what pointers in that one are.
  for (bool learns = true; learns;) {
    learns = false;
    for (const TracedEvent& traced : events) learns |= has_object(traced) && learn_types(traced);
  }
}

void ObjectNames::look_at(const TracedEvent& traced) {
  const auto meet = [this](const Location& location) {
    if (location.block == 0) return;
    const auto [entry, fresh] = blocks_.try_emplace(location.block);
    if (!fresh) return;
    entry->second.site = location.block_site;
    entry->second.type = symbolizer_.type_allocated(symbolizer_.widen(location.block_site));
    entry->second.is_named = entry->second.type != 0;
  };
  meet(traced.location);
  for (const TracedValues::Value* value : {&traced.values.found, &traced.values.left, &traced.values.wanted}) {
    for (const Location& location : value->at) meet(location);
  }
  if (const std::string name = in_source(traced.location); !name.empty()) {
    called_[name].insert(traced.event.object);
    if (traced.location.block == 0) names_[traced.event.object].insert(name);
  }
}

std::string ObjectNames::called_in_source(const Location& location) {
  if (const std::string& name = in_source(location); !name.empty() || location.block != 0) return name;
  const auto names = names_.find(location.address);
  return names != names_.end() && names->second.size() == 1 ? *names->second.begin() : "";
}

std::string& ObjectNames::in_source(const Location& location) {
  const bool on_heap = location.block != 0;
  const std::uint64_t code = on_heap ? symbolizer_.widen(location.block_site) : location.frame_code;
  const std::int64_t offset = on_heap ? location.block_offset : location.from_frame;
  const auto [entry, fresh] = in_source_.try_emplace({code, offset});
  std::string& name = entry->second;
  if (!fresh || code == 0) return name;
  if (!on_heap) return name = without_reserved(symbolizer_.local(code, offset));
  const TypeId type = symbolizer_.type_allocated(code);
  if (type == 0) return name;
  const std::string member = symbolizer_.member({type, location.block_offset});
  return name = without_reserved(member.starts_with('.') ? member.substr(1) : symbolizer_.type_name(type) + member);
}

bool ObjectNames::is_ambiguous(const std::string& name) const {
  const auto found = called_.find(name);
  return found != called_.end() && found->second.size() > 1;
}

std::string_view ObjectNames::sort_of(ObjectId object) const {
  const auto found = sorts_.find(object);
  return found == sorts_.end() ? "local" : found->second;
}

std::string ObjectNames::name(const TracedEvent& traced) {
  const Event& event = traced.event;
  if (event.kind == EventKind::join || event.kind == EventKind::spawn)
    return thread_name(static_cast<ThreadId>(event.object));
  if (!has_object(traced)) return {};
  if (event.kind == EventKind::free_block && traced.location.block_offset == 0 && is_typed(traced.location.block))
    return block_name(traced.location.block);
  if (std::string text = place_text(traced.location); !text.empty() || traced.location.stack_of == no_thread)
    return text;
  const std::string_view sort = sort_of(event.object);
  const auto [number, fresh] = numbers_.try_emplace(event.object, 0);
  if (fresh) number->second = ++how_many_[sort];
  return fmt::format("{}#{} of {}", sort, number->second, thread_name(traced.location.stack_of));
}

/// Empty for what has no name, or is not known.
std::string ObjectNames::place_text(const Location& location) {
  if (const std::string name = called_in_source(location); !name.empty()) {
    if (!is_ambiguous(name)) return name;
    return location.block != 0 ? fmt::format("{} of block#{}", name, location.block)
                               : fmt::format("{} of {}", name, thread_name(location.stack_of));
  }
  if (const auto block = blocks_.find(location.block); block != blocks_.end()) {
    if (block->second.type != 0) {
      const std::string counts = shared_count(symbolizer_.type_name(block->second.type), location.block_offset);
      if (!counts.empty()) return counts + block_name(location.block);
      return block_name(location.block) + symbolizer_.member({block->second.type, location.block_offset});
    }
    const std::string offset = location.block_offset ? fmt::format("+{}", location.block_offset) : "";
    const SourcePlace& place = symbolizer_.locate(symbolizer_.widen(location.block_site));
    return fmt::format("block#{}{}", location.block, offset) +
           (place.system ? "" : fmt::format(" ({})", place.brief()));
  }
  if (location.stack_of != no_thread) return {};
  const std::string name = without_reserved(symbolizer_.variable(location.address));
  if (name.starts_with("muster::")) return {};  // ours, which stands for something of a library
  return name.starts_with("std::__") || name.starts_with("__") ? std::string(library_data) : name;
}

bool ObjectNames::is_typed(std::uint32_t block) const {
  const auto found = blocks_.find(block);
  return found != blocks_.end() && found->second.type != 0 && !found->second.is_named;
}

std::string ObjectNames::block_name(std::uint32_t number) {
  Block& block = blocks_[number];
  if (block.type == 0) return fmt::format("block#{}", number);
  block.is_told = true;
  const std::string type = symbolizer_.type_name(block.type);
  const auto letter = std::ranges::find_if(type, [](unsigned char c) { return std::isalpha(c); });
  const char initial = letter == type.end() ? 'b' : *letter;
  return fmt::format("{}{}", static_cast<char>(std::tolower(static_cast<unsigned char>(initial))), number);
}

std::string ObjectNames::blocks() {
  std::map<std::pair<std::string, std::uint32_t>, std::vector<std::uint32_t>> alike;  // by type and where it was made
  for (const auto& [number, block] : blocks_) {
    if (block.is_told && !block.is_named) alike[{symbolizer_.type_name(block.type), block.site}].push_back(number);
  }
  std::vector<std::string> told;
  for (const auto& [what, numbers] : alike) {
    const SourcePlace& place = symbolizer_.locate(symbolizer_.widen(what.second));
    std::vector<std::string> names;
    for (const std::uint32_t number : numbers) names.push_back(block_name(number));
    told.push_back(fmt::format("{}: {}{}", fmt::join(names, ", "), what.first,
                               place.system ? "" : fmt::format(" ({})", place.brief())));
  }
  return fmt::format("{}", fmt::join(told, "; "));
}

}  // namespace muster
