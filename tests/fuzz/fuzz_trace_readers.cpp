// libFuzzer target: no bytes make a trace reader, the validator or the predictor do anything but read or refuse them.
//
// The first byte picks what the rest becomes: a file as it is, the payload of a converted trace, or the payloads of two
// recorded threads. The latter get whole headers, which random bytes would hardly ever form.

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "predict/predict.hpp"
#include "trace/binary_format.hpp"
#include "trace/trace_reader.hpp"
#include "trace/validator.hpp"

namespace {

using namespace muster;
using namespace muster::trace::binary;
using Bytes = std::vector<std::uint8_t>;

void append(Bytes& file, const void* data, std::size_t size) {
  const auto* bytes = static_cast<const std::uint8_t*>(data);
  file.insert(file.end(), bytes, bytes + size);
}

void append_chunk(Bytes& file, ChunkKind kind, std::uint32_t thread, const std::uint8_t* data, std::size_t size,
                  bool last) {
  size = std::min<std::size_t>(size, default_chunk_bytes - sizeof(ChunkHeader));
  ChunkHeader header{};
  header.magic = chunk_magic;
  header.kind = kind;
  header.thread = thread;
  header.used = size;
  const std::size_t start = file.size();
  append(file, &header, sizeof header);
  append(file, data, size);
  if (!last) file.resize(start + default_chunk_bytes);
}

Bytes make_file(const std::uint8_t* data, std::size_t size) {
  Bytes file;
  const std::uint8_t mode = data[0] % 4;
  ++data;
  --size;
  if (mode < 2) {
    append(file, data, size);
    return file;
  }
  FileHeader header{};
  std::memcpy(header.magic, file_magic, sizeof file_magic);
  header.version = version;
  header.chunk_bytes = default_chunk_bytes;
  append(file, &header, sizeof header);
  file.resize(header_bytes);
  if (mode == 2) {
    append_chunk(file, ChunkKind::stream, 0, data, size, true);
  } else {
    append_chunk(file, ChunkKind::thread, 0, data, size / 2, false);
    append_chunk(file, ChunkKind::thread, 1, data + size / 2, size - size / 2, true);
  }
  return file;
}

void read_and_predict(const std::string& path) {
  const auto reader = trace::open_trace(path);
  trace::Validator validator(*reader);
  try {
    for (auto batch = reader->next(); !batch.empty(); batch = reader->next())
      for (const trace::Event& event : batch) {
        if (event.site >= reader->count(trace::NameClass::site)) std::abort();
        validator.check(event);
      }
  } catch (const Error&) {
  }
  reader->rewind();
  const predict::Report report = predict::predict(*reader, {.plans = 2});
  for (const predict::GradedGroup& graded : report.groups)
    if (graded.plan && parse_plan(to_text(*graded.plan)).turns.size() != graded.plan->turns.size()) {
      // Only names with blanks or line ends may do this.
      const bool strange = std::any_of(graded.plan->turns.begin(), graded.plan->turns.end(), [](const PlanTurn& turn) {
        return turn.thread.find_first_of("# \r\n") != std::string::npos ||
               turn.location.find_first_of("\r\n") != std::string::npos;
      });
      if (!strange) std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  static const int file = ::memfd_create("trace", 0);
  const Bytes bytes = make_file(data, size);
  if (::ftruncate(file, 0) != 0 || ::pwrite(file, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    return 0;
  try {
    read_and_predict("/proc/self/fd/" + std::to_string(file));
  } catch (const Error&) {
  }
  return 0;
}
