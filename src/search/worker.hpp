#pragma once
// A process in which an engine makes executions.

#include <chrono>
#include <functional>

#include "base/child_process.hpp"
#include "runtime/engine.hpp"

namespace muster {

class Worker final : public ChildProcess {
 public:
  using Work = std::function<void(Engine&, Channel&)>;

  /// The child makes an engine with `journal` and runs `work`. With `silent` the user's output goes nowhere.
  Worker(Journal& journal, RacySites& racy_sites, const RuntimeOptions& options, bool silent, const Work& work);

  /// In an execution it should make steps.
  bool hangs(double seconds) override;
  /// Who ends in an execution without a signal was ended by the kernel, which the program asked itself.
  ProcessEnd join() override;

 private:
  Journal& journal_;
  std::uint64_t last_steps_ = 0;
  std::uint64_t last_executions_ = 0;
  std::chrono::steady_clock::time_point last_change_ = std::chrono::steady_clock::now();
};

}  // namespace muster
