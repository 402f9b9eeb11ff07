// A class that is made up at random: its operations are read from the environment, a few steps each, and so is the
// test. tests/programs/generated_classes_test.py writes them, and knows what there is to find.

#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <muster/check.hpp>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>

namespace {

/// "F12": a letter for what is done, the number of a field, a value and another one.
struct Step {
  char what;
  int field, value, other;
};
using Steps = std::vector<Step>;

Steps steps_of(const std::string& text) {
  Steps steps;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    word.resize(4, '0');
    steps.push_back({word[0], word[1] - '0', word[2] - '0', word[3] - '0'});
  }
  return steps;
}

class Generated {
 public:
  /// What the steps saw, as one number.
  int perform(const Steps& steps) {
    int seen = 0;
    for (std::size_t at = 0; at < steps.size(); ++at) {
      const Step& step = steps[at];
      if (step.what == '?') {
        if (seen % 2 == 0) at += static_cast<std::size_t>(step.field);
      } else {
        take(step, seen);
      }
    }
    return seen;
  }

 private:
  void take(const Step& step, int& seen) {
    const auto see = [&](int value) { seen = 4 * seen + value; };
    switch (step.what) {
      case 'A':
        return see(words_[step.field].load());
      case 'S':
        return words_[step.field].store(step.value);
      case 'F':
        return see(words_[step.field].fetch_add(step.value));
      case 'C': {
        int expected = step.value;
        return see(words_[step.field].compare_exchange_strong(expected, step.other));
      }
      case 'R':
        return see(plain_[step.field]);
      case 'W':
        plain_[step.field] = step.value;
        return;
      case 'I': {
        const int before = plain_[step.field];
        plain_[step.field] = before + 1;
        return;
      }
      case 'L':
        return mutex_.lock();
      case 'U':
        return mutex_.unlock();
      case 'P':  // polls
        while (words_[step.field].load() != step.value) {
        }
        return;
      case 'Q': {  // waits until a field has a value; the mutex is held
        std::unique_lock lock(mutex_, std::adopt_lock);
        while (plain_[step.field] != step.value) condition_.wait(lock);
        lock.release();
        return;
      }
      case 'n':
        return condition_.notify_one();
      case 'N':
        return condition_.notify_all();
    }
  }

  std::atomic<int> words_[2]{};
  int plain_[2]{};
  std::mutex mutex_;
  std::condition_variable condition_;
};

/// "L I0 U; R0; ..." is what a, b, ... do.
MUSTER_CHECK(generated_class) {
  const char* const text = std::getenv("GENERATED_CLASS");
  std::istringstream operations(text ? text : "L I0 U; L R0 U");
  auto object = check.object<Generated>();
  char name = 'a';
  for (std::string steps; std::getline(operations, steps, ';'); ++name)
    object.operation(std::string(1, name), [code = steps_of(steps)](Generated& g) { return g.perform(code); });
}

}  // namespace
