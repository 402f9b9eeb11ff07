#include "trace/output_file.hpp"

#include <cerrno>
#include <cstring>

#include "base/error.hpp"

namespace muster::trace {

OutputFile::OutputFile(const std::filesystem::path& path)
    : path_(path.string()), file_(std::fopen(path.c_str(), "wb")) {
  if (!file_) fail("{}: cannot be written: {}", path_, std::strerror(errno));
}

void OutputFile::write(std::span<const std::byte> bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) fail_write();
}

void OutputFile::close() {
  if (std::fclose(file_.release()) != 0) fail_write();
}

void OutputFile::fail_write() const { fail("{}: cannot be written: {}", path_, std::strerror(errno)); }

}  // namespace muster::trace
