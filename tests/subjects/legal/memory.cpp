// Memory locations side by side, blocks of all kinds, and allocators.
#include <alloca.h>
#include <errno.h>
#include <malloc.h>
#include <sys/mman.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <list>
#include <map>
#include <memory>
#include <memory_resource>
#include <muster/scenario.hpp>
#include <mutex>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "two_threads.hpp"

namespace {

/// Hides from the compiler what it would otherwise warn of or leave out.
template <class Value>
Value opaque(Value value) {
  asm volatile("" : "+r"(value));
  return value;
}

}  // namespace

// A member of no width ends a memory location: those before and after it may be written at the same time.
MUSTER_SCENARIO(bit_fields_apart) {
  struct Fields {
    unsigned first : 5;
    unsigned second : 9;
    unsigned : 0;
    unsigned third : 11;
    char between;
    unsigned fourth : 3;
  };
  static Fields fields;
  in_two_threads([] { fields.first = 3, fields.second = 300, fields.between = 'b'; },
                 [] { fields.third = 1000, fields.fourth = 5; });
  MUSTER_REQUIRE(fields.first == 3 && fields.second == 300 && fields.third == 1000 && fields.between == 'b');
  MUSTER_REQUIRE(fields.fourth == 5);
}

// Bytes of one word, of several widths, each written by one thread.
MUSTER_SCENARIO(neighbours_in_a_word) {
  struct Word {
    char a, b;
    short c;
    int d;
  };
  auto word = std::make_unique<Word>();
  in_two_threads(
      [&] {
        for (int i = 0; i < 2; ++i) word->a = 1, word->c = 3;
        MUSTER_REQUIRE(word->a + word->c == 4);
      },
      [&] {
        for (int i = 0; i < 2; ++i) word->b = 2, word->d = 4;
        MUSTER_REQUIRE(word->b + word->d == 6);
      });
  std::uint64_t whole = 0;
  std::memcpy(&whole, word.get(), sizeof whole);
  MUSTER_REQUIRE(whole == 0x0000'0004'0003'0201);
}

// Copies that end where the other thread's begin, in the middle of words.
MUSTER_SCENARIO(halves_of_a_buffer) {
  std::vector<char> buffer(50);
  const auto fill = [&](std::size_t from, std::size_t to, char with) {
    const std::vector<char> part(to - from, with);
    std::memcpy(buffer.data() + from, part.data(), part.size());
    std::memmove(buffer.data() + from, buffer.data() + from + 1, part.size() - 1);
  };
  in_two_threads([&] { fill(0, 21, 'a'); }, [&] { fill(21, 50, 'b'); });
  MUSTER_REQUIRE(std::string(buffer.begin(), buffer.end()) == std::string(21, 'a') + std::string(29, 'b'));
}

MUSTER_SCENARIO(atomics_between_plain_bytes) {
  struct Mixed {
    char before = 0;
    std::atomic<char> flag{0};
    char after = 0;
    std::atomic<short> number{0};
  };
  Mixed mixed;
  const auto touch = [&](char Mixed::*member) {
    mixed.*member = 1;
    mixed.flag.fetch_or(1);
    mixed.number.fetch_add(1, std::memory_order_relaxed);
  };
  in_two_threads([&] { touch(&Mixed::before); }, [&] { touch(&Mixed::after); });
  MUSTER_REQUIRE(mixed.before == 1 && mixed.after == 1 && mixed.flag == 1 && mixed.number == 2);
}

// What lies on one thread's stack is lent to others, which are gone before it is given up.
MUSTER_SCENARIO(stack_lent_to_others) {
  const auto sum = [](std::size_t count) {
    auto* const items = static_cast<int*>(alloca(count * sizeof(int)));
    in_two_threads([=] { items[0] = 1; }, [=] { items[count - 1] = 2; });
    return items[0] + items[count - 1];
  };
  MUSTER_REQUIRE(sum(opaque<std::size_t>(40)) == 3);
  MUSTER_REQUIRE(sum(opaque<std::size_t>(3)) == 3);  // where the other one lay
}

// Each round of calls puts other things where the last one's were, in each thread by itself.
MUSTER_SCENARIO(stack_used_again) {
  struct Recursion {
    static int down(int depth, std::atomic<int>& total) {
      std::array<int, 8> own{};
      own[static_cast<std::size_t>(depth)] = depth;
      if (depth > 0) in_a_thread([&] { own[0] += down(depth - 1, total); });
      total += own[0];
      return own[static_cast<std::size_t>(depth)];
    }
  };
  std::atomic<int> total{0};
  MUSTER_REQUIRE(Recursion::down(3, total) == 3);
  MUSTER_REQUIRE(total == 3);
}

MUSTER_SCENARIO(one_object_after_another_in_a_block) {
  alignas(std::max_align_t) static std::byte room[sizeof(std::string)];
  auto* text = new (room) std::string(40, 't');
  in_a_thread([text] {
    text->~basic_string();
    new (room) double(0.5);
  });
  auto* number = std::launder(reinterpret_cast<double*>(room));
  in_a_thread([number] { *number *= 2; });
  MUSTER_REQUIRE(*number == 1.0);
}

namespace {

struct alignas(256) Wide {
  std::atomic<int> value{0};
};

}  // namespace

MUSTER_SCENARIO(over_aligned) {
  auto one = std::make_unique<Wide>();
  std::vector<Wide> many(2);
  auto* page = static_cast<char*>(std::aligned_alloc(4096, 8192));
  in_two_threads([&] { ++one->value, ++many[0].value, page[0] = 1; },
                 [&] { ++one->value, ++many[1].value, page[8191] = 1; });
  MUSTER_REQUIRE(reinterpret_cast<std::uintptr_t>(one.get()) % 256 == 0);
  MUSTER_REQUIRE(reinterpret_cast<std::uintptr_t>(&many[1]) % 256 == 0);
  MUSTER_REQUIRE(reinterpret_cast<std::uintptr_t>(page) % 4096 == 0);
  MUSTER_REQUIRE(one->value == 2 && page[0] + page[8191] == 2);
  std::free(page);
}

// A request that nothing can fulfil is answered, and the program goes on.
MUSTER_SCENARIO(impossible_sizes) {
  const std::size_t huge = opaque(std::size_t{1} << 60);
  in_a_thread([huge] {
    bool thrown = false;
    try {
      std::vector<char> items(huge);
      (void)opaque(items.data());  // else clang++ leaves it out
    } catch (const std::bad_alloc&) {
      thrown = true;
    }
    MUSTER_REQUIRE(thrown);
    MUSTER_REQUIRE(!opaque(new (std::nothrow) char[huge]));  // else clang++ leaves the call out
    errno = 0;
    MUSTER_REQUIRE(!opaque(std::malloc(huge)) && errno == ENOMEM);
    MUSTER_REQUIRE(!opaque(std::calloc(huge, huge)));
    void* block = std::malloc(10);
    MUSTER_REQUIRE(!opaque(std::realloc(block, huge)));
    std::free(block);
  });
}

// Nothing is a size, too.
MUSTER_SCENARIO(blocks_of_no_size) {
  in_a_thread([] {
    void* nothing = std::malloc(opaque<std::size_t>(0));
    std::free(nothing);
    std::free(opaque<void*>(nullptr));
    int* none = new int[opaque<std::size_t>(0)];
    delete[] none;
    delete opaque<int*>(nullptr);
    void* block = std::realloc(opaque<void*>(nullptr), 8);
    MUSTER_REQUIRE(block && malloc_usable_size(block) >= 8);
    block = std::realloc(block, opaque<std::size_t>(0));  // the C library frees it
    MUSTER_REQUIRE(!block);
  });
}

// Grown by one thread, freed by another one.
MUSTER_SCENARIO(block_grown_in_turns) {
  auto* items = static_cast<int*>(std::calloc(2, sizeof(int)));
  in_a_thread([&] {
    items = static_cast<int*>(std::realloc(items, 400 * sizeof(int)));
    items[399] = items[1] + 5;
  });
  MUSTER_REQUIRE(items[0] == 0 && items[399] == 5);
  in_a_thread([&] {
    items = static_cast<int*>(std::realloc(items, 1 * sizeof(int)));
    std::free(items);
  });
}

namespace {

/// Counts, under a lock, what all containers that share it hold.
struct Counter {
  std::mutex mutex;
  std::ptrdiff_t bytes = 0, most = 0;
  void add(std::ptrdiff_t size) {
    const std::lock_guard lock(mutex);
    most = std::max(most, bytes += size);
  }
};
template <class Value>
struct Counting {
  using value_type = Value;
  Counter* counter;
  explicit Counting(Counter& to) : counter(&to) {}
  template <class Other>
  Counting(const Counting<Other>& other) : counter(other.counter) {}
  Value* allocate(std::size_t count) {
    counter->add(static_cast<std::ptrdiff_t>(count * sizeof(Value)));
    return std::allocator<Value>().allocate(count);
  }
  void deallocate(Value* items, std::size_t count) {
    counter->add(-static_cast<std::ptrdiff_t>(count * sizeof(Value)));
    std::allocator<Value>().deallocate(items, count);
  }
  friend bool operator==(const Counting& a, const Counting& b) { return a.counter == b.counter; }
};

}  // namespace

MUSTER_SCENARIO(allocator_with_a_state) {
  Counter counter;
  using List = std::list<int, Counting<int>>;
  List first{Counting<int>(counter)}, second{Counting<int>(counter)};
  in_two_threads([&] { first.push_back(1); }, [&] { second.push_back(2); });
  first.splice(first.end(), second);
  MUSTER_REQUIRE(first.size() == 2 && counter.bytes == counter.most);
  first.clear();
  MUSTER_REQUIRE(counter.bytes == 0);
}

// One pool for all, on which a thread has one of its own, while the other thread uses it as it is.
MUSTER_SCENARIO(pool_on_a_pool) {
  std::pmr::synchronized_pool_resource shared;
  in_two_threads(
      [&] {
        std::pmr::unsynchronized_pool_resource own(&shared);
        std::pmr::string text("a text that needs a block of its own", &own);
        MUSTER_REQUIRE(text.get_allocator().resource() == &own);
      },
      [&] { shared.deallocate(shared.allocate(24), 24); });
}

// A buffer on the stack, and no other memory behind it.
MUSTER_SCENARIO(monotonic_buffers) {
  const auto use = [] {
    std::array<std::byte, 256> room;
    std::pmr::monotonic_buffer_resource resource(room.data(), room.size(), std::pmr::null_memory_resource());
    std::pmr::vector<int> items({1, 2, 3}, &resource);
    items.push_back(4);
    MUSTER_REQUIRE(items.back() == 4);
  };
  in_two_threads(use, use);
}

// Given back by the other thread than the one that got it; the last pages go when the pool goes.
MUSTER_SCENARIO(pool_block_given_back_by_another) {
  std::pmr::synchronized_pool_resource pool;
  void* block = nullptr;
  in_a_thread([&] { block = pool.allocate(24); });
  in_a_thread([&] { pool.deallocate(block, 24); });
  (void)pool.allocate(24);
}

// Memory of the system, with what orders its use inside.
MUSTER_SCENARIO(lock_in_mapped_memory) {
  struct Shared {
    std::mutex mutex;
    std::atomic<int> users;
    int value;
  };
  void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  MUSTER_REQUIRE(memory != MAP_FAILED);
  auto* shared = new (memory) Shared{};
  const auto use = [shared] {
    ++shared->users;
    const std::lock_guard lock(shared->mutex);
    ++shared->value;
  };
  in_two_threads(use, use);
  MUSTER_REQUIRE(shared->value == 2 && shared->users == 2);
  munmap(memory, sizeof(Shared));
}
