#pragma once
// A barrier whose participants may come and go (.NET: Barrier). Its whole state is one word, so that every change is
// one compare-exchange. By intention it is not linearizable (Line-Up, section 5.3, L): nobody passes a barrier alone.
#include <atomic>
#include <stdexcept>

namespace subjects::lineup {

class Barrier {
 public:
  explicit Barrier(unsigned participants = 2) : state_{State{.total = participants}.packed()} {}

  void signal_and_wait() {
    const State before = change([](State& state) {
      if (state.canceled) throw std::runtime_error("canceled");
      if (state.total == 0) throw std::logic_error("no participants");
      ++state.arrived;
    });
    wait_for_phase_after(before.phase);
  }

  int participants_remaining() const {
    const State state = look();
    return static_cast<int>(state.total - state.arrived);
  }

  int participant_count() const { return static_cast<int>(look().total); }
  int current_phase_number() const { return static_cast<int>(look().phase); }

  /// Returns the phase in which the new participant takes part first.
  int add_participant() {
    return static_cast<int>(change([](State& state) { ++state.total; }).phase);
  }

  void remove_participant() {
    change([](State& state) {
      if (state.total == 0) throw std::logic_error("no participants");
      if (state.total == state.arrived) throw std::logic_error("all participants have arrived");
      --state.total;
    });
  }

  /// Cancels the token that every SignalAndWait is given: those who wait, and who come later, are thrown out.
  void cancel_token() {
    change([](State& state) { state.canceled = true; });
  }

 private:
  struct State {
    unsigned arrived = 0;
    unsigned total = 0;
    unsigned phase = 0;
    bool canceled = false;

    unsigned packed() const { return arrived | total << 8 | phase << 16 | static_cast<unsigned>(canceled) << 31; }
    static State unpacked(unsigned word) {
      return {word & 0xff, word >> 8 & 0xff, word >> 16 & 0x7fff, (word >> 31) != 0};
    }
  };

  State look() const { return State::unpacked(state_.load()); }

  // Applies `edit`, ends the phase if everybody has arrived, and wakes who waits; returns the state before.
  template <class Edit>
  State change(Edit edit) {
    unsigned word = state_.load();
    for (;;) {
      const State before = State::unpacked(word);
      State after = before;
      edit(after);
      if (after.arrived != 0 && after.arrived == after.total) {
        after.arrived = 0;
        ++after.phase;
      }
      if (state_.compare_exchange_weak(word, after.packed())) {
        state_.notify_all();
        return before;
      }
    }
  }

  void wait_for_phase_after(unsigned phase) const {
    unsigned word = state_.load();
    while (State::unpacked(word).phase == phase) {
      if (State::unpacked(word).canceled) throw std::runtime_error("canceled");
      state_.wait(word);
      word = state_.load();
    }
  }

  std::atomic<unsigned> state_;
};

}  // namespace subjects::lineup
