#pragma once
// Small programs at random of what hides errors: each kind makes threads of one theme.

#include "base/rng.hpp"
#include "search/small_program.hpp"

namespace muster::test {

enum class Theme : std::uint8_t {
  shared_locks,
  relaxed_orders,
  predicates,
  references,
  two_locks,
  freed_blocks,
  freed_locks,
  loops,
  everything
};

constexpr std::array theme_names{"shared_locks", "relaxed_orders", "predicates", "references", "two_locks",
                                 "freed_blocks", "freed_locks",    "loops",      "everything"};

class NetGenerator {
 public:
  explicit NetGenerator(std::uint64_t seed) : rng_(seed) {}

  SmallProgram program(Theme theme) {
    SmallProgram made;
    made.semaphore = below(2);
    strong_ = weak_ = 0;
    const unsigned threads = 2 + (below(3) == 0);
    const unsigned most = (theme == Theme::references ? 4 : 6) / threads;
    for (unsigned t = 0; t < threads; ++t) {
      auto& code = made.threads.emplace_back();
      for (unsigned parts = 1 + below(most); parts > 0; --parts) add(code, theme);
    }
    if (below(4) == 0) made.threads[1] = made.threads[0];
    made.strong = strong_;
    made.weak = weak_;
    return made;
  }

 private:
  using Code = std::vector<Instruction>;

  unsigned below(unsigned n) { return static_cast<unsigned>(rng_.below(n)); }
  /// One of several, at random.
  template <class T>
  T one_of(std::initializer_list<T> choices) {
    return choices.begin()[below(static_cast<unsigned>(choices.size()))];
  }
  static void append(Code& code, const Code& more) { code.insert(code.end(), more.begin(), more.end()); }

  void add(Code& code, Theme theme) {
    switch (theme) {
      case Theme::shared_locks:
        return add_shared_locks(code);
      case Theme::relaxed_orders:
        return add_relaxed_orders(code);
      case Theme::predicates:
        return add_predicates(code);
      case Theme::references:
        return add_references(code);
      case Theme::two_locks:
        return add_two_locks(code);
      case Theme::freed_blocks:
        return add_freed_blocks(code);
      case Theme::freed_locks:
        return add_freed_locks(code);
      case Theme::loops:
        return add_loops(code);
      case Theme::everything:
        return add(code, static_cast<Theme>(below(static_cast<unsigned>(Theme::everything))));
    }
  }

  Instruction plain_access() {
    if (below(2) == 0) return {Op::plain_load, below(2)};
    return {Op::plain_store, below(2), 1 + below(2)};
  }
  Instruction atomic_access(unsigned object) {
    switch (below(4)) {
      case 0:
        return {Op::load, object};
      case 1:
        return {Op::add, object, 1};
      case 2:
        return {Op::compare_exchange, object, below(2), 2};
      default:
        return {Op::store, object, 1 + below(2)};
    }
  }
  Instruction notification(unsigned condition) { return {one_of({Op::notify_one, Op::notify_all}), condition}; }

  void add_shared_locks(Code& code) {
    switch (below(7)) {
      case 0:
      case 1:
        return append(code, {{Op::lock_shared, 0}, plain_access(), {Op::unlock_shared, 0}});
      case 2:
        return append(code, {{Op::lock_exclusive, 0}, plain_access(), {Op::unlock_shared, 0}});
      case 3:
        return append(code, {{one_of({Op::lock_shared, Op::lock_exclusive}), 0}, {Op::unlock_shared, 0}});
      case 4:
        return append(code, {{Op::try_lock_shared, 0, 2}, plain_access(), {Op::unlock_shared, 0}});
      case 5:
        return append(code, {{Op::lock, 0}, plain_access(), {Op::unlock, 0}});
      default:
        code.push_back(below(2) ? plain_access() : atomic_access(0));
    }
  }

  void add_relaxed_orders(Code& code) {
    const unsigned x = below(2);
    switch (below(6)) {
      case 0:
        return append(code, {plain_access(), {one_of({Op::store, Op::relaxed_store}), x, 1}});
      case 1:
        return append(code, {plain_access(), {one_of({Op::add, Op::relaxed_add}), x, 1}});
      case 2:
        return append(code, {{one_of({Op::load, Op::relaxed_load}), x}, {Op::skip_if, 0, 0, 1}, plain_access()});
      case 3:
        return append(code, {{one_of({Op::add, Op::relaxed_add}), x, 1}, {Op::skip_if, 0, 0, 1}, plain_access()});
      case 4:
        code.push_back({one_of({Op::relaxed_load, Op::load}), x});
        break;
      default:
        code.push_back(below(2) ? plain_access() : atomic_access(x));
    }
  }

  void add_predicates(Code& code) {
    const unsigned a = below(2), b = below(2);
    const Op waits = one_of({Op::await_plain, Op::await_atomic, Op::await_mixed, Op::await_mixed});
    switch (below(8)) {
      case 0:
      case 1:
        append(code, {{Op::lock, 0}, {waits, 0, 1, b}});
        if (below(2)) code.push_back({Op::plain_store, 0, a});
        code.push_back({Op::unlock, 0});
        return;
      case 2:
        return append(code, {{Op::lock, 0}, {Op::plain_store, a, 1}, notification(0), {Op::unlock, 0}});
      case 3:
        return append(code, {{Op::lock, 0}, {Op::plain_store, a, 1}, {Op::unlock, 0}, notification(0)});
      case 4:
        return append(code, {{Op::lock, 0}, {Op::store, a, 1}, {Op::unlock, 0}, notification(0)});
      case 5:
        return append(code, {{Op::store, a, 1}, notification(0)});
      case 6:
        return append(code,
                      {{Op::lock, 0}, {Op::plain_store, 0, 1}, {Op::store, 1, b}, {Op::unlock, 0}, notification(0)});
      default:
        code.push_back(below(2) ? atomic_access(a) : notification(0));
        if (below(4) == 0) append(code, {{Op::load, b}, {Op::require_not, 0, 1}});
    }
  }

  /// Mostly, a thread releases what it owns: what it begins with is counted as it is needed.
  void add_references(Code& code) {
    const bool wrong = below(24) == 0;
    switch (below(8)) {
      case 0:
      case 1:
        strong_ += !wrong;
        return append(code, {{Op::plain_load, in_block}, {Op::release_strong}});
      case 2:
        strong_ += !wrong;
        return append(code, {{Op::plain_store, in_block, 1}, {Op::release_strong}});
      case 3:
      case 4:
        weak_ += !wrong;
        return append(code,
                      {{Op::lock_weak, 0, 2}, {Op::plain_load, in_block}, {Op::release_strong}, {Op::release_weak}});
      case 5:
        strong_ += !wrong;
        return append(code, {{Op::copy_weak}, {Op::release_strong}, {Op::release_weak}});
      case 6:
        strong_ += !wrong;
        return append(code, {{Op::copy_strong}, {Op::release_strong}, {Op::release_strong}});
      default:
        weak_ += !wrong;
        code.push_back({Op::release_weak});
    }
  }

  void add_two_locks(Code& code) {
    const unsigned m = below(2);
    switch (below(6)) {
      case 0:
      case 1:
      case 2:
        return append(code, {{Op::lock_both, m}, plain_access(), {Op::unlock, m}, {Op::unlock, 1 - m}});
      case 3:
        return append(code, {{Op::lock, m}, plain_access(), {Op::unlock, m}});
      case 4:
        return append(code, {{Op::try_lock, m, 2}, plain_access(), {Op::unlock, m}});
      default:
        code.push_back(below(2) ? plain_access() : atomic_access(m));
    }
  }

  /// Somebody frees what others may still use, or not any more.
  void add_freed_blocks(Code& code) {
    switch (below(8)) {
      case 0:
        return append(code, {{Op::spin_until, 0, 1}, {Op::free_block}});
      case 1:
      case 2:
        return append(code, {{Op::add, 0, 1}, {Op::skip_unless, 0, 1, 1}, {Op::free_block}});
      case 3:
        return append(code, {{Op::plain_store, in_block, 1}, {Op::store, 0, 1}});
      case 4:
        return append(code, {atomic_access(in_block), {Op::store, 0, 1}});
      case 5:
        return append(code, {{Op::load, 0}, {Op::skip_if, 0, 1, 1}, {Op::plain_load, in_block}});
      case 6:
        return append(code,
                      {{Op::lock, 0}, {Op::load, 0}, {Op::skip_if, 0, 1, 1}, atomic_access(in_block), {Op::unlock, 0}});
      default:
        code.push_back(atomic_access(0));
    }
  }

  /// The same of what holds a lock.
  void add_freed_locks(Code& code) {
    const unsigned b = in_block;
    switch (below(6)) {
      case 0:
        return append(code, {{Op::lock, b}, {Op::plain_store, b, 1}, {Op::unlock, b}});
      case 1:
        return append(
            code, {{Op::lock, b}, {Op::plain_load, b}, {Op::unlock, b}, {Op::skip_unless, 0, 1, 1}, {Op::free_block}});
      case 2:
        return append(code, {{Op::try_lock, b, 1}, {Op::unlock, b}, {Op::store, 0, 1}});
      case 3:
        return append(code, {{Op::lock, b}, {Op::store, 0, 1}, notification(b), {Op::unlock, b}});
      case 4:
        return append(code, {{Op::lock, b}, {Op::store, 0, 1}, {Op::unlock, b}, notification(b)});
      default:
        return add_freed_blocks(code);
    }
  }

  void add_loops(Code& code) {
    const unsigned x = below(2);
    switch (below(8)) {
      case 0:
        return append(code, {{Op::poll, x, 1, 1 + below(3)}});
      case 1:
        return append(code, {{Op::poll, x, 1, 2}, {Op::skip_if, 0, 2, 1}, plain_access()});
      case 2:
        return append(code,
                      {{one_of({Op::spin_until, Op::spin_counting, Op::spin_asleep}), x, 1, below(4)}, plain_access()});
      case 3:
        return append(code, {{Op::spin_try_lock, x}, plain_access(), {Op::unlock, x}});
      case 4:
        return append(code, {{Op::spin_lock, x}, plain_access(), {Op::store, x, 0}});
      case 5:
        return append(code, {{Op::lock, x}, plain_access(), {Op::unlock, x}});
      case 6:
        return append(code, {plain_access(), {Op::store, x, 1}});
      default:
        code.push_back(below(2) ? Instruction{Op::increment_by_retrying, x} : atomic_access(x));
        if (below(4) == 0) append(code, {{Op::load, 1 - x}, {Op::require_not, 0, 2}});
    }
  }

  Rng rng_;
  unsigned strong_ = 0, weak_ = 0;
};

}  // namespace muster::test
