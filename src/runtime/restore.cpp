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

std::byte* page_up(std::byte* p) {
  return reinterpret_cast<std::byte*>((reinterpret_cast<std::uintptr_t>(p) + page_size - 1) & ~(page_size - 1));
}
std::byte* page_down(std::byte* p) {
  return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(p) & ~(page_size - 1));
}

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
  if (first > range.data())
    eager_.push_back({range.data(), offset, static_cast<std::size_t>(std::min(first, end) - range.data())});
  for (std::byte* page = first; page < last; page += page_size) {
    untouched_.push_back({page, offset + static_cast<std::size_t>(page - range.data()), page_size});
    mprotect(page, page_size, PROT_READ);
  }
  if (last < end)
    eager_.push_back(
        {last, offset + static_cast<std::size_t>(last - range.data()), static_cast<std::size_t>(end - last)});
}

void Restorer::restore() {
  for (const Page& page : eager_) std::memcpy(page.address, copy_.data() + page.offset, page.size);
}

/// True if the page was among those that nobody had written to.
bool Restorer::take_page(std::vector<Page>& from, std::vector<Page>& to, std::byte* address) {
  const auto found = std::find_if(from.begin(), from.end(), [address](const Page& p) { return p.address == address; });
  if (found == from.end()) return false;
  mprotect(address, page_size, PROT_READ | PROT_WRITE);
  to.push_back(*found);
  *found = from.back();
  from.pop_back();
  return true;
}

bool Restorer::first_write(void* address) {
  std::byte* page = page_down(static_cast<std::byte*>(address));
  if (take_page(untouched_, eager_, page)) return true;
  if (!take_page(unwritten_, followed_, page)) return false;
  std::memcpy(followed_copy_.data() + followed_.back().offset, page, page_size);
  return true;
}

void Restorer::follow(const std::vector<std::span<std::byte>>& ranges) {
  for (const auto& range : ranges) {
    for (std::byte* page = page_down(range.data()); page < range.data() + range.size(); page += page_size) {
      if (std::any_of(followed_.begin(), followed_.end(), [page](const Page& p) { return p.address == page; }))
        continue;
      followed_.push_back({page, followed_.size() * page_size, page_size});
    }
  }
  followed_copy_.resize(followed_.size() * page_size);
}

void Restorer::follow_anew() {
  for (const Page& page : followed_) {
    unwritten_.push_back(page);
    mprotect(page.address, page_size, PROT_READ);
  }
  followed_.clear();
}

void Restorer::stop_following() {
  for (const Page& page : unwritten_) mprotect(page.address, page_size, PROT_READ | PROT_WRITE);
  unwritten_.clear();
}

void Restorer::pass(Tape& tape) {
  struct Counts {
    std::size_t eager, followed;
  };
  Counts counts{eager_.size(), followed_.size()};
  tape.run([&](auto& strip) {
    strip.pass(counts);
    for (std::size_t i = 0; i < counts.eager; ++i) strip.pass(eager_[i].address, eager_[i].size);
    for (std::size_t i = 0; i < counts.followed; ++i) strip.pass(followed_[i].address, followed_[i].size);
  });
  put_back_from(counts.eager, eager_, copy_);
  put_back_from(counts.followed, followed_, followed_copy_);
}

/// Pages that were added since the state was saved were at that time as their copy says.
void Restorer::put_back_from(std::size_t first, const std::vector<Page>& pages, const std::vector<std::byte>& copy) {
  for (std::size_t i = first; i < pages.size(); ++i)
    std::memcpy(pages[i].address, copy.data() + pages[i].offset, pages[i].size);
}

std::size_t Restorer::size_to_pass() const {
  std::size_t size = followed_.size() * page_size;
  for (const Page& page : eager_) size += page.size;
  return size;
}

}  // namespace muster
