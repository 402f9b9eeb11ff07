#include "history/input.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace muster {
namespace {

constexpr std::size_t piece_size = std::size_t{4} << 20;

class Descriptor {
 public:
  explicit Descriptor(const std::string& path)
      : owned_(path != "-"), fd_(owned_ ? ::open(path.c_str(), O_RDONLY | O_CLOEXEC) : 0) {
    if (fd_ < 0) fail("{}: {}", path, std::strerror(errno));
  }
  Descriptor(Descriptor&& other) noexcept : owned_(std::exchange(other.owned_, false)), fd_(other.fd_) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (owned_) ::close(fd_);
  }
  int get() const { return fd_; }

 private:
  bool owned_;
  int fd_;
};

/// A regular file, mapped piece by piece so that what was read does not stay in memory. The last piece is copied,
/// because nothing readable need follow the end of a mapping.
class MappedInput final : public Input {
 public:
  MappedInput(std::string path, Descriptor file, std::size_t size)
      : path_(std::move(path)), file_(std::move(file)), size_(size) {
    address_ = static_cast<char*>(::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file_.get(), 0));
    if (address_ == MAP_FAILED) fail("{}: cannot be mapped: {}", path_, std::strerror(errno));
    ::madvise(address_, size_, MADV_SEQUENTIAL);
  }
  ~MappedInput() override { ::munmap(address_, size_); }

  std::string_view next() override {
    drop_before(at_);
    if (at_ == size_) return {};
    const std::size_t left = size_ - at_;
    if (left > piece_size + input_padding) {
      const void* newline = ::memrchr(address_ + at_, '\n', piece_size);
      // A line longer than a piece: up to its end, wherever that is.
      if (!newline) newline = std::memchr(address_ + at_ + piece_size, '\n', left - piece_size - input_padding);
      if (newline) {
        const auto length = static_cast<std::size_t>(static_cast<const char*>(newline) - (address_ + at_)) + 1;
        const std::string_view piece(address_ + at_, length);
        at_ += length;
        return piece;
      }
    }
    tail_.assign(address_ + at_, left);
    tail_.resize(left + input_padding);
    at_ = size_;
    return {tail_.data(), left};
  }

 private:
  void drop_before(std::size_t end) {
    const std::size_t page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t whole = end / page * page;
    if (whole > dropped_) ::madvise(address_ + dropped_, whole - dropped_, MADV_DONTNEED);
    dropped_ = std::max(dropped_, whole);
  }

  std::string path_;
  Descriptor file_;
  std::size_t size_;
  char* address_ = nullptr;
  std::size_t at_ = 0;
  std::size_t dropped_ = 0;
  std::string tail_;
};

/// Something that gives bytes when asked, as many as it has.
class Bytes {
 public:
  virtual ~Bytes() = default;
  /// Fills up to `size` bytes; 0 at the end.
  virtual std::size_t read(char* out, std::size_t size) = 0;
};

class PlainBytes final : public Bytes {
 public:
  PlainBytes(std::string path, Descriptor file) : path_(std::move(path)), file_(std::move(file)) {}
  std::size_t read(char* out, std::size_t size) override {
    // What was looked at to recognise compression comes first.
    if (!looked_at_.empty()) {
      const std::size_t count = std::min(size, looked_at_.size());
      std::memcpy(out, looked_at_.data(), count);
      looked_at_.erase(0, count);
      return count;
    }
    for (;;) {
      const ssize_t count = ::read(file_.get(), out, size);
      if (count >= 0) return static_cast<std::size_t>(count);
      if (errno != EINTR) fail("{}: cannot be read: {}", path_, std::strerror(errno));
    }
  }
  std::string_view look(std::size_t size) {
    while (looked_at_.size() < size) {
      char buffer[16];
      const ssize_t count = ::read(file_.get(), buffer, std::min(sizeof buffer, size - looked_at_.size()));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) fail("{}: cannot be read: {}", path_, std::strerror(errno));
      if (count == 0) break;
      looked_at_.append(buffer, static_cast<std::size_t>(count));
    }
    return looked_at_;
  }

 private:
  std::string path_;
  Descriptor file_;
  std::string looked_at_;
};

class GzipBytes final : public Bytes {
 public:
  GzipBytes(std::string path, std::unique_ptr<Bytes> from)
      : path_(std::move(path)), from_(std::move(from)), buffer_(1 << 16) {
    if (::inflateInit2(&stream_, 15 + 32) != Z_OK) fail("{}: cannot start decompression", path_);
  }
  ~GzipBytes() override { ::inflateEnd(&stream_); }

  std::size_t read(char* out, std::size_t size) override {
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = static_cast<uInt>(size);
    while (stream_.avail_out > 0) {
      if (stream_.avail_in == 0) {
        stream_.next_in = reinterpret_cast<Bytef*>(buffer_.data());
        stream_.avail_in = static_cast<uInt>(from_->read(buffer_.data(), buffer_.size()));
        if (stream_.avail_in == 0) {
          if (!between_members_) fail("{}: the gzip data is cut short", path_);
          break;
        }
      }
      between_members_ = false;
      const int status = ::inflate(&stream_, Z_NO_FLUSH);
      if (status == Z_STREAM_END) {
        // Files may be several gzip members, one after the other.
        ::inflateReset(&stream_);
        between_members_ = true;
      } else if (status != Z_OK && status != Z_BUF_ERROR) {
        fail("{}: the gzip data is damaged", path_);
      }
    }
    return size - stream_.avail_out;
  }

 private:
  std::string path_;
  std::unique_ptr<Bytes> from_;
  std::vector<char> buffer_;
  z_stream stream_{};
  bool between_members_ = false;
};

class ZstdBytes final : public Bytes {
 public:
  ZstdBytes(std::string path, std::unique_ptr<Bytes> from)
      : path_(std::move(path)),
        from_(std::move(from)),
        stream_(::ZSTD_createDStream()),
        buffer_(::ZSTD_DStreamInSize()) {}
  ~ZstdBytes() override { ::ZSTD_freeDStream(stream_); }

  std::size_t read(char* out, std::size_t size) override {
    ZSTD_outBuffer filled{out, size, 0};
    while (filled.pos < filled.size) {
      if (input_.pos == input_.size) {
        input_ = {buffer_.data(), from_->read(buffer_.data(), buffer_.size()), 0};
        if (input_.size == 0) {
          if (left_ != 0) fail("{}: the zstd data is cut short", path_);
          break;
        }
      }
      left_ = ::ZSTD_decompressStream(stream_, &filled, &input_);
      if (::ZSTD_isError(left_)) fail("{}: the zstd data is damaged: {}", path_, ::ZSTD_getErrorName(left_));
    }
    return filled.pos;
  }

 private:
  std::string path_;
  std::unique_ptr<Bytes> from_;
  ZSTD_DStream* stream_;
  std::vector<char> buffer_;
  ZSTD_inBuffer input_{nullptr, 0, 0};
  std::size_t left_ = 0;
};

/// Cuts a stream of bytes into pieces; what follows the last line's end waits for the next piece.
class StreamInput final : public Input {
 public:
  explicit StreamInput(std::unique_ptr<Bytes> from) : from_(std::move(from)) {}

  std::string_view next() override {
    buffer_.erase(0, given_);
    std::size_t filled = buffer_.size() < input_padding ? 0 : buffer_.size() - input_padding;
    for (;;) {
      buffer_.resize(filled + piece_size + input_padding);
      std::size_t end = filled + piece_size;
      bool at_end = false;
      while (filled < end) {
        const std::size_t count = from_->read(buffer_.data() + filled, end - filled);
        if (count == 0) {
          at_end = true;
          break;
        }
        filled += count;
      }
      buffer_.resize(filled + input_padding);
      const std::size_t newline = std::string_view(buffer_.data(), filled).rfind('\n');
      if (at_end) {
        given_ = filled;
        return {buffer_.data(), filled};
      }
      if (newline != std::string_view::npos) {
        given_ = newline + 1;
        return {buffer_.data(), given_};
      }
    }
  }

 private:
  std::unique_ptr<Bytes> from_;
  std::string buffer_;
  std::size_t given_ = 0;
};

}  // namespace

std::unique_ptr<Input> open_input(const std::string& path) {
  Descriptor file(path);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) fail("{}: {}", path, std::strerror(errno));
  if (S_ISDIR(status.st_mode)) fail("{}: is a folder; name the files in it", path);
  const bool can_map = path != "-" && S_ISREG(status.st_mode) && status.st_size > 0;
  if (can_map) {
    char first[4] = {};
    if (::pread(file.get(), first, 4, 0) < 0) fail("{}: cannot be read: {}", path, std::strerror(errno));
    const std::string_view magic(first, 4);
    if (!magic.starts_with("\x1f\x8b") && magic != "\x28\xb5\x2f\xfd") {
      return std::make_unique<MappedInput>(path, std::move(file), static_cast<std::size_t>(status.st_size));
    }
  }
  auto plain = std::make_unique<PlainBytes>(path, std::move(file));
  const std::string magic(plain->look(4));
  std::unique_ptr<Bytes> bytes = std::move(plain);
  if (magic.starts_with("\x1f\x8b")) {
    bytes = std::make_unique<GzipBytes>(path, std::move(bytes));
  } else if (magic == "\x28\xb5\x2f\xfd") {
    bytes = std::make_unique<ZstdBytes>(path, std::move(bytes));
  }
  return std::make_unique<StreamInput>(std::move(bytes));
}

}  // namespace muster
