#include "instrument/control.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "instrument/allocator.hpp"
#include "instrument/hook.hpp"
#include "instrument/modules.hpp"
#include "muster/scenario.hpp"
#include "schedule/depth_first_strategy.hpp"

extern "C" char __libc_single_threaded;

namespace muster {

void reset_threads();  // threads.cpp

void take_control(Engine& engine) {
  // shared_ptr would skip its atomic counts in a process with one thread, and they would never be seen.
  __libc_single_threaded = 0;
  const std::vector<Module> modules = loaded_modules();
  remember_system_code(modules);
  std::vector<std::span<std::byte>> restored;
  for (const Module& module : modules) {
    if (module.kind != Module::Kind::program && module.kind != Module::Kind::instrumented) continue;
    for (const auto& range : module.data) {
      engine.arena().watch(range);
      restored.push_back(range);
    }
  }
  engine.restorer().snapshot(std::move(restored));
  engine.at_start(sync::reset);
  engine.at_start(reset_threads);
}

std::vector<std::string> opaque_libraries() {
  std::vector<std::string> paths;
  for (const Module& module : loaded_modules()) {
    if (module.kind == Module::Kind::opaque) paths.push_back(module.path);
  }
  return paths;
}

void warm_up(Engine& engine, const Program& program) {
  class Nobody final : public Observer {};
  Nobody nobody;
  DepthFirstStrategy first({.preemptions = 0, .late_yields = 0});
  const RuntimeOptions options = engine.options();
  RuntimeOptions quiet = options;
  quiet.races = false;
  engine.set_options(quiet);
  test_heap_in_use = false;
  engine.execute(program, first, nobody);
  test_heap_in_use = true;
  engine.set_options(options);
}

// ---- what scenarios call ----

__attribute__((visibility("default"))) unsigned choose(unsigned n) {
  if (!controlled || n <= 1) return 0;
  return engine->choose(PointKind::value, n);
}

__attribute__((visibility("default"))) Uncontrolled::Uncontrolled() noexcept {
  if (!engine) return;
  if (controlled) {
    controlled = false;
    engine->current().uncontrolled = 1;
  } else if (engine->current().uncontrolled > 0) {
    ++engine->current().uncontrolled;
  }
}

__attribute__((visibility("default"))) Uncontrolled::~Uncontrolled() {
  if (!engine || engine->current().uncontrolled == 0) return;
  if (--engine->current().uncontrolled == 0) controlled = true;
}

namespace detail {

__attribute__((visibility("default"))) void requirement_failed(const char* condition, const char* file, int line) noexcept {
  controlled = false;
  if (!engine) {
    std::fprintf(stderr, "%s:%d: MUSTER_REQUIRE(%s) failed\n", file, line, condition);
    std::abort();
  }
  engine->fatal(IncidentKind::requirement, MUSTER_SITE, fmt::format("{}:{}: {}", file, line, condition));
}

}  // namespace detail
}  // namespace muster
