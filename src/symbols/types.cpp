#include "symbols/types.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "symbols/dwarf.hpp"

namespace muster {
namespace {

using namespace dwarf;

std::uint64_t begin_of(Dwarf_Die part) { return number(part, DW_AT_data_member_location).value_or(0); }

/// The part of a record that so many bytes at an offset lie in.
std::optional<Dwarf_Die> part_at(Dwarf_Die record, std::uint64_t offset, std::uint64_t size) {
  std::optional<Dwarf_Die> found;
  for_each_child(record, [&](Dwarf_Die& child) {
    const bool is_whole = is_part(child) && !dwarf_hasattr_integrate(&child, DW_AT_bit_size);
    const auto type = is_whole ? type_of(child) : std::nullopt;
    if (!type || offset < begin_of(child) || offset + size > begin_of(child) + size_of(*type)) return false;
    found = child;
    return true;
  });
  return found;
}

std::uint64_t bits_of(std::span<const std::byte> bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof value));
  return value;
}

std::int64_t with_sign(std::uint64_t bits, std::uint64_t width) {
  const unsigned unused = static_cast<unsigned>(64 - std::min<std::uint64_t>(width, 64));
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

std::string character(std::uint64_t code) {
  const bool printable = code >= ' ' && code < 127;
  return printable ? fmt::format("'{}'", static_cast<char>(code)) : std::to_string(code);
}

/// `width` in bits.
std::string number_text(Dwarf_Die type, std::uint64_t bits, std::uint64_t width) {
  switch (number(type, DW_AT_encoding).value_or(0)) {
    case DW_ATE_boolean:
      return bits == 0 ? "false" : bits == 1 ? "true" : std::to_string(bits);
    case DW_ATE_signed:
      return std::to_string(with_sign(bits, width));
    case DW_ATE_signed_char:
      return name_of(type) == "char" ? character(bits) : std::to_string(with_sign(bits, width));
    case DW_ATE_unsigned_char:
      return name_of(type) == "char" ? character(bits) : std::to_string(bits);
    case DW_ATE_unsigned:
    case DW_ATE_UTF:
      return std::to_string(bits);
    case DW_ATE_float:
      if (width == 32) return fmt::format("{}", std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
      if (width == 64) return fmt::format("{}", std::bit_cast<double>(bits));
      return {};
    default:
      return {};
  }
}

std::string enumerator_text(Dwarf_Die type, std::uint64_t bits, std::uint64_t width) {
  std::string found;
  for_each_child(type, [&](Dwarf_Die& child) {
    Dwarf_Attribute attribute;
    Dwarf_Sword value = 0;
    if (dwarf_tag(&child) != DW_TAG_enumerator ||
        dwarf_formsdata(dwarf_attr(&child, DW_AT_const_value, &attribute), &value) != 0 ||
        with_sign(static_cast<std::uint64_t>(value), width) != with_sign(bits, width))
      return false;
    found = name_of(child);
    return true;
  });
  return found.empty() ? std::to_string(bits) : found;
}

std::string record_text(Dwarf_Die record, std::span<const std::byte> bytes, std::uint64_t before,
                        const PointerText& pointer);

/// `before` bytes of the value come before these.
std::string text_of(Dwarf_Die type, std::span<const std::byte> bytes, std::uint64_t before,
                    const PointerText& pointer) {
  const std::uint64_t width = bytes.size() * 8;
  switch (dwarf_tag(&type)) {
    case DW_TAG_base_type:
      return bytes.size() > 8 ? "" : number_text(type, bits_of(bytes), width);
    case DW_TAG_enumeration_type:
      return enumerator_text(type, bits_of(bytes), width);
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type:
      return pointer(before, type_of(type));
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
      return record_text(type, bytes, before, pointer);
    default:
      return {};
  }
}

/// A member that has only some bits.
std::string bits_text(Dwarf_Die type, std::uint64_t begin, std::uint64_t width, std::span<const std::byte> bytes) {
  if (begin / 64 != (begin + width - 1) / 64) return {};
  const std::uint64_t word = bits_of(bytes.subspan(begin / 64 * 8)), shift = begin % 64;
  const std::uint64_t bits = word >> shift & (width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1);
  return dwarf_tag(&type) == DW_TAG_enumeration_type ? enumerator_text(type, bits, width)
                                                     : number_text(type, bits, width);
}

std::string record_text(Dwarf_Die record, std::span<const std::byte> bytes, std::uint64_t before,
                        const PointerText& pointer) {
  std::string text;
  bool known = true;
  for_each_child(record, [&](Dwarf_Die& child) {
    const auto type = is_part(child) ? type_of(child) : std::nullopt;
    if (!type) return false;
    std::string value;
    if (const auto width = number(child, DW_AT_bit_size)) {
      value = bits_text(*type, number(child, DW_AT_data_bit_offset).value_or(0), *width, bytes);
    } else {
      const std::uint64_t begin = begin_of(child), size = size_of(*type);
      if (begin + size > bytes.size()) return known = false, true;
      value = text_of(*type, bytes.subspan(begin, size), before + begin, pointer);
    }
    known &= !value.empty();
    if (!text.empty()) text += ", ";
    text += name_of(child).empty() ? value : fmt::format("{} {}", name_of(child), value);
    return !known;
  });
  return known && !text.empty() ? "{" + text + "}" : "";
}

void find_pointers(Dwarf_Die type, std::uint64_t before,
                   const std::function<void(std::uint64_t offset, Dwarf_Die pointee)>& use) {
  if (const auto pointee = pointee_of(type)) use(before, *pointee);
  if (!is_record(type)) return;
  for_each_child(type, [&](Dwarf_Die& child) {
    const auto part = is_part(child) ? type_of(child) : std::nullopt;
    if (part) find_pointers(*part, before + begin_of(child), use);
    return false;
  });
}

}  // namespace

std::optional<Dwarf_Die> value_type_at(Dwarf_Die type, std::uint64_t offset, std::uint64_t size) {
  for (;;) {
    const std::uint64_t whole = size_of(type);
    if (whole == 0 || offset + size > whole) return {};
    if (dwarf_tag(&type) == DW_TAG_array_type) {
      const auto element = type_of(type);
      const std::uint64_t step = element ? size_of(*element) : 0;
      if (step == 0) return {};
      offset %= step;
      type = *element;
      continue;
    }
    if (!is_record(type)) return offset == 0 && size == whole ? std::optional(type) : std::nullopt;
    const auto part = part_at(type, offset, size);
    if (!part) return offset == 0 && size == whole ? std::optional(type) : std::nullopt;
    offset -= begin_of(*part);
    type = *type_of(*part);
  }
}

std::optional<Dwarf_Die> pointee_of(Dwarf_Die type) {
  const int tag = dwarf_tag(&type);
  const bool points = tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type;
  return points ? type_of(type) : std::nullopt;
}

std::string value_text(Dwarf_Die type, std::span<const std::byte> bytes, const PointerText& pointer) {
  return text_of(type, bytes, 0, pointer);
}

void for_each_pointer(Dwarf_Die type, const std::function<void(std::uint64_t offset, Dwarf_Die pointee)>& use) {
  find_pointers(type, 0, use);
}

std::optional<Dwarf_Die> atomic_around(Scopes& scopes, Dwarf_Die* unit, Dwarf_Addr pc) {
  const auto function = scopes.function_of(unit, pc);
  if (!function) return {};
  for (Dwarf_Die& outer : scopes.around(*function)) {
    if (!is_record(outer)) continue;
    const std::string_view name = name_of(outer);
    for (const std::string_view atomic : {"atomic<", "__atomic_base<", "__atomic_ref<", "atomic_ref<"}) {
      if (name.starts_with(atomic)) return outer;
    }
    return {};
  }
  return {};
}

}  // namespace muster
