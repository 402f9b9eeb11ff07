#pragma once
// A trace that was never a file: the events of a controlled execution, in the order in which they happened. Its places
// are code addresses: nobody looks up the lines of what is re-executed at once.

#include <vector>

#include "trace/addressed_objects.hpp"

namespace muster::trace {

class MemoryTrace final : public TraceReader {
 public:
  /// `object` is an address, or the number of a thread; `size` is that of an access.
  void add(ThreadIndex thread, Kind kind, std::uint64_t object, std::uint64_t size, std::uint64_t pc);

  std::span<const Event> next() override;
  void rewind() override { at_ = 0; }
  std::string name(NameClass name_class, std::uint32_t id) const override;
  std::uint32_t count(NameClass name_class) const override;
  std::string where(const Event& event) const override;

 private:
  struct Raw {
    std::uint64_t object, size, pc;
    std::uint32_t index;
    ThreadIndex thread;
    Kind kind;
  };

  std::vector<Raw> raw_;
  std::vector<std::uint32_t> counts_;  // events so far, by thread
  std::size_t at_ = 0;
  AddressedObjects objects_;
  AddressTable sites_;
  std::vector<Event> batch_;
};

}  // namespace muster::trace
