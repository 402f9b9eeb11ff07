#pragma once
// Reads machine code, one instruction at a time.

#include <capstone/capstone.h>

#include <cstdint>

namespace muster {

class Decoder {
 public:
  Decoder() {
    if (cs_open(CS_ARCH_X86, CS_MODE_64, &handle_) != CS_ERR_OK) return;
    cs_option(handle_, CS_OPT_DETAIL, CS_OPT_ON);
    instruction_ = cs_malloc(handle_);
  }
  ~Decoder() {
    if (instruction_) cs_free(instruction_, 1);
    if (handle_) cs_close(&handle_);
  }
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  /// False if there is no instruction that it knows.
  bool read(std::uintptr_t at) {
    constexpr std::size_t longest = 15;
    if (!instruction_) return false;
    const auto* code = reinterpret_cast<const std::uint8_t*>(at);
    std::size_t size = longest;
    std::uint64_t address = at;
    return cs_disasm_iter(handle_, &code, &size, &address, instruction_);
  }

  unsigned id() const { return instruction_->id; }
  std::uintptr_t next() const { return instruction_->address + instruction_->size; }
  const cs_detail& detail() const { return *instruction_->detail; }
  const cs_x86& x86() const { return instruction_->detail->x86; }
  const cs_x86_op& operand(unsigned i) const { return x86().operands[i]; }
  bool is(cs_group_type group) const {
    for (unsigned i = 0; i < detail().groups_count; ++i) {
      if (detail().groups[i] == group) return true;
    }
    return false;
  }
  bool returns() const { return is(CS_GRP_RET); }
  bool jumps() const { return is(CS_GRP_JUMP); }
  bool calls() const { return is(CS_GRP_CALL); }
  /// Where a jump or call leads, if that is written in it; else 0.
  std::uintptr_t target() const {
    return operand(0).type == X86_OP_IMM ? static_cast<std::uintptr_t>(operand(0).imm) : 0;
  }

 private:
  csh handle_ = 0;
  cs_insn* instruction_ = nullptr;
};

/// The place of a register among those that calls preserve: rbx, rbp, r12, r13, r14, r15; -1 for others.
inline int preserved_register(unsigned reg) {
  switch (reg) {
    case X86_REG_RBX: case X86_REG_EBX: case X86_REG_BX: case X86_REG_BL: case X86_REG_BH: return 0;
    case X86_REG_RBP: case X86_REG_EBP: case X86_REG_BP: case X86_REG_BPL: return 1;
    case X86_REG_R12: case X86_REG_R12D: case X86_REG_R12W: case X86_REG_R12B: return 2;
    case X86_REG_R13: case X86_REG_R13D: case X86_REG_R13W: case X86_REG_R13B: return 3;
    case X86_REG_R14: case X86_REG_R14D: case X86_REG_R14W: case X86_REG_R14B: return 4;
    case X86_REG_R15: case X86_REG_R15D: case X86_REG_R15W: case X86_REG_R15B: return 5;
    default: return -1;
  }
}

}  // namespace muster
