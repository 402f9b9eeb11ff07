#pragma once
// Entries of a Jepsen history, in whatever notation, into operations. The order of entries is the order of events.
// `:info` and missing completions are pending. Entries of processes that are not numbers (`:nemesis`) are no
// operations, and kept beside them.
// Registers hold nil at first.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "history/history.hpp"
#include "history/read.hpp"
#include "history/reader.hpp"

namespace muster {

class JepsenEntries {
 public:
  struct Entry {
    Value process;
    std::string_view type;  ///< with its colon
    std::string_view name;  ///< without; "" if it is not there
    Value value = Value::nil();
    Value key;
    std::optional<std::int64_t> time;
    std::uint32_t line = 0;
  };

  JepsenEntries(HistoryBuilder& build, std::string file, Failed failed, std::optional<bool> keys_in_values);

  /// Its name, or what it must be: micro-operations are a transaction, and a completion is of what was invoked. Else
  /// "".
  std::string_view name_of(const Entry& entry);

  /// `method` is that of the entry's name. A completion without a process, of a history that records nothing else, is a
  /// whole operation, of which nothing is known to come before or after it.
  void add(const Entry& entry, MethodId method);

  /// Gives arguments and results their meaning, once it is known whether values carry keys.
  void finish();

 private:
  void note_disturbance(const Entry& entry);
  void invoke(const Entry& entry, ProcessId process, MethodId method);
  void complete(const Entry& entry, ProcessId process, MethodId method);
  void add_alone(const Entry& entry, MethodId method);
  void note_shape(const Entry& entry, std::string_view name);
  void interpret(OperationId id, bool keyed);

  HistoryBuilder& build_;
  std::string file_;
  Failed failed_;
  std::optional<bool> keys_in_values_;
  OpenCalls open_;
  std::vector<OperationId> observed_;                 ///< failed compare-and-sets that count
  std::vector<std::pair<OperationId, Value>> alone_;  ///< without a process; they return when all have been called
  bool all_pairs_ = true;
  bool some_key_ = false;
};

}  // namespace muster
