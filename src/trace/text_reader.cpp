#include "trace/text_reader.hpp"

#include <limits>

#include "base/error.hpp"

namespace muster::trace {

TextReader::TextReader(const std::filesystem::path& path) : file_(path.string()), mapped_(path) {
  batch_.reserve(batch_events);
  const auto bytes = mapped_.bytes();
  at_ = forgotten_ = reinterpret_cast<const char*>(bytes.data());
  end_ = at_ + bytes.size();
}

std::span<const Event> TextReader::next() {
  if (pending_) std::rethrow_exception(pending_);
  batch_.clear();
  try {
    while (batch_.empty() && at_ != end_) at_ = parse_lines(at_, end_);
  } catch (const Error&) {
    pending_ = std::current_exception();
    if (batch_.empty()) throw;
  }
  constexpr std::ptrdiff_t forget_every = 64 << 20;
  if (at_ - forgotten_ > forget_every) {
    mapped_.forget_before(static_cast<std::size_t>(at_ - reinterpret_cast<const char*>(mapped_.bytes().data())));
    forgotten_ = at_;
  }
  return batch_;
}

void TextReader::rewind() {
  at_ = forgotten_ = reinterpret_cast<const char*>(mapped_.bytes().data());
  line_ = 0;
  next_index_.assign(next_index_.size(), 0);
  pending_ = nullptr;
}

std::string TextReader::name(NameClass name_class, std::uint32_t id) const {
  return std::string(table(name_class).text(id));
}

std::string TextReader::where(const Event& event) const { return fmt::format("{}:{}", file_, event.line); }

ThreadIndex TextReader::intern_thread(std::string_view name) {
  const std::uint32_t id = table(NameClass::thread).intern(name);
  if (id > std::numeric_limits<ThreadIndex>::max()) fail_here("more than 65,536 threads");
  return static_cast<ThreadIndex>(id);
}

void TextReader::fail_here(std::string_view what) const { fail("{}:{}: {}", file_, line_, what); }

}  // namespace muster::trace
