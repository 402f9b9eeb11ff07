#include "distribute/job.hpp"

#include <cstring>

#include "base/error.hpp"

namespace muster {
namespace {

/// Both directions: each field of a message once.
class Writer {
 public:
  void field(std::uint64_t number) { bytes.append(reinterpret_cast<const char*>(&number), sizeof number); }
  void field(const std::string& text) {
    field(std::uint64_t{text.size()});
    bytes += text;
  }
  void field(const std::vector<std::string>& words) {
    field(std::uint64_t{words.size()});
    for (const std::string& word : words) field(word);
  }
  std::string bytes;
};

class Reader {
 public:
  explicit Reader(const std::string& bytes) : bytes_(bytes) {}

  std::uint64_t number() {
    std::uint64_t number = 0;
    need(sizeof number);
    std::memcpy(&number, bytes_.data() + at_, sizeof number);
    at_ += sizeof number;
    return number;
  }
  std::string text() {
    const auto size = number();
    need(size);
    at_ += size;
    return bytes_.substr(at_ - size, size);
  }
  std::vector<std::string> words() {
    std::vector<std::string> words;
    for (auto i = number(); i > 0; --i) words.push_back(text());
    return words;
  }

 private:
  void need(std::uint64_t size) const {
    if (bytes_.size() - at_ < size) fail("a message from another rank is cut off");
  }
  const std::string& bytes_;
  std::size_t at_ = 0;
};

constexpr double microseconds = 1e6;

}  // namespace

std::string to_bytes(const Job& job) {
  Writer writer;
  writer.field(job.id);
  writer.field(job.command);
  writer.field(job.input);
  writer.field(job.output_suffix);
  return std::move(writer.bytes);
}

Job job_of(const std::string& bytes) {
  Reader reader(bytes);
  Job job;
  job.id = reader.number();
  job.command = reader.words();
  job.input = reader.text();
  job.output_suffix = reader.text();
  return job;
}

std::string to_bytes(const JobEnd& end) {
  Writer writer;
  writer.field(end.id);
  writer.field(static_cast<std::uint64_t>(end.exit_code));
  writer.field(end.said);
  writer.field(end.errors);
  writer.field(end.output);
  writer.field(end.report);
  writer.field(static_cast<std::uint64_t>(end.seconds * microseconds));
  return std::move(writer.bytes);
}

JobEnd end_of(const std::string& bytes) {
  Reader reader(bytes);
  JobEnd end;
  end.id = reader.number();
  end.exit_code = static_cast<int>(reader.number());
  end.said = reader.text();
  end.errors = reader.text();
  end.output = reader.text();
  end.report = reader.text();
  end.seconds = static_cast<double>(reader.number()) / microseconds;
  return end;
}

}  // namespace muster
