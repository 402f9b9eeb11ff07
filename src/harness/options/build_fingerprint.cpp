#include "harness/options/build_fingerprint.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <span>

#include "base/hash.hpp"

namespace muster {

const std::string& build_fingerprint() {
  // Once: all failures of its kind that were saved before are compared with each finding.
  static const std::string fingerprint = [] {
    std::string content(std::filesystem::file_size("/proc/self/exe"), '\0');
    std::ifstream("/proc/self/exe", std::ios::binary)
        .read(content.data(), static_cast<std::streamsize>(content.size()));
    return fmt::format("{:016x}", hash_bytes(std::as_bytes(std::span(content))));
  }();
  return fingerprint;
}

}  // namespace muster
