#include <array>
#include <cstring>
#include <vector>

#include "base/error.hpp"
#include "trace/binary_file.hpp"
#include "trace/output_file.hpp"
#include "trace/trace_writer.hpp"
#include "trace/varint.hpp"

namespace muster::trace {

using namespace binary;

namespace {

class BinaryWriter final : public TraceWriter {
 public:
  explicit BinaryWriter(const std::filesystem::path& path) : file_(path), chunk_(default_chunk_bytes) {
    std::vector<std::byte> page(header_bytes);
    FileHeader header{.magic = {}, .version = version, .chunk_bytes = default_chunk_bytes, .chunks = 0};
    std::memcpy(header.magic, file_magic, sizeof file_magic);
    std::memcpy(page.data(), &header, sizeof header);
    file_.write(page);
    begin_chunk();
  }

  void write(std::span<const Event> events, const TraceReader& names) override {
    for (const Event& event : events) {
      define(NameClass::thread, event.thread, names);
      if (has_object(event.kind)) define(object_class(event.kind), event.object, names);
      define(NameClass::site, event.site, names);
      make_room(3 * longest_varint + 3);
      if (event.thread != thread_) {
        *at_++ = std::byte{switch_thread};
        at_ = put_varint(at_, event.thread);
        thread_ = event.thread;
      }
      *at_++ = static_cast<std::byte>(event.kind);
      if (has_object(event.kind)) at_ = put_varint(at_, event.object);
      at_ = put_varint(at_, zigzag(static_cast<std::int32_t>(event.site - site_)));
      site_ = event.site;
    }
  }

  void finish() override {
    if (at_ != payload()) seal(false);
    file_.close();
  }

 private:
  static constexpr std::uint32_t no_thread = ~0u;

  std::byte* payload() { return chunk_.data() + sizeof(ChunkHeader); }

  void begin_chunk() {
    at_ = payload();
    thread_ = no_thread;
    site_ = 0;
  }

  void make_room(std::size_t bytes) {
    if (static_cast<std::size_t>(chunk_.data() + chunk_.size() - at_) >= bytes) return;
    seal(true);
    begin_chunk();
  }

  void seal(bool padded) {
    const std::span used{payload(), at_};
    const ChunkHeader header{.magic = chunk_magic,
                             .kind = ChunkKind::stream,
                             .thread = 0,
                             .sequence = sequence_++,
                             .ticket = 0,
                             .index = 0,
                             .used = used.size(),
                             .checksum = payload_checksum(used),
                             .reserved = {}};
    std::memcpy(chunk_.data(), &header, sizeof header);
    std::memset(at_, 0, static_cast<std::size_t>(chunk_.data() + chunk_.size() - at_));
    file_.write(std::span{chunk_}.first(padded ? chunk_.size() : sizeof header + used.size()));
  }

  void define(NameClass name_class, std::uint32_t id, const TraceReader& names) {
    std::uint32_t& defined = defined_[static_cast<unsigned>(name_class)];
    for (; defined <= id; ++defined) {
      const std::string text = names.name(name_class, defined);
      constexpr std::size_t longest_name = default_chunk_bytes / 2;
      if (text.size() > longest_name) fail("a name of {} bytes does not fit into a binary trace", text.size());
      make_room(text.size() + longest_varint + 2);
      *at_++ = std::byte{define_name};
      *at_++ = static_cast<std::byte>(name_class);
      at_ = put_varint(at_, text.size());
      std::memcpy(at_, text.data(), text.size());
      at_ += text.size();
    }
  }

  OutputFile file_;
  std::vector<std::byte> chunk_;
  std::byte* at_ = nullptr;
  std::uint32_t sequence_ = 0;
  std::uint32_t thread_ = no_thread;
  std::uint32_t site_ = 0;
  std::array<std::uint32_t, name_class_count> defined_{};
};

}  // namespace

std::unique_ptr<TraceWriter> create_binary_trace(const std::filesystem::path& path) {
  return std::make_unique<BinaryWriter>(path);
}

}  // namespace muster::trace
