// Reads the interleaved binary form: one stream of events with names defined before their first use.

#include <array>
#include <exception>
#include <vector>

#include "base/error.hpp"
#include "trace/binary_file.hpp"
#include "trace/names.hpp"
#include "trace/varint.hpp"

namespace muster::trace {

using namespace binary;

namespace {

class StreamReader final : public TraceReader {
 public:
  explicit StreamReader(std::unique_ptr<BinaryFile> file) : file_(std::move(file)) { batch_.reserve(batch_events); }

  std::span<const Event> next() override {
    if (pending_) std::rethrow_exception(pending_);
    batch_.clear();
    try {
      while (batch_.empty() && open_chunk()) decode();
    } catch (const Error&) {
      pending_ = std::current_exception();
      if (batch_.empty()) throw;
    }
    return batch_;
  }

  void rewind() override {
    chunk_ = 0;
    at_ = end_ = nullptr;
    events_ = 0;
    seen_.fill(0);
    next_index_.assign(next_index_.size(), 0);
    thread_ = 0;
    thread_known_ = false;
    pending_ = nullptr;
  }

  std::string name(NameClass name_class, std::uint32_t id) const override {
    return std::string(tables_[static_cast<unsigned>(name_class)].text(id));
  }
  std::uint32_t count(NameClass name_class) const override { return seen_[static_cast<unsigned>(name_class)]; }
  std::string where(const Event& event) const override {
    return fmt::format("{}: event {}", file_->path(), event.line);
  }
  std::optional<std::string> note() const override {
    if (!file_->truncated()) return std::nullopt;
    return fmt::format("{}: truncated: the file ends inside a chunk, after event {}", file_->path(), events_);
  }

 private:
  static constexpr std::size_t batch_events = 4096;

  /// Whether there is payload left to decode, in this chunk or a later one.
  bool open_chunk() {
    while (at_ == end_) {
      if (chunk_ == file_->chunks().size()) {
        if (file_->damage()) throw Error(*file_->damage());
        return false;
      }
      const Chunk& chunk = file_->chunks()[chunk_];
      if (chunk.header.kind != ChunkKind::stream || chunk.header.sequence != chunk_)
        fail("{}: byte {}: a chunk is missing before this one; what follows is not read", file_->path(), chunk.offset);
      if (!checksum_holds(chunk))
        fail("{}: byte {}: the checksum of this chunk does not hold; what follows is not read", file_->path(),
             chunk.offset);
      ++chunk_;
      at_ = chunk.payload.data();
      end_ = at_ + chunk.payload.size();
      cut_ = chunk.payload.size() < chunk.header.used;
      site_ = 0;
      thread_known_ = false;
      constexpr std::size_t forget_every = 256;
      if (chunk_ % forget_every == 0) file_->mapped().forget_before(chunk.offset);
    }
    return true;
  }

  void decode() {
    while (at_ != end_ && batch_.size() < batch_events) {
      const std::byte* const start = at_;
      const auto code = static_cast<std::uint8_t>(*at_++);
      const bool whole = code < kind_count       ? take_event(static_cast<Kind>(code))
                         : code == switch_thread ? take_thread()
                         : code == define_name   ? take_name()
                                                 : damaged(start);
      if (whole) continue;
      if (!cut_) damaged(start);
      at_ = end_;  // the file was cut inside this entry
    }
  }

  bool take_event(Kind kind) {
    std::uint64_t object = 0, difference = 0;
    if (has_object(kind) && !take_varint(at_, end_, object)) return false;
    if (!take_varint(at_, end_, difference)) return false;
    site_ += static_cast<std::uint32_t>(unzigzag(difference));
    const NameClass name_class = object_class(kind);
    if (!thread_known_ || site_ >= seen(NameClass::site) || (has_object(kind) && object >= seen(name_class)))
      fail("{}: event {}: names a thread, object or site that was never defined", file_->path(), events_ + 1);
    batch_.push_back({.object = static_cast<std::uint32_t>(object),
                      .site = site_,
                      .line = ++events_,
                      .index = next_index_[thread_]++,
                      .thread = thread_,
                      .kind = kind});
    return true;
  }

  bool take_thread() {
    std::uint64_t thread = 0;
    if (!take_varint(at_, end_, thread)) return false;
    if (thread >= seen(NameClass::thread))
      fail("{}: event {}: thread {} was never defined", file_->path(), events_ + 1, thread);
    thread_ = static_cast<ThreadIndex>(thread);
    thread_known_ = true;
    return true;
  }

  bool take_name() {
    std::uint64_t length = 0;
    if (at_ == end_) return false;
    const auto name_class = static_cast<std::uint8_t>(*at_++);
    if (!take_varint(at_, end_, length) || length > static_cast<std::size_t>(end_ - at_)) return false;
    if (name_class >= name_class_count) fail("{}: event {}: unknown class of names", file_->path(), events_ + 1);
    const std::string_view text{reinterpret_cast<const char*>(at_), static_cast<std::size_t>(length)};
    if (tables_[name_class].intern(text) != seen_[name_class])
      fail("{}: event {}: `{}` is defined twice", file_->path(), events_ + 1, text);
    ++seen_[name_class];
    at_ += length;
    if (static_cast<NameClass>(name_class) == NameClass::thread) {
      if (seen(NameClass::thread) > 65'536) fail("{}: more than 65,536 threads", file_->path());
      next_index_.resize(tables_[name_class].size());
    }
    return true;
  }

  [[noreturn]] bool damaged(const std::byte* at) const {
    fail("{}: byte {}: not an event; the file is damaged here, after event {}", file_->path(),
         at - file_->mapped().bytes().data(), events_);
  }

  std::uint32_t seen(NameClass name_class) const { return seen_[static_cast<unsigned>(name_class)]; }

  std::unique_ptr<BinaryFile> file_;
  std::size_t chunk_ = 0;
  const std::byte* at_ = nullptr;
  const std::byte* end_ = nullptr;
  bool cut_ = false;
  std::uint32_t events_ = 0;
  std::uint32_t site_ = 0;
  ThreadIndex thread_ = 0;
  bool thread_known_ = false;
  std::array<NameTable, name_class_count> tables_;
  std::array<std::uint32_t, name_class_count> seen_{};  // defined so far in this pass; the tables survive a rewind
  std::vector<std::uint32_t> next_index_;
  std::vector<Event> batch_;
  std::exception_ptr pending_;
};

}  // namespace

std::unique_ptr<TraceReader> open_stream_trace(std::unique_ptr<BinaryFile> file) {
  return std::make_unique<StreamReader>(std::move(file));
}

}  // namespace muster::trace
