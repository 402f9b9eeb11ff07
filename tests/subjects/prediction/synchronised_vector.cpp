// A vector whose every method is synchronised, and callers that need two of them to be one: look at the size, then at
// that element; look for an element, then add it. Each pair is a violation. With `correct` the pairs hold the vector's
// lock throughout.
//
//   synchronised_vector [correct]

#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include <muster/transaction.hpp>

namespace {

/// The shape of a class library's synchronised vector: a lock that its callers may take too.
class Vector {
 public:
  std::recursive_mutex mutex;

  int size() {
    const std::lock_guard lock(mutex);
    return count_;
  }
  int get(int i) {
    const std::lock_guard lock(mutex);
    return i < count_ ? items_[i] : -1;
  }
  bool contains(int item) {
    const std::lock_guard lock(mutex);
    for (int i = 0; i < count_; ++i) {
      if (items_[i] == item) return true;
    }
    return false;
  }
  void add(int item) {
    const std::lock_guard lock(mutex);
    items_[count_] = item;
    count_ = count_ + 1;
  }
  void remove_last() {
    const std::lock_guard lock(mutex);
    if (count_ > 0) count_ = count_ - 1;
  }

 private:
  int items_[16] = {1, 2, 3};
  int count_ = 3;
};

Vector vector;

int found = 0;  // what the reader saw
void read_last_element() { found = vector.get(vector.size() - 1); }
void add_if_absent(int item) {
  if (!vector.contains(item)) vector.add(item);
}

template <class Action>
void atomically(bool correct, Action action) {
  const muster::Transaction atomic;
  std::unique_lock lock(vector.mutex, std::defer_lock);
  if (correct) lock.lock();
  action();
}

}  // namespace

int main(int argc, char** argv) {
  const bool correct = argc > 1 && std::strcmp(argv[1], "correct") == 0;
  std::thread reader([=] { atomically(correct, read_last_element); });
  std::thread adder([=] { atomically(correct, [] { add_if_absent(7); }); });
  std::thread remover([=] { atomically(correct, [] { vector.remove_last(); }); });
  reader.join();
  adder.join();
  remover.join();
}
