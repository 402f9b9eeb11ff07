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
  const char* name() const { return instruction_->mnemonic; }
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
  /// Where a call leads, also by way of a pointer such as that of `call [rip + 8]`, or of the procedure linkage table,
  /// which is read by `behind`; 0 if that is not known.
  std::uintptr_t called(Decoder& behind) const {
    if (const std::uintptr_t there = pointed_to()) return there;
    const std::uintptr_t there = target();
    if (there == 0 || !behind.read(there)) return there;
    if (behind.id() == X86_INS_ENDBR64 && !behind.read(behind.next())) return there;
    const std::uintptr_t linked = behind.jumps() ? behind.pointed_to() : 0;
    return linked != 0 ? linked : there;
  }

  /// All registers that the instruction reads and writes, by itself and in its operands.
  template <class Reads, class Writes>
  void registers(Reads reads, Writes writes) const {
    cs_regs read, written;
    std::uint8_t reads_count = 0, writes_count = 0;
    if (cs_regs_access(handle_, instruction_, read, &reads_count, written, &writes_count) != CS_ERR_OK) return;
    for (unsigned i = 0; i < reads_count; ++i) reads(read[i]);
    for (unsigned i = 0; i < writes_count; ++i) writes(written[i]);
  }

 private:
  std::uintptr_t pointed_to() const {
    const cs_x86_op& operand = this->operand(0);
    if (operand.type != X86_OP_MEM || operand.mem.base != X86_REG_RIP) return 0;
    return *reinterpret_cast<const std::uintptr_t*>(next() + static_cast<std::uintptr_t>(operand.mem.disp));
  }

  csh handle_ = 0;
  cs_insn* instruction_ = nullptr;
};

/// The place of a register among those that calls preserve: rbx, rbp, r12, r13, r14, r15; -1 for others.
inline int preserved_register(unsigned reg) {
  switch (reg) {
    case X86_REG_RBX:
    case X86_REG_EBX:
    case X86_REG_BX:
    case X86_REG_BL:
    case X86_REG_BH:
      return 0;
    case X86_REG_RBP:
    case X86_REG_EBP:
    case X86_REG_BP:
    case X86_REG_BPL:
      return 1;
    case X86_REG_R12:
    case X86_REG_R12D:
    case X86_REG_R12W:
    case X86_REG_R12B:
      return 2;
    case X86_REG_R13:
    case X86_REG_R13D:
    case X86_REG_R13W:
    case X86_REG_R13B:
      return 3;
    case X86_REG_R14:
    case X86_REG_R14D:
    case X86_REG_R14W:
    case X86_REG_R14B:
      return 4;
    case X86_REG_R15:
    case X86_REG_R15D:
    case X86_REG_R15W:
    case X86_REG_R15B:
      return 5;
    default:
      return -1;
  }
}

}  // namespace muster
