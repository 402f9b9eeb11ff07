#include "runtime/restore.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace muster {
namespace {

constexpr std::size_t page_size = 4096;
// Copying this much costs about as much as a short execution; beyond it only pages that executions write to are copied.
constexpr std::size_t copied_whole = 32 << 10;

std::byte* page_up(std::byte* p) { return reinterpret_cast<std::byte*>((reinterpret_cast<std::uintptr_t>(p) + page_size - 1) & ~(page_size - 1)); }
std::byte* page_down(std::byte* p) { return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(p) & ~(page_size - 1)); }

}  // namespace

void Restorer::snapshot(std::vector<std::span<std::byte>> ranges) {
  ranges_ = std::move(ranges);
  std::size_t total = 0;
  for (const auto& range : ranges_) total += range.size();
  copy_.resize(total);
  eager_.clear();
  untouched_.clear();
  std::size_t offset = 0;
  for (const auto& range : ranges_) {
    std::memcpy(copy_.data() + offset, range.data(), range.size());
    if (range.size() <= copied_whole) {
      eager_.push_back({range.data(), offset, range.size()});
    } else {
      protect_pages(range, offset);
    }
    offset += range.size();
  }
  eager_.reserve(eager_.size() + untouched_.size());  // first_write runs in a signal handler: no allocation there
}

void Restorer::protect_pages(std::span<std::byte> range, std::size_t offset) {
  std::byte* first = page_up(range.data());
  std::byte* end = range.data() + range.size();
  std::byte* last = std::max(first, page_down(end));
  if (first > range.data()) eager_.push_back({range.data(), offset, static_cast<std::size_t>(std::min(first, end) - range.data())});
  for (std::byte* page = first; page < last; page += page_size) {
    untouched_.push_back({page, offset + static_cast<std::size_t>(page - range.data()), page_size});
    mprotect(page, page_size, PROT_READ);
  }
  if (last < end) eager_.push_back({last, offset + static_cast<std::size_t>(last - range.data()), static_cast<std::size_t>(end - last)});
}

void Restorer::restore() {
  for (const Page& page : eager_) std::memcpy(page.address, copy_.data() + page.offset, page.size);
}

bool Restorer::first_write(void* address) {
  std::byte* page = page_down(static_cast<std::byte*>(address));
  const auto found = std::find_if(untouched_.begin(), untouched_.end(), [page](const Page& p) { return p.address == page; });
  if (found == untouched_.end()) return false;
  mprotect(page, page_size, PROT_READ | PROT_WRITE);
  eager_.push_back(*found);
  *found = untouched_.back();
  untouched_.pop_back();
  return true;
}

}  // namespace muster
