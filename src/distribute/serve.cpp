#include <chrono>
#include <thread>

#include "base/error.hpp"
#include "distribute/ranks.hpp"
#include "distribute/runner.hpp"

namespace muster {
namespace {

constexpr std::chrono::milliseconds between_looks{2};

/// What cannot be started has ended, and says why.
std::optional<JobEnd> start(Runner& runner, const Job& job) {
  try {
    runner.start(job);
    return std::nullopt;
  } catch (const Error& error) {
    JobEnd end;
    end.id = job.id;
    end.exit_code = static_cast<int>(ExitCode::bad_input);
    end.errors = std::string(error.what()) + "\n";
    return end;
  }
}

}  // namespace

void serve(Ranks& ranks) {
  Runner runner;
  const auto tell = [&](const std::optional<JobEnd>& end) {
    if (end) ranks.send(0, Letter::done, to_bytes(*end));
  };
  for (;; std::this_thread::sleep_for(between_looks)) {
    while (const auto received = ranks.receive()) {
      if (received->letter == Letter::end) return;
      if (received->letter == Letter::stop) runner.stop();
      if (received->letter == Letter::job) tell(start(runner, job_of(received->bytes)));
    }
    tell(runner.poll());
  }
}

}  // namespace muster
