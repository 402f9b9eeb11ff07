#pragma once
// A file mapped for reading, followed by at least `padding` readable zero bytes, so that readers may load words past
// its end.

#include <cstddef>
#include <filesystem>
#include <span>

namespace muster::trace {

class MappedFile {
 public:
  static constexpr std::size_t padding = 64;

  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return {static_cast<const std::byte*>(base_), size_}; }

  /// Gives pages before `offset` back to the system: what was read once need not stay resident.
  void forget_before(std::size_t offset) const;

 private:
  void* base_ = nullptr;
  std::size_t size_ = 0;
  std::size_t reserved_ = 0;
};

}  // namespace muster::trace
