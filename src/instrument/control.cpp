#include "instrument/control.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>

#include "base/error.hpp"
#include "instrument/access_hooks.hpp"
#include "instrument/assembly_cache.hpp"
#include "instrument/escaped_calls.hpp"
#include "instrument/faults.hpp"
#include "instrument/hook.hpp"
#include "instrument/library_numbers.hpp"
#include "instrument/modules.hpp"
#include "instrument/openmp.hpp"
#include "instrument/randomness.hpp"
#include "instrument/rare_states.hpp"
#include "instrument/signals.hpp"
#include "instrument/tap.hpp"
#include "instrument/traces.hpp"
#include "instrument/unwatched_calls.hpp"
#include "muster/scenario.hpp"
#include "record/hooks.h"

extern "C" char __libc_single_threaded;

namespace muster {

void forget_at_exit();              // threads.cpp
bool initialises_lasting_static();  // once.cpp

namespace {

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

/// Files that `from` was linked with, directly or not, leaving out what hangs below `except`.
std::set<std::string> closure(const std::vector<Module>& modules, const Module& from, const Module* except) {
  std::set<std::string> found;
  std::vector<const Module*> todo{&from};
  while (!todo.empty()) {
    const Module* module = todo.back();
    todo.pop_back();
    for (const std::string& name : module->needed) {
      if (!found.insert(name).second) continue;
      for (const Module& next : modules) {
        if (&next != except && file_name(next.path) == name) todo.push_back(&next);
      }
    }
  }
  return found;
}

/// Libraries that the runtime was linked with, directly or not, and the program was not; by path.
std::vector<std::string> own_libraries(const std::vector<Module>& modules) {
  const auto own = reinterpret_cast<std::uintptr_t>(&closure);
  const auto runtime =
      std::find_if(modules.begin(), modules.end(), [own](const Module& m) { return own >= m.begin && own < m.end; });
  if (runtime == modules.end()) return {};
  const auto of_program = closure(modules, modules.front(), &*runtime),
             of_runtime = closure(modules, *runtime, nullptr);
  std::vector<std::string> found;
  for (const Module& module : modules) {
    const std::string file = file_name(module.path);
    if (of_runtime.contains(file) && !of_program.contains(file)) found.push_back(module.path);
  }
  return found;
}

/// Libraries that the program can call and that are neither restored before each execution nor part of the system.
std::vector<const Module*> opaque_modules(const std::vector<Module>& modules) {
  const std::vector<std::string> own = own_libraries(modules);
  std::vector<const Module*> found;
  for (const Module& module : modules) {
    if (module.kind == Module::Kind::opaque && std::find(own.begin(), own.end(), module.path) == own.end())
      found.push_back(&module);
  }
  return found;
}

/// Those of them whose calls are told: of the standard library it is known what it does.
std::vector<const Module*> foreign_modules(const std::vector<Module>& modules) {
  std::vector<const Module*> found = opaque_modules(modules);
  std::erase_if(found, [](const Module* module) { return !is_opaque_code(module->begin); });
  return found;
}

/// What they keep from execution to execution.
std::vector<std::span<std::byte>> lasting_data(const std::vector<Module>& modules) {
  std::vector<std::span<std::byte>> ranges;
  for (const Module* module : opaque_modules(modules))
    ranges.insert(ranges.end(), module->data.begin(), module->data.end());
  return ranges;
}

/// The file that defines a function as the program sees it; empty if it is the runtime's own.
std::string foreign_definition(const char* name) {
  Dl_info found{}, own{};
  void* function = dlsym(RTLD_DEFAULT, name);
  if (!function || dladdr(function, &found) == 0 || dladdr(reinterpret_cast<void*>(&file_name), &own) == 0) return {};
  return found.dli_fbase == own.dli_fbase ? std::string() : file_name(found.dli_fname);
}

bool brings_operators() {
  for (const char* name : {"_Znwm", "_Znam", "_ZnwmRKSt9nothrow_t", "_ZnamRKSt9nothrow_t", "_ZnwmSt11align_val_t",
                           "_ZnamSt11align_val_t", "_ZdlPv", "_ZdaPv", "_ZdlPvm", "_ZdaPvm", "_ZdlPvSt11align_val_t",
                           "_ZdaPvSt11align_val_t", "_ZdlPvmSt11align_val_t", "_ZdaPvmSt11align_val_t"}) {
    if (!foreign_definition(name).empty()) return true;
  }
  return false;
}

/// Destructors, values of keys and signals are too rare to be saved.
void add_rare_states(Surroundings& surroundings) {
  const auto add = [&](RareUse use, const RareState& state) {
    surroundings.add_rare(static_cast<std::uint32_t>(use), state);
  };
  add(RareUse::at_exit, {forget_at_exit});
  add(RareUse::signals, {forget_signals});
  add(RareUse::random_numbers, {forget_randomness, pass_randomness});
  add(RareUse::library_numbers, {forget_library_numbers, pass_library_numbers});
  add(RareUse::traces, {forget_traces});
}

/// Tells the engine what to restore and to watch, and the interposers what is whose.
void prepare(Engine& engine) {
  // shared_ptr would skip its atomic counts in a process with one thread, and they would never be seen.
  __libc_single_threaded = 0;
  const std::vector<Module> modules = loaded_modules();
  remember_modules(modules);
  if (brings_operators()) let_any_free();
  engine.contexts().set_own_libraries(own_libraries(modules));
  std::vector<std::span<std::byte>> restored;
  for (const Module& module : modules) {
    if (module.kind != Module::Kind::program && module.kind != Module::Kind::instrumented) continue;
    for (const auto& range : module.data) {
      engine.races().arena().watch(range);
      restored.push_back(range);
    }
  }
  for (const auto& range : described_data()) {
    engine.races().arena().watch(range);
    restored.push_back(range);
  }
  const auto is_openmp = [](const Module& module) {
    const std::string file = file_name(module.path);
    return file.starts_with("libgomp") || file.starts_with("libomp");
  };
  if (std::ranges::any_of(modules, is_openmp)) restored.push_back(team_data());
  engine.surroundings().restorer().snapshot(std::move(restored));
  engine.surroundings().lasting_data().watch(lasting_data(modules));
  engine.surroundings().at_start(sync::reset);
  engine.surroundings().at_start(tap::begin_execution);
  engine.surroundings().at_start([] { uncontrolled_part = {}; });
  add_rare_states(engine.surroundings());
  engine.surroundings().add_state(sync::state_hash);
  engine.surroundings().add_state(signals_hash);
  engine.surroundings().add_thread_state(randomness_hash);
  engine.surroundings().add_thread_state(library_numbers_hash);
  engine.surroundings().add_thread_state(traces_hash);
  tell_access_hooks();
  is_unwatched = may_be_opaque_code;
  prepare_unwatched_calls(engine, foreign_modules(modules));
  catch_faults();
  if (engine.options().see_escapes) {
    see_escaped_calls(foreign_modules(modules), modules);
    engine.surroundings().at_start(forget_escaped_calls);
  }
  if (preferred_context_mode() != ContextMode::fiber || !engine.surroundings().in_worker()) return;
  catch_escaped_calls();
  if (!can_notice_calls()) return;
  engine.surroundings().add_rewindable({[] { return true; }, sync::pass});
  engine.surroundings().add_rewindable(
      {[] { return !tap::on && !initialises_lasting_static() && !opaque_blocks_last(); }, [](Tape&) {}});
  engine.surroundings().restorer().follow(lasting_data(modules));
  engine.going_back().allow();
}

const bool registered = [] {
  take_control = prepare;
  return true;
}();

}  // namespace

namespace {

/// Inline assembly of the code that is watched otherwise, in words.
void add_assembly(const std::vector<Module>& modules, std::vector<std::string>& unseen) {
  const auto add = [&](const char* what, const std::vector<std::string>& functions) {
    for (const std::string& function : functions) unseen.push_back(fmt::format("{} in {}", what, function));
  };
  for (const Module& module : modules) {
    const bool is_program = module.kind == Module::Kind::program;
    if (!is_program && module.kind != Module::Kind::instrumented) continue;
    const UnseenInstructions found = known_unseen_instructions(is_program ? "/proc/self/exe" : module.path);
    add("atomic instructions", found.atomic);
    add("the time stamp counter, read", found.counters);
  }
}

}  // namespace

std::vector<std::string> opaque_libraries() {
  const std::vector<Module> modules = loaded_modules();
  std::vector<std::string> files;
  for (const Module* module : opaque_modules(modules)) {
    const std::string file = file_name(module->path);
    if (!file.starts_with("libstdc++")) files.push_back(file);
  }
  if (has_code_of_clang())
    files.push_back("vectors of 32 bytes and long double in code of clang++");  // it emits no hooks for them
  add_assembly(modules, files);
  return files;
}

bool calls_may_escape() {
  const std::vector<Module> modules = loaded_modules();
  return std::ranges::any_of(opaque_modules(modules),
                             [](const Module* module) { return !is_standard_library(file_name(module->path)); });
}

std::vector<std::string> foreign_allocators() {
  for (const char* name : {"malloc", "free"}) {
    if (const std::string file = foreign_definition(name); !file.empty()) {
      fail(
          "{} defines its own {}: blocks it gives out would be the same in no two executions. Link the check without "
          "that allocator",
          file, name);
    }
  }
  std::vector<std::string> found;
  if (const std::string file = foreign_definition("_Znwm"); !file.empty()) found.push_back("operator new of " + file);
  if (const std::string file = foreign_definition("_ZdlPv"); !file.empty())
    found.push_back("operator delete of " + file);
  for (const Module& module : loaded_modules()) {
    const std::string file = file_name(module.path);
    for (const char* known : {"libjemalloc", "libtcmalloc", "libmimalloc", "libsnmalloc", "libhoard"}) {
      if (file.starts_with(known)) found.push_back(file);
    }
  }
  return found;
}

// ---- what scenarios call ----

__attribute__((visibility("default"))) Uncontrolled::Uncontrolled() noexcept {
  if (!engine) {
    muster_record_pause();
  } else if (controlled) {
    uncontrolled_part = {true, 0};
    controlled = false;
    engine->current().uncontrolled = 1;
  } else if (engine->current().uncontrolled > 0) {
    ++engine->current().uncontrolled;
  }
}

__attribute__((visibility("default"))) Uncontrolled::~Uncontrolled() {
  if (!engine) {
    muster_record_resume();
  } else if (engine->current().uncontrolled > 0 && --engine->current().uncontrolled == 0) {
    uncontrolled_part.under_way = false;
    if (uncontrolled_part.blocks != 0) engine->going_back().left_traces();
    controlled = true;
  }
}

}  // namespace muster
