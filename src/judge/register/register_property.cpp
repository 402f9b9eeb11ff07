// Atomic, regular and safe for a single writer. Writes are numbered in their order. A read takes the smallest write
// with its value that is neither older than the last write completed before the read was called nor than what a read
// that had returned by then took; taking the smallest leaves later reads the most room. The history is atomic iff no
// read takes a write called after it returned.

#include <fmt/format.h>

#include <algorithm>

#include "judge/core/value_table.hpp"
#include "judge/register/soar.hpp"

namespace muster {
namespace {

constexpr std::uint32_t none = ~std::uint32_t{0};

class RegisterSweep {
 public:
  RegisterSweep(const RegisterHistory& accesses, RegisterProperty property)
      : accesses_(accesses), property_(property) {}

  Verdict run() {
    index_values();
    order_returns();
    const auto& writes = accesses_.writes;
    const auto& reads = accesses_.reads;
    std::vector<std::uint32_t> taken(reads.size());
    std::uint32_t completed = 0, returned = 0, latest = 0;
    for (std::uint32_t read = 0; read < reads.size(); ++read) {
      // Reads that returned before this one was called.
      for (; returned < reads.size() && reads[by_return_[returned]].ret < reads[read].call; ++returned) {
        latest = std::max(latest, taken[by_return_[returned]]);
      }
      while (completed + 1 < writes.size() && writes[completed + 1].ret < reads[read].call) ++completed;
      const RegisterHistory::Own own = accesses_.own.empty() ? RegisterHistory::Own{} : accesses_.own[read];
      const std::uint32_t written = std::max(completed, own.write);
      // Those that hold for every later read as well, and those that hold for this one.
      const bool atomic = property_ == RegisterProperty::atomic;
      const std::uint32_t common = atomic ? std::max(completed, latest) : completed;
      std::uint32_t least = std::max(common, own.write);
      if (atomic && own.earlier_read != never) least = std::max(least, taken[own.earlier_read]);
      taken[read] = smallest_from(common, least, reads[read].value);
      const auto called_before_return = [&](std::uint32_t write) {
        return writes[write].call < reads[read].ret && write < own.next_write;
      };
      const bool overlaps_write = written + 1 < writes.size() && called_before_return(written + 1);
      if (property_ == RegisterProperty::safe && overlaps_write) {
        taken[read] = written;
        continue;
      }
      if (taken[read] == none || !called_before_return(taken[read])) return violation(read, written, latest, least);
    }
    return Witness{};
  }

 private:
  /// For each value the writes of it, in order, as a list with a head that only moves forward: the bound never
  /// decreases.
  void index_values() {
    ValueTable table(accesses_.writes.size());
    next_same_.assign(accesses_.writes.size(), none);
    std::vector<std::uint32_t> last;
    for (std::uint32_t write = 0; write < accesses_.writes.size(); ++write) {
      const std::uint32_t value = table.number(accesses_.writes[write].value);
      if (value == head_.size()) {
        head_.push_back(write);
        last.push_back(write);
      } else {
        next_same_[last[value]] = write;
        last[value] = write;
      }
    }
    table_.emplace(std::move(table));
  }

  void order_returns() {
    std::vector<std::uint64_t> keys;
    keys.reserve(accesses_.reads.size());
    for (std::uint32_t read = 0; read < accesses_.reads.size(); ++read) {
      keys.push_back(std::uint64_t{accesses_.reads[read].ret} << 32 | read);
    }
    std::ranges::sort(keys);
    by_return_.reserve(keys.size());
    for (const std::uint64_t key : keys) by_return_.push_back(static_cast<std::uint32_t>(key));
  }

  /// The smallest write of a value that is at least `least`; `common` is a bound for all later reads, too.
  std::uint32_t smallest_from(std::uint32_t common, std::uint32_t least, Value value) {
    const std::uint32_t number = table_->find(value);
    if (number == ValueTable::unknown) return none;
    std::uint32_t& head = head_[number];
    while (head != none && head < common) head = next_same_[head];
    std::uint32_t write = head;
    while (write != none && write < least) write = next_same_[write];
    return write;
  }

  Verdict violation(std::uint32_t read, std::uint32_t completed, std::uint32_t latest, std::uint32_t least) const {
    const auto& reads = accesses_.reads;
    Counterexample result;
    const auto add = [&](OperationId id) {
      if (id != never && std::ranges::find(result.operations, id) == result.operations.end())
        result.operations.push_back(id);
    };
    for (std::uint32_t write = completed;
         write < accesses_.writes.size() && accesses_.writes[write].call < reads[read].ret; ++write) {
      add(accesses_.writes[write].id);
    }
    if (least == latest && latest > completed) {
      for (const auto& other : reads) {
        if (other.ret < reads[read].call && other.value == accesses_.writes[latest].value) add(other.id);
      }
    }
    for (const auto& write : accesses_.writes) {
      if (write.value == reads[read].value) add(write.id);
    }
    add(reads[read].id);
    result.misfits = {reads[read].id};
    result.reason = fmt::format("read() -> {}, but a newer value had {} when it was called",
                                to_string(reads[read].value), latest > completed ? "been read" : "been written");
    if (table_->find(reads[read].value) == ValueTable::unknown) {
      result.reason = fmt::format("read() -> {}, but nothing ever wrote it", to_string(reads[read].value));
    }
    return result;
  }

  const RegisterHistory& accesses_;
  RegisterProperty property_;
  std::optional<ValueTable> table_;
  std::vector<std::uint32_t> head_;       ///< by value
  std::vector<std::uint32_t> next_same_;  ///< by write
  std::vector<std::uint32_t> by_return_;
};

}  // namespace

Verdict judge_register(const RegisterHistory& accesses, RegisterProperty property) {
  return RegisterSweep(accesses, property).run();
}

RegisterAssertion::RegisterAssertion(Value initial, RegisterProperty property)
    : property_(property), writes_{initial} {}

void RegisterAssertion::write_called(Value value) {
  writes_.push_back(value);
  writing_ = true;
}

void RegisterAssertion::write_returned() { writing_ = false; }

std::uint32_t RegisterAssertion::read_called() {
  const auto last_called = static_cast<std::uint32_t>(writes_.size() - 1);
  open_.push_back({last_called - (writing_ ? 1 : 0), latest_read_});
  return static_cast<std::uint32_t>(open_.size() - 1);
}

bool RegisterAssertion::read_returned(std::uint32_t token, Value value) {
  const Open open = open_[token];
  const auto last_called = static_cast<std::uint32_t>(writes_.size() - 1);
  if (property_ == RegisterProperty::safe && last_called > open.last_written) return true;
  const std::uint32_t least =
      property_ == RegisterProperty::atomic ? std::max(open.last_written, open.least) : open.last_written;
  // Only what was written while the read was under way is looked through.
  for (std::uint32_t write = least; write <= last_called; ++write) {
    if (writes_[write] != value) continue;
    latest_read_ = std::max(latest_read_, write);
    return true;
  }
  holds_ = false;
  return false;
}

}  // namespace muster
