#pragma once
// What was found is confirmed by an execution, also beyond the end of a budget.

namespace muster {

/// While it is alive, a parent that looks on sees that something is confirmed.
class Confirming {
 public:
  explicit Confirming(bool& confirms) : confirms_(confirms) { confirms_ = true; }
  ~Confirming() { confirms_ = false; }
  Confirming(const Confirming&) = delete;
  Confirming& operator=(const Confirming&) = delete;

 private:
  bool& confirms_;
};

}  // namespace muster
