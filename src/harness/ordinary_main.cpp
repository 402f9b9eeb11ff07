// Programs with a main of their own: run as they are, recorded, re-executed along predicted schedules, or replayed, as
// the environment and
// `--replay` say. The body of such a program is its main, as thread 0.

#include <dlfcn.h>
#include <fmt/core.h>

#include <filesystem>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "harness/confirm/confirm.hpp"
#include "harness/options/build_fingerprint.hpp"
#include "harness/record/record_run.hpp"
#include "harness/record/serial_recording.hpp"
#include "harness/record/transaction_functions.hpp"
#include "report/terminal.hpp"
#include "rule/registry.hpp"
#include "runtime/engine.hpp"

namespace muster {
namespace {

namespace fs = std::filesystem;
using Main = int (*)(int, char**, char**);

/// A main with its arguments, as the body of a program.
class MainBody {
 public:
  MainBody(Main main, const char* program, std::vector<std::string> arguments, char** environment)
      : main_(main), arguments_(std::move(arguments)), environment_(environment) {
    arguments_.insert(arguments_.begin(), program);
  }
  Program program() {
    return {[](void* self) { static_cast<MainBody*>(self)->run(); }, this};
  }

 private:
  void run() {
    // Memory of this process, not of the execution: a main may move its arguments about, and finds them in order the
    // next time.
    const bool was = std::exchange(controlled, false);
    pointers_.clear();
    copies_ = arguments_;
    for (std::string& argument : copies_) pointers_.push_back(argument.data());
    pointers_.push_back(nullptr);
    controlled = was;
    main_(static_cast<int>(copies_.size()), pointers_.data(), environment_);
  }

  Main main_;
  std::vector<std::string> arguments_, copies_;
  std::vector<char*> pointers_;
  char** environment_;
};

std::string subject_of(const char* program) { return fs::path(program).filename(); }

HarnessOptions options_for(const char* program, const std::vector<std::string>& arguments) {
  HarnessOptions options;
  options.program = program;
  options.arguments = arguments;
  return options;
}

int confirm_main(Main main, char** argv, char** environment, const std::string& folder) {
  const RunDescription run = read_run_description(folder);
  choose_transaction_functions(run.atomic);
  Symbolizer symbolizer;
  MainBody body(main, argv[0], run.arguments, environment);
  confirm_plans(folder, subject_of(argv[0]), body.program(), options_for(argv[0], run.arguments), symbolizer);
  return 0;
}

int replay_main(Main main, char** argv, char** environment, const SavedFailure& saved) {
  HarnessOptions options = options_for(argv[0], saved.arguments);
  adopt(options, saved);
  if (saved.build != build_fingerprint())
    fmt::print(stderr, "note: {} was saved by another build of this program; predict again if the replay fails\n",
               saved.id);
  Symbolizer symbolizer;
  MainBody body(main, argv[0], saved.arguments, environment);
  const Result result = replay_prediction(body.program(), options, saved, symbolizer);
  fmt::print("{}", draw(result, TerminalStyle::for_file(stdout, options.program)));
  return static_cast<int>(result.outcome == Outcome::failed ? ExitCode::finding : ExitCode::undecided);
}

/// `--replay FILE` alone, where the file is what following a prediction of this program showed: anything else is the
/// program's own business.
std::optional<SavedFailure> requested_replay(int argc, char** argv) {
  if (argc != 3 || std::string_view(argv[1]) != "--replay") return std::nullopt;
  const fs::path path = argv[2];
  const std::string folder = path.has_parent_path() ? path.parent_path().string() : std::string(".muster");
  if (!fs::exists(fs::path(folder) / path.filename())) return std::nullopt;
  try {
    SavedFailure saved = load_saved(folder, path.filename());
    if (saved.planned && saved.subject == subject_of(argv[0])) return saved;
  } catch (const Error&) {  // another kind of file
  }
  return std::nullopt;
}

Main real_main = nullptr;

int run_main(int argc, char** argv, char** environment) {
  // A test program has scenarios or checks, and a main that knows what to do with them.
  if (!scenarios().empty() || defines_checks()) return real_main(argc, argv, environment);
  try {
    if (const auto file = take_recording_request()) {
      const RunDescription about{.arguments = {argv + 1, argv + argc},
                                 .scenario = {},
                                 .check = {},
                                 .test = {},
                                 .atomic = requested_transaction_functions()};
      if (serial_recording_requested()) {
        MainBody body(real_main, argv[0], about.arguments, environment);
        record_serially(*file, about, body.program(), options_for(argv[0], about.arguments));
        return 0;
      }
      begin_recording(*file, about);
    } else if (const auto folder = requested_confirmation()) {
      return confirm_main(real_main, argv, environment, *folder);
    } else if (const auto saved = requested_replay(argc, argv)) {
      return replay_main(real_main, argv, environment, *saved);
    }
  } catch (const Error& error) {
    fmt::print(stderr, "{}: {}\n", argv[0], error.what());
    return static_cast<int>(ExitCode::bad_input);
  }
  return real_main(argc, argv, environment);
}

}  // namespace
}  // namespace muster

/// The C library calls main through this, so this is where a program begins.
extern "C" __attribute__((visibility("default"))) int __libc_start_main(muster::Main main, int argc, char** argv,
                                                                        void (*init)(), void (*fini)(),
                                                                        void (*loader_fini)(), void* stack_end) {
  using Start = int (*)(muster::Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
  muster::real_main = main;
  const auto real = reinterpret_cast<Start>(dlsym(RTLD_NEXT, "__libc_start_main"));
  return real(muster::run_main, argc, argv, init, fini, loader_fini, stack_end);
}
