#include "trace/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.hpp"

namespace muster::trace {

namespace {

constexpr std::size_t page = 4096;

struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  struct stat status {};
  if (file.fd < 0 || ::fstat(file.fd, &status) != 0)
    fail("{}: cannot be opened: {}", path.string(), std::strerror(errno));
  if (!S_ISREG(status.st_mode))
    fail("{}: is not a regular file; traces are mapped, so write it to a file first", path.string());
  size_ = static_cast<std::size_t>(status.st_size);
  // Anonymous pages first, the file over them: the zeros behind the file's end are then ours to read.
  reserved_ = (size_ + padding + page - 1) / page * page;
  base_ = ::mmap(nullptr, reserved_, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base_ == MAP_FAILED) fail("{}: cannot be mapped: {}", path.string(), std::strerror(errno));
  if (size_ == 0) return;
  if (::mmap(base_, size_, PROT_READ, MAP_PRIVATE | MAP_FIXED, file.fd, 0) == MAP_FAILED) {
    const int error = errno;
    ::munmap(base_, reserved_);
    fail("{}: cannot be mapped: {}", path.string(), std::strerror(error));
  }
  ::madvise(base_, size_, MADV_SEQUENTIAL);
}

MappedFile::~MappedFile() { ::munmap(base_, reserved_); }

void MappedFile::forget_before(std::size_t offset) const {
  const std::size_t whole = offset / page * page;
  if (whole > 0) ::madvise(base_, whole, MADV_DONTNEED);
}

}  // namespace muster::trace
