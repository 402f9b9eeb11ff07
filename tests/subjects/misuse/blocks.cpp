// Blocks end at their last byte, and are freed by the counterpart of what allocated them.
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory_resource>
#include <muster/scenario.hpp>
#include <new>
#include <string>
#include <thread>
#include <vector>

namespace {

template <class Body>
void in_a_thread(Body body) {
  std::thread other(body);
  other.join();
}

void write_to(volatile char* byte) { *byte = 1; }
char read_from(const volatile char* byte) { return *byte; }

/// What compilers know of a block they look at no more.
template <class T>
T* opaque(T* block) {
  T* volatile hidden = block;
  return hidden;
}

struct alignas(64) Wide {
  char bytes[64];
};

}  // namespace

MUSTER_SCENARIO(one_byte_behind) {
  char* block = opaque(new char[8]);
  in_a_thread([=] { write_to(block + 8); });
  delete[] block;
}

MUSTER_SCENARIO(one_byte_behind_an_odd_block) {
  char* block = opaque(new char[5]);
  in_a_thread([=] {
    write_to(block + 4);
    read_from(block + 5);
  });
  delete[] block;
}

MUSTER_SCENARIO(one_byte_behind_alone) {
  auto* block = opaque(static_cast<char*>(std::malloc(3)));
  write_to(block + 2);
  read_from(block + 3);
  std::free(block);
  in_a_thread([] {});
}

MUSTER_SCENARIO(one_byte_behind_a_large_block) {
  char* block = opaque(new char[1001]);
  in_a_thread([=] {
    write_to(block + 1000);
    write_to(block + 1001);
  });
  delete[] block;
}

MUSTER_SCENARIO(more_than_a_number) {
  auto* number = opaque(new int(1));
  in_a_thread([=] { *reinterpret_cast<volatile long*>(number) = 2; });
  delete number;
}

MUSTER_SCENARIO(atomic_behind_a_number) {
  auto* number = opaque(new std::atomic<int>(1));
  in_a_thread([=] { number[1].store(2); });
  delete number;
}

MUSTER_SCENARIO(copied_too_far) {
  char* block = opaque(new char[20]);
  in_a_thread([=] { std::memset(block, 0, opaque(block) == block ? 21 : 20); });
  delete[] block;
}

MUSTER_SCENARIO(behind_a_block_used_again) {
  char* first = opaque(new char[14]);
  write_to(first + 13);
  delete[] first;
  char* second = opaque(new char[9]);
  in_a_thread([=] { write_to(second + 9); });
  delete[] second;
}

MUSTER_SCENARIO(up_to_the_last_byte) {
  char* block = opaque(new char[13]);
  auto* number = opaque(new std::atomic<int>(1));
  in_a_thread([=] {
    for (int i = 0; i < 13; ++i) write_to(block + i);
    number->fetch_add(1);
    std::memset(block, 0, 13);
  });
  read_from(block + 12);
  MUSTER_REQUIRE(*number == 2);
  char* copy = static_cast<char*>(std::memcpy(new char[13], block, 13));
  delete[] copy;
  std::string text(29, 'x');
  text += 'y';
  in_a_thread([&] { MUSTER_REQUIRE(text.back() == 'y'); });
  delete number;
  delete[] block;
}

MUSTER_SCENARIO(array_given_to_free) {
  int* block = opaque(new int[4]);
  in_a_thread([=] { std::free(block); });
}

MUSTER_SCENARIO(array_given_to_delete) {
  int* block = opaque(new int[4]);
  in_a_thread([=] { delete block; });
}

MUSTER_SCENARIO(object_given_to_array_delete) {
  int* block = opaque(new int(4));
  in_a_thread([=] { delete[] block; });
}

MUSTER_SCENARIO(object_given_to_realloc) {
  int* block = opaque(new int(4));
  in_a_thread([=] { std::free(std::realloc(block, 100)); });
}

MUSTER_SCENARIO(malloc_given_to_delete) {
  auto* block = opaque(static_cast<int*>(std::malloc(4)));
  in_a_thread([=] { ::operator delete(block); });
}

MUSTER_SCENARIO(aligned_given_to_delete) {
  auto* block = opaque(static_cast<Wide*>(::operator new (sizeof(Wide), std::align_val_t{64})));
  in_a_thread([=] { ::operator delete(block); });
}

MUSTER_SCENARIO(middle_given_to_free) {
  auto* block = opaque(static_cast<char*>(std::malloc(100)));
  in_a_thread([=] { std::free(opaque(block + 8)); });
  std::free(block);
}

MUSTER_SCENARIO(later_middle_given_to_free) {
  auto* block = opaque(static_cast<char*>(std::malloc(100)));
  in_a_thread([=] { std::free(opaque(block + 16)); });
  std::free(block);
}

MUSTER_SCENARIO(freed_by_their_counterparts) {
  void* block = std::realloc(std::malloc(3), 50);
  void* aligned = nullptr;
  MUSTER_REQUIRE(posix_memalign(&aligned, 128, 10) == 0);
  Wide* wide = new Wide;
  Wide* many = new Wide[2];
  auto* quiet = new (std::nothrow) int[3];
  std::pmr::vector<Wide> pool(3, std::pmr::new_delete_resource());
  std::vector<Wide> values(2);
  in_a_thread([&] {
    std::free(block);
    std::free(aligned);
    delete wide;
    delete[] many;
    delete[] quiet;
    pool.resize(20);
    values.clear();
    values.shrink_to_fit();
  });
  std::free(std::aligned_alloc(64, 64));
  std::free(std::calloc(3, 5));
}
