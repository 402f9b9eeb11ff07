#include "runtime/own_frames.hpp"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace muster {
namespace {

// As DWARF numbers them on this machine, in the order of PreservedRegisters.
constexpr std::array<int, preserved_register_count> dwarf_numbers{3, 6, 12, 13, 14, 15};
constexpr int dwarf_frame_pointer = 6, dwarf_stack_pointer = 7, dwarf_return_address = 16;
constexpr std::int32_t return_address = -8;  // from the end of a frame

struct OwnModule {
  std::uintptr_t low = 0, high = 0, bias = 0;
  std::string path;

  static int visit(dl_phdr_info* module, std::size_t, void* argument) {
    OwnModule found;
    for (const ElfW(Phdr) & part : std::span(module->dlpi_phdr, module->dlpi_phnum)) {
      if (part.p_type != PT_LOAD) continue;
      const std::uintptr_t begin = module->dlpi_addr + part.p_vaddr;
      found.low = found.high == 0 ? begin : std::min(found.low, begin);
      found.high = std::max(found.high, begin + part.p_memsz);
    }
    const auto here = reinterpret_cast<std::uintptr_t>(&visit);
    if (here < found.low || here >= found.high) return 0;
    found.bias = module->dlpi_addr;
    found.path = *module->dlpi_name ? module->dlpi_name : "/proc/self/exe";
    *static_cast<OwnModule*>(argument) = found;
    return 1;
  }
};

Dwarf_CFI* open_table(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return nullptr;
  elf_version(EV_CURRENT);
  Elf* const elf = elf_begin(file, ELF_C_READ_MMAP, nullptr);
  Dwarf_CFI* const table = elf ? dwarf_getcfi_elf(elf) : nullptr;
  if (elf) elf_cntl(elf, ELF_C_FDDONE);
  close(file);
  return table;
}

/// A register's place as a distance from the end of the frame; 0: it is where it was. False: it is somewhere else.
bool read_saved(Dwarf_Frame* frame, int number, std::int32_t& saved) {
  Dwarf_Op memory[3];
  Dwarf_Op* ops;
  std::size_t count;
  if (dwarf_frame_register(frame, number, memory, &ops, &count) != 0) return false;
  if (count == 0) return true;  // code that says nothing of a register preserves it
  if (count != 2 || ops[0].atom != DW_OP_call_frame_cfa || ops[1].atom != DW_OP_plus_uconst) return false;
  saved = static_cast<std::int32_t>(ops[1].number);
  return true;
}

/// No caller: the return address is said to be unknown.
bool is_last(Dwarf_Frame* frame) {
  Dwarf_Op memory[3];
  Dwarf_Op* ops;
  std::size_t count;
  return dwarf_frame_register(frame, dwarf_return_address, memory, &ops, &count) == 0 && count == 0 && ops != nullptr;
}

}  // namespace

OwnFrames::OwnFrames() {
  OwnModule own;
  dl_iterate_phdr(OwnModule::visit, &own);
  low_ = own.low, high_ = own.high, bias_ = own.bias;
  table_ = open_table(own.path);
}

OwnFrames::Exit OwnFrames::read_exit(std::uintptr_t pc) const {
  Dwarf_Frame* read = nullptr;
  if (!table_ || dwarf_cfi_addrframe(table_, pc - bias_, &read) != 0) return {};
  const std::unique_ptr<Dwarf_Frame, void (*)(void*)> frame(read, std::free);
  Exit exit;
  if (is_last(read)) {
    exit.last = true;
    return exit;
  }
  Dwarf_Op* ops;
  std::size_t count;
  if (dwarf_frame_cfa(read, &ops, &count) != 0 || count != 1 || ops[0].atom != DW_OP_bregx) return {};
  exit.size = static_cast<std::int32_t>(ops[0].number2);
  for (std::size_t i = 0; i < exit.saved.size(); ++i) {
    if (!read_saved(read, dwarf_numbers[i], exit.saved[i])) return {};
  }
  std::int32_t back = 0;
  if (!read_saved(read, dwarf_return_address, back) || back != return_address) return {};
  if (ops[0].number == dwarf_stack_pointer) exit.base = Exit::Base::stack_pointer;
  if (ops[0].number == dwarf_frame_pointer) exit.base = Exit::Base::frame_pointer;
  return exit;
}

/// A call may be the last instruction of its function: what returns there belongs to the instruction before.
OwnFrames::Exit& OwnFrames::exit_at(std::uintptr_t pc, bool after_call) {
  const auto [entry, fresh] = exits_.try_emplace(pc);
  if (fresh) entry->second = read_exit(after_call ? pc - 1 : pc);
  return entry->second;
}

OwnFrames::Way OwnFrames::leave(Caller& caller) {
  if (!trusted_) return Way::none;
  asm volatile(
      "1: leaq 1b(%%rip), %%rax\n"
      "movq %%rax, %c[pc](%[caller])\n"
      "movq %%rsp, %c[stack](%[caller])\n"
      "movq %%rbx, %c[first](%[caller])\n"
      "movq %%rbp, %c[first]+8(%[caller])\n"
      "movq %%r12, %c[first]+16(%[caller])\n"
      "movq %%r13, %c[first]+24(%[caller])\n"
      "movq %%r14, %c[first]+32(%[caller])\n"
      "movq %%r15, %c[first]+40(%[caller])\n"
      :
      : [caller] "r"(&caller), [pc] "i"(offsetof(Caller, pc)), [stack] "i"(offsetof(Caller, stack)),
        [first] "i"(offsetof(Caller, preserved))
      : "rax", "memory");
  bool fresh = false;
  for (bool after_call = false; contains(caller.pc); after_call = true) {
    Exit& exit = exit_at(caller.pc, after_call);
    fresh |= !std::exchange(exit.used, true);
    if (exit.last) {
      caller.pc = 0;
      break;
    }
    if (exit.base == Exit::Base::none) return Way::none;
    const std::uintptr_t base = exit.base == Exit::Base::stack_pointer ? caller.stack : caller.preserved[frame_pointer];
    const std::uintptr_t end = base + static_cast<std::uintptr_t>(static_cast<std::intptr_t>(exit.size));
    const auto word = [end](std::int32_t distance) {
      return *reinterpret_cast<const std::uintptr_t*>(
          end + static_cast<std::uintptr_t>(static_cast<std::intptr_t>(distance)));
    };
    for (std::size_t i = 0; i < exit.saved.size(); ++i) {
      if (exit.saved[i] != 0) caller.preserved[i] = word(exit.saved[i]);
    }
    caller.pc = word(return_address);
    caller.stack = end;
  }
  return fresh ? Way::fresh : Way::known;
}

}  // namespace muster
