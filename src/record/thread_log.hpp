#pragma once
// What one thread recorded, written straight into its mapped chunk: an event costs a few bytes and no system call.

#include "record/recording.hpp"
#include "trace/event.hpp"
#include "trace/varint.hpp"

namespace muster::record {

class ThreadLog {
 public:
  ThreadLog(Recording& recording, std::uint32_t thread) noexcept : recording_(recording), thread_(thread) {}
  ~ThreadLog() {
    if (chunk_) Recording::unmap_chunk(chunk_);
  }
  ThreadLog(const ThreadLog&) = delete;
  ThreadLog& operator=(const ThreadLog&) = delete;

  /// To be called before an event's ticket is drawn; `now` is the last one drawn so far. A chunk is begun before the
  /// tickets of its events, so that a file that lost its end is known to be whole up to `now` of the last chunk left.
  bool make_room(const std::atomic<std::uint64_t>& now) noexcept {
    return static_cast<std::size_t>(end_ - at_) >= longest_event || begin_chunk(now.load());
  }

  /// The last one this thread drew, or saw when its chunk was begun.
  std::uint64_t ticket() const { return ticket_; }

  void access(trace::Kind kind, std::uint64_t address, std::uint64_t size, std::uint64_t pc,
              std::uint64_t ticket) noexcept {
    std::byte* at = advance(at_, ticket);
    const bool power = (size & (size - 1)) == 0 && size < 128 && size > 0;
    const auto code = power ? static_cast<unsigned>(__builtin_ctzll(size)) : trace::binary::range_size;
    at = put_code(at, kind, code);
    at = put_difference(at, address, address_);
    if (!power) at = trace::put_varint(at, size);
    end_event(put_difference(at, pc, pc_));
  }

  /// An event with a ticket of its own. `object` is an address, or the number of a thread.
  void synchronize(trace::Kind kind, std::uint64_t object, std::uint64_t pc, std::uint64_t ticket) noexcept {
    std::byte* at = put_code(advance(at_, ticket), kind, 0);
    if (has_object(kind)) {
      if (object_class(kind) == trace::NameClass::thread)
        at = trace::put_varint(at, object);
      else
        at = put_difference(at, object, address_);
    }
    end_event(put_difference(at, pc, pc_));
  }

 private:
  static constexpr std::size_t longest_event = 2 + 4 * trace::longest_varint;

  // Bytes are written through a pointer that is nobody's member: a byte may lie anywhere, so that members would have to
  // be read again after each.

  std::byte* advance(std::byte* at, std::uint64_t ticket) noexcept {
    const std::uint64_t difference = ticket - ticket_;
    if (difference == 0) return at;
    ticket_ = ticket;
    *at++ = std::byte{trace::binary::advance_ticket};
    return trace::put_varint_with_room(at, difference);
  }

  void end_event(std::byte* at) noexcept {
    at_ = at;
    ++index_;
    // The bytes before their number: a process that dies between the two leaves only whole events.
    std::atomic_signal_fence(std::memory_order_release);
    chunk_->used = static_cast<std::uint64_t>(at - reinterpret_cast<std::byte*>(chunk_ + 1));
  }

  static std::byte* put_code(std::byte* at, trace::Kind kind, unsigned size_code) noexcept {
    *at++ = static_cast<std::byte>(static_cast<unsigned>(kind) | size_code << 5);
    return at;
  }

  static std::byte* put_difference(std::byte* at, std::uint64_t value, std::uint64_t& last) noexcept {
    const std::uint64_t difference = trace::zigzag(static_cast<std::int64_t>(value - last));
    last = value;
    return trace::put_varint_with_room(at, difference);
  }

  bool begin_chunk(std::uint64_t ticket) noexcept;

  Recording& recording_;
  std::uint32_t thread_;
  std::uint32_t sequence_ = 0;
  ChunkHeader* chunk_ = nullptr;
  std::byte* at_ = nullptr;
  std::byte* end_ = nullptr;
  std::uint64_t ticket_ = 0, address_ = 0, pc_ = 0, index_ = 0;
};

}  // namespace muster::record
