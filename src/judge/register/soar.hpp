#pragma once
// Registers with a single writer (Guerraoui and Vukolić, "A scalable and oblivious atomicity assertion", 2008): atomic,
// regular, safe.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "judge/core/verdict.hpp"
#include "spec/spec.hpp"

namespace muster {

/// The writes of one writer, in order, and the reads that returned. Index 0 is the initial write, before all else.
/// Times are positions plus one; a pending write returns at `never`. Pending reads are left out: they claim nothing.
struct RegisterHistory {
  struct Access {
    Position call = 0;
    Position ret = 0;
    Value value;
    OperationId id = never;  ///< `never`: the initial write
  };
  std::vector<Access> writes;
  std::vector<Access> reads;  ///< in the order of their calls

  /// What a read's own process did, by its own clock: it orders its operations even where those of others may differ so
  /// much that they seem to overlap.
  struct Own {
    std::uint32_t write = 0;           ///< the last before the read
    std::uint32_t next_write = never;  ///< the first after it
    std::uint32_t earlier_read = never;
  };
  std::vector<Own> own;  ///< by read; empty if all clocks agree
};

/// Throws Error if two writes overlap, naming both lines, or if the spec is not a register. If `history` was blurred
/// for clocks that differ, `exact` is what was recorded: each process keeps its own order.
RegisterHistory register_history(const History& history, const Spec& spec, const History* exact = nullptr);

/// The same for some operations of a bound history; nothing if two writes overlap.
std::optional<RegisterHistory> single_writer(const Binding& binding, std::span<const OperationId> ids);

enum class RegisterProperty { atomic, regular, safe };

/// Atomic, regular or safe (Lamport, "On interprocess communication", 1986), in O(n log n), repeated values allowed.
Verdict judge_register(const RegisterHistory& accesses, RegisterProperty property);

/// The SOAR predicate, literally as in Figure 3: O(n^3).
bool soar(const RegisterHistory& accesses);

/// The CLMT assertion, literally as in Definition 1 with the optimisations of section 4.2 (writes in their order, the
/// initial write before all): searches all precedence relations, so 2^(writes x reads + reads^2) of them. Gives up
/// after `limit` relations.
std::optional<bool> clmt(const RegisterHistory& accesses, std::uint64_t limit = ~std::uint64_t{0});

/// Takes operations as they complete and fails at the first violation: the assertion of the paper, online. A return
/// costs as much as there are writes that the read overlaps.
class RegisterAssertion {
 public:
  explicit RegisterAssertion(Value initial, RegisterProperty property = RegisterProperty::atomic);

  /// Writes are announced when they are called, because a read may return a value that is still being written.
  void write_called(Value value);
  void write_returned();

  /// A token for the read that begins now.
  std::uint32_t read_called();
  /// Whether the read with this token may return `value`. Once false, the history so far violates the property.
  bool read_returned(std::uint32_t token, Value value);

  bool holds() const { return holds_; }

 private:
  struct Open {
    std::uint32_t last_written;  ///< when it was called: the last write that had returned
    std::uint32_t least;         ///< when it was called: the latest write that a completed read had returned
  };

  RegisterProperty property_;
  std::vector<Value> writes_;
  bool writing_ = false;
  std::uint32_t latest_read_ = 0;
  std::vector<Open> open_;
  bool holds_ = true;
};

}  // namespace muster
