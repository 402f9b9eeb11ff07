#include "instrument/assembly.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "instrument/elf_file.hpp"
#include "runtime/decoder.hpp"

namespace muster {
namespace {

struct Function {
  std::uint64_t begin, size;
  const char* name;
};

std::string readable(const char* name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> plain(abi::__cxa_demangle(name, nullptr, nullptr, &status), std::free);
  return status == 0 ? plain.get() : name;
}

/// What can follow a lock: the instructions that read, change and write memory, of one byte or of two (0x0f).
constexpr std::array<bool, 256> can_be_locked = [] {
  std::array<bool, 256> can{};
  for (const unsigned arithmetic : {0x00u, 0x08u, 0x10u, 0x18u, 0x20u, 0x28u, 0x30u})
    can[arithmetic] = can[arithmetic + 1] = true;
  for (const unsigned other : {0x80u, 0x81u, 0x83u, 0x86u, 0x87u, 0xf6u, 0xf7u, 0xfeu, 0xffu, 0x0fu}) can[other] = true;
  return can;
}();

/// Most functions have no bytes that may be these: only the others are read instruction by instruction, which takes a
/// hundred times as long.
bool may_have_them(std::string_view code) {
  const auto at = [&](std::size_t i) { return i < code.size() ? static_cast<std::uint8_t>(code[i]) : 0; };
  for (std::size_t i = 0; i < code.size(); ++i) {
    constexpr std::uint8_t lock = 0xf0, exchange_byte = 0x86, exchange = 0x87, two_bytes = 0x0f, narrow = 0x66;
    switch (at(i)) {
      case lock: {
        const std::size_t prefix = i + (at(i + 1) == narrow ? 2 : 1);
        const std::size_t opcode = prefix + (at(prefix) >> 4 == 4 ? 1 : 0);  // after the prefix of wide registers
        if (can_be_locked[at(opcode)]) return true;
        break;
      }
      case exchange_byte:
      case exchange:
        if (at(i + 1) >> 6 != 3) return true;  // not of two registers
        break;
      case two_bytes:
        if (at(i + 1) == 0x31 || (at(i + 1) == 0x01 && at(i + 2) == 0xf9)) return true;
        break;
      default:
        break;
    }
  }
  return false;
}

bool is_locked(const Decoder& decoder) {
  if (decoder.x86().prefix[0] == X86_PREFIX_LOCK) return true;
  if (decoder.id() != X86_INS_XCHG) return false;  // which locks by itself where it has to do with memory
  return decoder.operand(0).type == X86_OP_MEM || decoder.operand(1).type == X86_OP_MEM;
}

void look_at(const Function& function, std::string_view code, Decoder& decoder, UnseenInstructions& found) {
  if (!may_have_them(code)) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(code.data());
  bool atomic = false, counter = false;
  for (std::uintptr_t at = begin; at < begin + code.size() && decoder.read(at); at = decoder.next()) {
    atomic |= is_locked(decoder);
    counter |= decoder.id() == X86_INS_RDTSC || decoder.id() == X86_INS_RDTSCP;
  }
  if (atomic) found.atomic.push_back(readable(function.name));
  if (counter) found.counters.push_back(readable(function.name));
}

void sort_out(std::vector<std::string>& names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
}

}  // namespace

UnseenInstructions unseen_instructions(const std::string& path) {
  UnseenInstructions found;
  ElfFile file(path);
  const ElfW(Shdr)* text = file.section(".text");
  if (!text) return found;
  const std::uint64_t text_begin = text->sh_addr, text_size = text->sh_size;
  std::string code = file.content(".text"), symbols = file.content(".symtab"), names = file.content(".strtab");
  code.append(16, '\0');  // the decoder may look beyond the last instruction
  Decoder decoder;
  for (std::size_t i = 0; i + sizeof(ElfW(Sym)) <= symbols.size(); i += sizeof(ElfW(Sym))) {
    ElfW(Sym) symbol;
    std::memcpy(&symbol, symbols.data() + i, sizeof symbol);
    if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_name >= names.size()) continue;
    const std::uint64_t offset = symbol.st_value - text_begin;
    if (symbol.st_value < text_begin || offset > text_size || symbol.st_size > text_size - offset) continue;
    const Function function{symbol.st_value, symbol.st_size, names.c_str() + symbol.st_name};
    look_at(function, std::string_view(code).substr(offset, symbol.st_size), decoder, found);
  }
  sort_out(found.atomic);
  sort_out(found.counters);
  return found;
}

}  // namespace muster
