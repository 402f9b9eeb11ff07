#include "runtime/live_state.hpp"

#include <unordered_map>

#include "runtime/decoder.hpp"
#include "runtime/frame_slots.hpp"

namespace muster {
namespace {

constexpr std::size_t most_instructions = 4096;

/// One bit for each preserved register, and from the eighth on for each slot.
using Cells = std::uint64_t;
constexpr unsigned first_slot = 8;
constexpr Cells every_register = every_preserved_register, every_slot = ~Cells{0} << first_slot;

Cells cell_of(unsigned reg) {
  const int number = preserved_register(reg);
  return number < 0 ? 0 : Cells{1} << number;
}

/// What an instruction does to these cells. Whatever is not known to be a plain overwriting counts as a read.
struct Effect {
  Cells reads = 0, overwrites = 0;
};

bool overwrites_its_first_operand(const Decoder& decoder) {
  const cs_x86& x86 = decoder.x86();
  if (x86.op_count == 0 || x86.operands[0].type != X86_OP_REG || x86.operands[0].size < 4)
    return false;  // the rest of it stays
  switch (decoder.id()) {
    case X86_INS_MOV:
    case X86_INS_MOVABS:
    case X86_INS_MOVZX:
    case X86_INS_MOVSX:
    case X86_INS_MOVSXD:
    case X86_INS_LEA:
    case X86_INS_POP:
      return true;
    case X86_INS_XOR:
      return x86.operands[1].type == X86_OP_REG && x86.operands[1].reg == x86.operands[0].reg;
    default:
      return false;
  }
}

Effect effect_on_registers(const Decoder& decoder) {
  const cs_detail& detail = decoder.detail();
  const bool overwrites = overwrites_its_first_operand(decoder), clears = overwrites && decoder.id() == X86_INS_XOR;
  Effect effect;
  for (unsigned i = 0; i < detail.x86.op_count; ++i) {
    const cs_x86_op& operand = detail.x86.operands[i];
    if (operand.type == X86_OP_MEM) {
      effect.reads |= cell_of(operand.mem.base) | cell_of(operand.mem.index);
    } else if (operand.type == X86_OP_REG && !clears && !(overwrites && i == 0)) {
      effect.reads |= cell_of(operand.reg);
    }
  }
  for (unsigned i = 0; i < detail.regs_read_count; ++i) effect.reads |= cell_of(detail.regs_read[i]);
  if (overwrites) effect.overwrites = cell_of(detail.x86.operands[0].reg);
  return effect;
}

/// Follows every path from a place until each cell was read or overwritten on it.
class Paths {
 public:
  explicit Paths(const FrameSlots& frame) : frame_(frame) {}

  /// False if some path leads nobody knows where.
  bool follow_all(std::uintptr_t pc) {
    reach(pc, every_register | every_slot);
    for (std::size_t steps = 0; !open_.empty(); ++steps) {
      const auto [at, unknown] = open_.back();
      open_.pop_back();
      if (steps == most_instructions || !follow(at, unknown)) return false;
    }
    return true;
  }
  Cells read() const { return read_; }

 private:
  struct Place {
    std::uintptr_t at;
    Cells unknown;  // not read and not overwritten on the way here
  };

  void reach(std::uintptr_t at, Cells unknown) {
    Cells& seen = reached_[at];
    if ((unknown & ~seen) == 0) return;
    seen |= unknown;
    open_.push_back({at, unknown});
  }

  Effect effect_on_slots(std::uintptr_t at) const {
    Effect effect;
    const auto handed_over = frame_.read_by_hook.find(at);
    if (handed_over != frame_.read_by_hook.end()) effect.reads |= slot(handed_over->second);
    for (unsigned i = 0; i < decoder_.x86().op_count; ++i) {
      const cs_x86_op& operand = decoder_.operand(i);
      if (operand.type != X86_OP_MEM || operand.mem.base != X86_REG_RBP || decoder_.id() == X86_INS_LEA) continue;
      for (std::size_t s = 0; s < frame_.slots.size(); ++s) {
        const FrameSlot& there = frame_.slots[s];
        const std::int64_t begin = operand.mem.disp, end = begin + operand.size;
        if (there.offset >= end || begin >= there.offset + there.size) continue;
        const bool whole = begin == there.offset && operand.size == there.size;
        (whole && i == 0 && decoder_.id() == X86_INS_MOV ? effect.overwrites : effect.reads) |= slot(s);
      }
    }
    return effect;
  }
  static Cells slot(std::size_t number) { return Cells{1} << (first_slot + number); }

  /// False: where it leads is not known.
  bool follow(std::uintptr_t at, Cells unknown) {
    if (!decoder_.read(at)) return false;
    const Effect registers = effect_on_registers(decoder_), slots = effect_on_slots(at);
    const Cells reads = registers.reads | slots.reads;
    read_ |= reads & unknown;
    unknown &= ~(reads | registers.overwrites | slots.overwrites | read_);
    if (unknown == 0) return true;
    if (decoder_.returns()) {
      read_ |= unknown & every_register;  // the caller's
      return true;
    }
    if (!decoder_.jumps()) {
      reach(decoder_.next(), unknown);
      return true;
    }
    const std::uintptr_t target = decoder_.target();
    if (target == 0) return false;
    if (decoder_.id() != X86_INS_JMP) reach(decoder_.next(), unknown);
    reach(target, unknown);
    return true;
  }

  const FrameSlots& frame_;
  Decoder decoder_;
  Cells read_ = 0;
  std::vector<Place> open_;
  std::unordered_map<std::uintptr_t, Cells> reached_;
};

LiveState look(std::uintptr_t pc, std::uintptr_t function) {
  LiveState state;
  const FrameSlots frame = frame_slots(function);
  Paths paths(frame);
  if (!paths.follow_all(pc)) return state;
  state.registers = static_cast<PreservedRegisters>(paths.read() & every_register);
  for (std::size_t i = 0; i < frame.slots.size(); ++i) {
    if (!(paths.read() >> (first_slot + i) & 1)) state.dead.push_back(frame.slots[i]);
  }
  return state;
}

}  // namespace

const LiveState& live_state(std::uintptr_t pc, std::uintptr_t function) {
  static std::unordered_map<std::uintptr_t, LiveState> known;
  const auto [entry, fresh] = known.try_emplace(pc);
  if (fresh) entry->second = look(pc, function);
  return entry->second;
}

}  // namespace muster
