#include <fmt/format.h>

#include "trace/output_file.hpp"
#include "trace/trace_writer.hpp"

namespace muster::trace {

namespace {

class StdWriter final : public TraceWriter {
 public:
  explicit StdWriter(const std::filesystem::path& path) : file_(path) {}

  void write(std::span<const Event> events, const TraceReader& names) override {
    text_.clear();
    for (const Event& event : events) {
      const auto out = std::back_inserter(text_);
      fmt::format_to(out, "{}|{}", names.name(NameClass::thread, event.thread),
                     kind_names[static_cast<unsigned>(event.kind)]);
      if (has_object(event.kind)) fmt::format_to(out, "({})", names.name(object_class(event.kind), event.object));
      fmt::format_to(out, "|{}\n", names.name(NameClass::site, event.site));
    }
    file_.write(std::as_bytes(std::span{text_.data(), text_.size()}));
  }

  void finish() override { file_.close(); }

 private:
  OutputFile file_;
  fmt::memory_buffer text_;
};

}  // namespace

std::unique_ptr<TraceWriter> create_std_trace(const std::filesystem::path& path) {
  return std::make_unique<StdWriter>(path);
}

}  // namespace muster::trace
