#pragma once

namespace app {

class SpinLock {
 public:
  bool try_lock();

 private:
  int taken_ = 0;
};

}  // namespace app
