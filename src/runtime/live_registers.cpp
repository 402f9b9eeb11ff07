#include "runtime/live_registers.hpp"

#include <capstone/capstone.h>

#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace muster {
namespace {

constexpr std::size_t most_instructions = 4096, longest_instruction = 15;

PreservedRegisters bit(x86_reg reg) {
  switch (reg) {
    case X86_REG_RBX: case X86_REG_EBX: case X86_REG_BX: case X86_REG_BL: case X86_REG_BH: return 1;
    case X86_REG_RBP: case X86_REG_EBP: case X86_REG_BP: case X86_REG_BPL: return 2;
    case X86_REG_R12: case X86_REG_R12D: case X86_REG_R12W: case X86_REG_R12B: return 4;
    case X86_REG_R13: case X86_REG_R13D: case X86_REG_R13W: case X86_REG_R13B: return 8;
    case X86_REG_R14: case X86_REG_R14D: case X86_REG_R14W: case X86_REG_R14B: return 16;
    case X86_REG_R15: case X86_REG_R15D: case X86_REG_R15W: case X86_REG_R15B: return 32;
    default: return 0;
  }
}

/// What an instruction does to these registers. Whatever is not known to be a plain overwriting counts as a read.
struct Effect {
  PreservedRegisters reads = 0, overwrites = 0;
};

bool overwrites_its_first_operand(const cs_insn& instruction) {
  const cs_x86& x86 = instruction.detail->x86;
  if (x86.op_count == 0 || x86.operands[0].type != X86_OP_REG || x86.operands[0].size < 4) return false;  // the rest of it stays
  switch (instruction.id) {
    case X86_INS_MOV: case X86_INS_MOVABS: case X86_INS_MOVZX: case X86_INS_MOVSX: case X86_INS_MOVSXD: case X86_INS_LEA:
    case X86_INS_POP:
      return true;
    case X86_INS_XOR:
      return x86.operands[1].type == X86_OP_REG && x86.operands[1].reg == x86.operands[0].reg;
    default:
      return false;
  }
}

Effect effect_of(const cs_insn& instruction) {
  const cs_detail& detail = *instruction.detail;
  const bool overwrites = overwrites_its_first_operand(instruction), clears = overwrites && instruction.id == X86_INS_XOR;
  Effect effect;
  for (unsigned i = 0; i < detail.x86.op_count; ++i) {
    const cs_x86_op& operand = detail.x86.operands[i];
    if (operand.type == X86_OP_MEM) {
      effect.reads |= bit(operand.mem.base) | bit(operand.mem.index);
    } else if (operand.type == X86_OP_REG && !clears && !(overwrites && i == 0)) {
      effect.reads |= bit(operand.reg);
    }
  }
  for (unsigned i = 0; i < detail.regs_read_count; ++i) effect.reads |= bit(static_cast<x86_reg>(detail.regs_read[i]));
  if (overwrites) effect.overwrites = bit(detail.x86.operands[0].reg);
  return effect;
}

bool is(const cs_insn& instruction, cs_group_type group) {
  const cs_detail& detail = *instruction.detail;
  for (unsigned i = 0; i < detail.groups_count; ++i) {
    if (detail.groups[i] == group) return true;
  }
  return false;
}

/// Follows every path from a place until each register was read or overwritten on it.
class Paths {
 public:
  Paths() {
    if (cs_open(CS_ARCH_X86, CS_MODE_64, &decoder_) != CS_ERR_OK) return;
    cs_option(decoder_, CS_OPT_DETAIL, CS_OPT_ON);
    instruction_ = cs_malloc(decoder_);
  }
  ~Paths() {
    if (instruction_) cs_free(instruction_, 1);
    if (decoder_) cs_close(&decoder_);
  }
  Paths(const Paths&) = delete;
  Paths& operator=(const Paths&) = delete;

  PreservedRegisters read_after(std::uintptr_t pc) {
    if (!instruction_) return every_preserved_register;
    reach(pc, every_preserved_register);
    for (std::size_t steps = 0; !open_.empty(); ++steps) {
      const auto [at, unknown] = open_.back();
      open_.pop_back();
      if (steps == most_instructions || !follow(at, unknown)) return every_preserved_register;
    }
    return read_;
  }

 private:
  struct Place {
    std::uintptr_t at;
    PreservedRegisters unknown;  // not read and not overwritten on the way here
  };

  void reach(std::uintptr_t at, PreservedRegisters unknown) {
    PreservedRegisters& seen = reached_[at];
    if ((unknown & ~seen) == 0) return;
    seen |= unknown;
    open_.push_back({at, unknown});
  }

  /// False: where it leads is not known.
  bool follow(std::uintptr_t at, PreservedRegisters unknown) {
    const auto* code = reinterpret_cast<const std::uint8_t*>(at);
    std::size_t size = longest_instruction;
    std::uint64_t address = at;
    if (!cs_disasm_iter(decoder_, &code, &size, &address, instruction_)) return false;
    const Effect effect = effect_of(*instruction_);
    read_ |= effect.reads & unknown;
    unknown &= static_cast<PreservedRegisters>(~(effect.reads | effect.overwrites));
    unknown &= static_cast<PreservedRegisters>(~read_);
    if (unknown == 0) return true;
    if (is(*instruction_, CS_GRP_RET)) {
      read_ |= unknown;  // the caller's
      return true;
    }
    if (!is(*instruction_, CS_GRP_JUMP)) {
      reach(address, unknown);
      return true;
    }
    const cs_x86_op& target = instruction_->detail->x86.operands[0];
    if (target.type != X86_OP_IMM) return false;
    reach(static_cast<std::uintptr_t>(target.imm), unknown);
    if (instruction_->id != X86_INS_JMP) reach(address, unknown);
    return true;
  }

  csh decoder_ = 0;
  cs_insn* instruction_ = nullptr;
  PreservedRegisters read_ = 0;
  std::vector<Place> open_;
  std::unordered_map<std::uintptr_t, PreservedRegisters> reached_;
};

}  // namespace

PreservedRegisters live_registers(std::uintptr_t pc) {
  static std::unordered_map<std::uintptr_t, PreservedRegisters> known;
  const auto [entry, fresh] = known.try_emplace(pc, every_preserved_register);
  if (fresh) entry->second = Paths().read_after(pc);
  return entry->second;
}

}  // namespace muster
