#pragma once
// A channel whose receivers say which values they take (Lowe, section 2): all offers are in sight, in the order of
// arrival.
#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>

namespace subjects::synchronisation {

enum class FilterChannelFault {
  kNone,
  kFirstOfferOnly,  ///< Progress: a receiver looks at the oldest offer alone; those behind one that nobody wants are
                    ///< stuck.
  kFilteredOnce,    ///< A receiver that had to wait takes what is there when it is woken, whatever it is.
};

template <FilterChannelFault fault = FilterChannelFault::kNone>
class FilterChannel {
 public:
  void send(int value) {
    std::unique_lock lock{mutex_};
    Offer offer{value};
    offers_.push_back(&offer);
    changed_.notify_all();
    changed_.wait(lock, [&] { return offer.taken; });
  }

  int receive(const std::function<bool(int)>& wanted) {
    std::unique_lock lock{mutex_};
    Offer* found = find(wanted);
    while (found == nullptr) {
      changed_.wait(lock);
      if constexpr (fault == FilterChannelFault::kFilteredOnce) {
        found = find([](int) { return true; });
      } else {
        found = find(wanted);
      }
    }
    offers_.remove(found);
    found->taken = true;
    changed_.notify_all();
    return found->value;
  }

 private:
  struct Offer {
    int value;
    bool taken = false;
  };

  Offer* find(const std::function<bool(int)>& wanted) const {
    for (Offer* const offer : offers_) {
      if (wanted(offer->value)) return offer;
      if constexpr (fault == FilterChannelFault::kFirstOfferOnly) break;
    }
    return nullptr;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Offer*> offers_;  // on the stacks of waiting senders
};

}  // namespace subjects::synchronisation
