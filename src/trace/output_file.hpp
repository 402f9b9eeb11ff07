#pragma once
// A file being written; every failure is an Error that names it.

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace muster::trace {

class OutputFile {
 public:
  explicit OutputFile(const std::filesystem::path& path);
  void write(std::span<const std::byte> bytes);
  void close();

 private:
  [[noreturn]] void fail_write() const;

  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace muster::trace
