#pragma once
// Calls of functions that are not watched. Each function of another module that watched code refers to, and that is
// neither Muster's own, nor described, nor harmless, has a stub in its place: it tells the call, and goes on to the
// function.
//
// What is seen are calls, and only those through words that the loader fills in: of functions by their names, by their
// addresses, and through tables of virtual functions. What a library hands out a pointer to, or calls back, escapes.

#include <span>
#include <string>
#include <vector>

#include "instrument/modules.hpp"
#include "runtime/engine.hpp"

namespace muster {

/// Puts the stubs into place, once, before there are other threads or processes. Does nothing where all is watched.
/// Throws Error if a description cannot be understood.
void watch_imports(const std::vector<std::string>& description_files);

/// What descriptions of such functions keep of an execution: to be watched, and restored before the next one.
std::vector<std::span<std::byte>> described_data();

/// Those that were called in executions since `forget_unwatched_calls`, in words: "lock (libx.so)"; and "code of
/// libx.so" where that was called past all stubs, in executions that see it.
std::vector<std::string> unwatched_calls();
void forget_unwatched_calls();

/// Whether the running thread is in a call that a stub saw, its stack having grown so far.
bool is_in_seen_call(std::uintptr_t stack);

/// Whether a function of such code is described as harmless: its calls have no stub.
bool is_harmless_function(std::uintptr_t address);

/// The running thread goes into such code, at this address, past all stubs; or comes out of it again (0).
void pass_through_escaped_call(std::uintptr_t address);

/// Tells the engine of this process what it needs to know of such code, which is in these libraries.
void prepare_unwatched_calls(Engine& engine, const std::vector<const Module*>& unwatched);

}  // namespace muster
