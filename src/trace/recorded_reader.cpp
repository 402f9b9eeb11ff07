// Reads what the recorder wrote: a list of chunks a thread, merged by their tickets.
//
// Every synchronisation event and atomic access drew a ticket of its own; a plain access carries the last one of its
// thread. So it comes after the event with its ticket and before whatever the program ordered behind it; two plain
// accesses with the same ticket, or that nothing ordered, stand in no particular order.

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <exception>
#include <queue>
#include <vector>

#include "base/error.hpp"
#include "symbols/symbolizer.hpp"
#include "trace/addressed_objects.hpp"
#include "trace/binary_file.hpp"
#include "trace/names.hpp"
#include "trace/varint.hpp"

namespace muster::trace {

using namespace binary;

namespace {

struct RawEvent {
  Kind kind = Kind::read;
  std::uint64_t object = 0;  // address, or number of a thread
  std::uint64_t size = 0;    // of an access
  std::uint64_t pc = 0;
  std::uint64_t ticket = 0;
  std::uint32_t index = 0;

  std::uint64_t key() const { return 2 * ticket + is_access(kind); }
};

/// The events of one thread, one at a time.
class ThreadStream {
 public:
  explicit ThreadStream(std::vector<const Chunk*> chunks) : chunks_(std::move(chunks)) {}

  /// False at the end, which damage brings on early.
  bool next(RawEvent& event) {
    while (true) {
      while (at_ == end_) {
        if (!open_chunk()) return false;
      }
      const auto code = static_cast<std::uint8_t>(*at_++);
      const std::uint8_t low = code & code_mask;
      std::uint64_t number = 0;
      if (low == advance_ticket) {
        if (!take_varint(at_, end_, number)) return stop();
        ticket_ += number;
        continue;
      }
      if (low >= kind_count || !take_event(static_cast<Kind>(low), code >> 5, event)) return stop();
      return true;
    }
  }

  /// Whether the end came early.
  bool damaged() const { return damaged_; }
  void rewind() {
    chunk_ = 0;
    at_ = end_ = nullptr;
    damaged_ = false;
  }

 private:
  bool open_chunk() {
    if (damaged_ || chunk_ == chunks_.size()) return false;
    const Chunk& chunk = *chunks_[chunk_];
    if (chunk.header.sequence != chunk_) return stop();
    ++chunk_;
    at_ = chunk.payload.data();
    end_ = at_ + chunk.payload.size();
    ticket_ = chunk.header.ticket;
    index_ = static_cast<std::uint32_t>(chunk.header.index);
    address_ = pc_ = 0;
    return true;
  }

  bool take_event(Kind kind, std::uint8_t size_code, RawEvent& event) {
    std::uint64_t object = 0, size = 0, pc = 0;
    if (has_object(kind) && !take_varint(at_, end_, object)) return false;
    if (is_access(kind)) {
      if (size_code != range_size) size = std::uint64_t{1} << size_code;
      if (size_code == range_size && !take_varint(at_, end_, size)) return false;
    }
    if (!take_varint(at_, end_, pc)) return false;
    pc_ += static_cast<std::uint64_t>(unzigzag(pc));
    const bool by_address = has_object(kind) && object_class(kind) != NameClass::thread;
    if (by_address) object = address_ += static_cast<std::uint64_t>(unzigzag(object));
    if (size > largest_range || (has_object(kind) && !by_address && object > 65'535)) return false;
    event = {kind, object, size, pc_, ticket_, index_++};
    return true;
  }

  bool stop() {
    damaged_ = true;
    at_ = end_;
    return false;
  }

  std::vector<const Chunk*> chunks_;
  std::size_t chunk_ = 0;
  const std::byte* at_ = nullptr;
  const std::byte* end_ = nullptr;
  std::uint64_t ticket_ = 0, address_ = 0, pc_ = 0;
  std::uint32_t index_ = 0;
  bool damaged_ = false;
};

class RecordedReader final : public TraceReader {
 public:
  explicit RecordedReader(std::unique_ptr<BinaryFile> file)
      : file_(std::move(file)), symbols_(text_of(*file_, ChunkKind::modules)) {
    collect_threads();
    find_limit();
    cut_memory();
    rewind();
  }

  std::span<const Event> next() override {
    batch_.clear();
    while (batch_.size() < batch_events && !heads_.empty()) {
      const Head head = heads_.top();
      heads_.pop();
      // The same thread goes on while it is ahead of all others.
      do {
        give(head.thread);
      } while (advance(head.thread) && batch_.size() < batch_events &&
               (heads_.empty() || Head{current_[head.thread].key(), head.thread} < heads_.top()));
      if (more_[head.thread]) heads_.push({current_[head.thread].key(), head.thread});
    }
    return batch_;
  }

  void rewind() override {
    heads_ = {};
    current_.assign(threads_.size(), {});
    more_.assign(threads_.size(), false);
    events_ = 0;
    for (std::uint32_t thread = 0; thread < threads_.size(); ++thread) {
      threads_[thread].rewind();
      if (advance(thread)) heads_.push({current_[thread].key(), thread});
    }
  }

  std::string name(NameClass name_class, std::uint32_t id) const override {
    if (name_class == NameClass::thread) return fmt::format("T{}", id);
    if (name_class == NameClass::site) return std::string(site_names_.text(id));
    return objects_.name(name_class, id);
  }

  std::string describe(NameClass name_class, std::uint32_t id) const override {
    const bool has_address = name_class != NameClass::thread && name_class != NameClass::site;
    const std::string known = has_address ? symbols_.variable(objects_.address(name_class, id)) : std::string();
    return known.empty() ? name(name_class, id) : known;
  }

  std::string offset(NameClass name_class, std::uint32_t id) const override {
    return symbols_.to_offset(objects_.address(name_class, id));
  }

  std::uint32_t count(NameClass name_class) const override {
    if (name_class == NameClass::thread) return static_cast<std::uint32_t>(threads_.size());
    return name_class == NameClass::site ? site_names_.size() : objects_.count(name_class);
  }

  std::string about() const override { return text_of(*file_, ChunkKind::about); }

  std::string where(const Event& event) const override {
    return fmt::format("{}: event {}", file_->path(), event.line);
  }

  std::optional<std::string> note() const override {
    if (limit_ == no_limit) return std::nullopt;
    return fmt::format(
        "{}: truncated or damaged: what all threads did is known up to event {}; later events are left out",
        file_->path(), events_);
  }

 private:
  static constexpr std::size_t batch_events = 4096;
  static constexpr std::uint64_t no_limit = ~std::uint64_t{0};

  struct Head {
    std::uint64_t key;
    std::uint32_t thread;
    bool operator<(const Head& other) const { return key != other.key ? key < other.key : thread < other.thread; }
    bool operator>(const Head& other) const { return other < *this; }
  };

  static std::string text_of(const BinaryFile& file, ChunkKind kind) {
    std::string text;
    for (const Chunk& chunk : file.chunks())
      if (chunk.header.kind == kind)
        text.append(reinterpret_cast<const char*>(chunk.payload.data()), chunk.payload.size());
    return text;
  }

  void collect_threads() {
    std::vector<std::vector<const Chunk*>> chunks;
    for (const Chunk& chunk : file_->chunks()) {
      if (chunk.header.kind != ChunkKind::thread) continue;
      if (chunk.header.thread > 65'535)
        fail("{}: byte {}: thread number {}", file_->path(), chunk.offset, chunk.header.thread);
      if (chunk.header.thread >= chunks.size()) chunks.resize(chunk.header.thread + 1);
      chunks[chunk.header.thread].push_back(&chunk);
    }
    for (auto& list : chunks) {
      std::ranges::stable_sort(list, {}, [](const Chunk* chunk) { return chunk->header.sequence; });
      threads_.emplace_back(std::move(list));
    }
  }

  /// Chunks are begun in the order of the file, and each before the tickets of its events are drawn. So whatever a cut
  /// took away comes after the last ticket drawn when the last chunk that is left was begun.
  void find_limit() {
    if (!file_->truncated() && !file_->damage()) return;
    limit_ = 0;
    for (const Chunk& chunk : file_->chunks())
      if (chunk.header.kind == ChunkKind::thread) limit_ = std::max(limit_, chunk.header.ticket);
  }

  void cut_memory() {
    RawEvent event;
    for (ThreadStream& thread : threads_) {
      std::uint64_t last = 0;
      while (thread.next(event)) {
        objects_.cut(event.kind, event.object, event.size);
        last = event.ticket;
      }
      if (thread.damaged()) limit_ = std::min(limit_, last);
      thread.rewind();
    }
  }

  std::uint64_t last_key() const { return limit_ == no_limit ? no_limit : 2 * limit_; }

  bool advance(std::uint32_t thread) {
    more_[thread] = threads_[thread].next(current_[thread]) && current_[thread].key() <= last_key();
    return more_[thread];
  }

  void give(std::uint32_t thread) {
    const RawEvent raw = current_[thread];  // a copy: threads may be added
    if (has_object(raw.kind) && object_class(raw.kind) == NameClass::thread) {
      while (threads_.size() <= raw.object) add_silent_thread();
    }
    objects_.resolve({.object = 0,
                      .site = site(raw.pc),
                      .line = ++events_,
                      .index = raw.index,
                      .thread = static_cast<ThreadIndex>(thread),
                      .kind = raw.kind},
                     raw.object, raw.size, batch_);
  }

  /// Accesses at one source line are at one place, however many instructions it has.
  std::uint32_t site(std::uint64_t pc) {
    const auto [entry, is_new] = site_of_.try_emplace(pc, 0);
    if (is_new) entry->second = site_names_.intern(symbols_.describe(pc));
    return entry->second;
  }

  /// A thread that was forked and recorded nothing.
  void add_silent_thread() {
    threads_.emplace_back(std::vector<const Chunk*>{});
    current_.emplace_back();
    more_.push_back(false);
  }

  std::unique_ptr<BinaryFile> file_;
  Symbolizer symbols_;
  std::vector<ThreadStream> threads_;
  std::uint64_t limit_ = no_limit;  // behind the event with this ticket, events of some thread may be missing
  AddressedObjects objects_;
  absl::flat_hash_map<std::uint64_t, std::uint32_t> site_of_;
  NameTable site_names_;
  std::priority_queue<Head, std::vector<Head>, std::greater<>> heads_;
  std::vector<RawEvent> current_;
  std::vector<bool> more_;
  std::uint32_t events_ = 0;
  std::vector<Event> batch_;
};

}  // namespace

std::unique_ptr<TraceReader> open_recorded_trace(std::unique_ptr<BinaryFile> file) {
  return std::make_unique<RecordedReader>(std::move(file));
}

}  // namespace muster::trace
