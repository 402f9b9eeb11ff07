#pragma once
// Records what your program's threads did, for `muster check`. Needs nothing but the standard library.
//
//   muster::Recorder log("queue.jsonl", "queue");    // the file, and the object if it is one of Muster's specs
//   auto me = log.process(7);                        // one for each thread, used by it alone
//   auto call = me.call("dequeue");                  // the clock is read just before you act …
//   std::optional<int> value = queue.pop();
//   call.returned(value);                            // … and just after; without this line the operation stays pending

#include <chrono>
#include <concepts>
#include <cstdint>
#include <fstream>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace muster {

namespace record {

inline void put(std::string& out, bool value) { out += value ? "true" : "false"; }
inline void put(std::string& out, std::nullopt_t) { out += "null"; }
template <class T>
requires(std::integral<T> && !std::same_as<T, bool>) void put(std::string& out, T value) {
  out += std::to_string(value);
}
inline void put(std::string& out, std::string_view value) {
  out += '"';
  for (const char c : value) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      const char* const digits = "0123456789abcdef";
      (out += "\\u00") += {digits[c >> 4 & 15], digits[c & 15]};
    } else {
      out += c;
    }
  }
  out += '"';
}
inline void put(std::string& out, const char* value) { put(out, std::string_view(value)); }
template <class T>
void put(std::string& out, const std::optional<T>& value) {
  value ? put(out, *value) : put(out, std::nullopt);
}
template <class T>
void put(std::string& out, const std::vector<T>& values) {
  out += '[';
  for (std::size_t at = 0; at < values.size(); ++at) {
    if (at > 0) out += ',';
    put(out, static_cast<const T&>(values[at]));
  }
  out += ']';
}

/// One clock for all threads of the machine, in nanoseconds.
inline std::int64_t now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace record

class Recorder {
 public:
  explicit Recorder(const std::string& path, std::string_view object = "") : out_(path) {
    if (object.empty()) return;
    std::string line = "{\"object\":";
    record::put(line, object);
    write(line + "}\n");
  }

  class Process;

  /// One operation under way.
  class Call {
   public:
    Call(Call&& other) noexcept
        : process_(std::exchange(other.process_, nullptr)), line_(std::move(other.line_)), start_(other.start_) {}
    Call& operator=(Call&&) = delete;
    ~Call() {
      if (process_) process_->lines_ += line_ + ",\"start\":" + std::to_string(start_) + "}\n";
    }
    void returned() { finish(""); }
    template <class T>
    void returned(const T& result) {
      const std::int64_t end = record::now();
      std::string text = ",\"result\":";
      record::put(text, result);
      finish(text, end);
    }

   private:
    friend class Process;
    Call(Process& process, std::string line) : process_(&process), line_(std::move(line)), start_(record::now()) {}
    void finish(const std::string& result) { finish(result, record::now()); }
    void finish(const std::string& result, std::int64_t end) {
      std::exchange(process_, nullptr)->lines_ +=
          line_ + result + ",\"start\":" + std::to_string(start_) + ",\"end\":" + std::to_string(end) + "}\n";
    }

    Process* process_;
    std::string line_;
    std::int64_t start_;
  };

  /// What one thread records; kept in memory until it is destroyed.
  class Process {
   public:
    ~Process() { recorder_.write(lines_); }
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    template <class... Args>
    [[nodiscard]] Call call(std::string_view operation, const Args&... arguments) {
      std::string line = "{\"process\":" + std::to_string(number_) + ",\"op\":";
      record::put(line, operation);
      line += ",\"args\":[";
      [[maybe_unused]] bool first = true;
      ((line += std::exchange(first, false) ? "" : ",", record::put(line, arguments)), ...);
      return Call(*this, line + "]");
    }

   private:
    friend class Recorder;
    friend class Call;
    Process(Recorder& recorder, std::int64_t number) : recorder_(recorder), number_(number) {}

    Recorder& recorder_;
    std::int64_t number_;
    std::string lines_;
  };

  [[nodiscard]] Process process(std::int64_t number) { return Process(*this, number); }

 private:
  void write(const std::string& lines) {
    const std::lock_guard guard(mutex_);
    out_ << lines << std::flush;
  }

  std::mutex mutex_;
  std::ofstream out_;
};

}  // namespace muster
