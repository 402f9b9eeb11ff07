// Tromp's atomic bit out of three safe bits (Guerraoui and Vukolić, "A scalable and oblivious atomicity assertion",
// section 4 and Figure 4), one writer and one reader, with the assertion after every read; and the two simplifications
// of section 4.1, which are not atomic. A read of a safe bit while it is written gives anything: `muster::choose`.

#include <array>
#include <atomic>
#include <thread>

#include <muster/scenario.hpp>

namespace {

/// Written by one thread, read by the other: what a read gives while a write is under way is a choice.
class SafeBit {
 public:
  int read() const {
    const int state = state_.load();
    return state & busy ? static_cast<int>(muster::choose(2)) : state;
  }
  void write(int value) {
    state_.store(own() | busy);
    state_.store(value);
  }
  /// What its own writer knows without looking.
  int own() const {
    const muster::Uncontrolled quiet;
    return state_.load(std::memory_order_relaxed) & 1;
  }

 private:
  static constexpr int busy = 2;
  std::atomic<int> state_{0};
};

enum class Algorithm { tromp, without_line_3, without_line_6 };

class TrompBit {
 public:
  explicit TrompBit(Algorithm algorithm) : algorithm_(algorithm) {}

  void write(int value) {
    if (written_ == value) return;
    v_.write(value);
    written_ = value;
    if (w_.own() == r_.read()) w_.write(1 - w_.own());
  }

  int read() {
    if (w_.read() == r_.own()) return value_;                                                      // line 1
    const int x = v_.read();                                                                       // line 2
    if (algorithm_ == Algorithm::without_line_3 || w_.read() != r_.own()) r_.write(1 - r_.own());  // line 3
    value_ = v_.read();                                                                            // line 4
    if (w_.read() == r_.own()) return value_;                                                      // line 5
    if (algorithm_ != Algorithm::without_line_6) value_ = v_.read();                               // line 6
    return x;                                                                                      // line 7
  }

 private:
  Algorithm algorithm_;
  SafeBit v_, w_, r_;
  int written_ = 0;  // the writer's
  int value_ = 0;    // the reader's
};

enum class Property { atomic, regular };

/// The assertion for one writer and one reader: writes are numbered, a read takes one of those it may.
class Assertion {
 public:
  explicit Assertion(Property property) : property_(property) {}

  void write_called(int value) {
    clock_.fetch_add(1);
    const muster::Uncontrolled quiet;
    note(value ? "w1( " : "w0( ");
    values_[++called_] = value;
  }
  void write_returned() {
    clock_.fetch_add(1);
    const muster::Uncontrolled quiet;
    note("w) ");
    returned_ = called_;
  }
  void read_called() {
    clock_.fetch_add(1);
    const muster::Uncontrolled quiet;
    note("r( ");
    earliest_ = property_ == Property::atomic && taken_ > returned_ ? taken_ : returned_;
  }
  void read_returned(int value) {
    clock_.fetch_add(1);
    // Told as an execution of the paper's Figure 6: calls and returns of writes and reads.
    if (!take(value)) muster::detail::requirement_failed(execution_.data(), __FILE__, __LINE__);
  }

 private:
  /// The first write that the read may have seen and that wrote this value; false if there is none.
  bool take(int value) {
    const muster::Uncontrolled quiet;
    note(value ? "r=1) " : "r=0) ");
    for (taken_ = earliest_; taken_ <= called_; ++taken_) {
      if (values_[static_cast<std::size_t>(taken_)] == value) return true;
    }
    return false;
  }

  void note(const char* event) {
    while (*event && length_ + 1 < execution_.size()) execution_[length_++] = *event++;
  }

  Property property_;
  std::array<char, 128> execution_{};
  std::size_t length_ = 0;
  std::atomic<int> clock_{0};  // every call and return is an event that others can come before or after
  std::array<int, 8> values_{};
  int called_ = 0, returned_ = 0, taken_ = 0, earliest_ = 0;
};

void run(Algorithm algorithm, Property property, int writes, int reads) {
  TrompBit bit(algorithm);
  Assertion assertion(property);
  std::thread writer([&] {
    for (int i = 1; i <= writes; ++i) {
      assertion.write_called(i % 2);
      bit.write(i % 2);
      assertion.write_returned();
    }
  });
  for (int i = 0; i < reads; ++i) {
    assertion.read_called();
    const int value = bit.read();
    assertion.read_returned(value);
  }
  writer.join();
}

}  // namespace

MUSTER_SCENARIO(tromp_1_1) { run(Algorithm::tromp, Property::atomic, 1, 1); }
MUSTER_SCENARIO(tromp_2_1) { run(Algorithm::tromp, Property::atomic, 2, 1); }
MUSTER_SCENARIO(tromp_1_2) { run(Algorithm::tromp, Property::atomic, 1, 2); }
MUSTER_SCENARIO(tromp_2_2) { run(Algorithm::tromp, Property::atomic, 2, 2); }
MUSTER_SCENARIO(tromp_3_3) { run(Algorithm::tromp, Property::atomic, 3, 3); }
MUSTER_SCENARIO(without_line_3) { run(Algorithm::without_line_3, Property::atomic, 3, 3); }
MUSTER_SCENARIO(without_line_6) { run(Algorithm::without_line_6, Property::atomic, 3, 3); }
MUSTER_SCENARIO(without_line_3_regular) { run(Algorithm::without_line_3, Property::regular, 3, 3); }
MUSTER_SCENARIO(without_line_3_regular_2_2) { run(Algorithm::without_line_3, Property::regular, 2, 2); }
