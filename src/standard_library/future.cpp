// A result that is made ready at the end of its thread: the library's own callback would release it unseen.

#include <future>

#include "instrument/described.hpp"

namespace {

using Set = void (*)(void*);
const auto original_set =
    reinterpret_cast<Set>(muster_original("_ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv"));

}  // namespace

namespace std {

[[gnu::weak]] void __future_base::_State_baseV2::_Make_ready::_M_set() {
  original_set(this);
  _M_cb = _S_run;
}

[[gnu::weak]] void __future_base::_State_baseV2::_Make_ready::_S_run(void* element) {
  const unique_ptr<_Make_ready> self(static_cast<_Make_ready*>(element));
  if (const auto state = self->_M_shared_state.lock())
    state->_M_status._M_store_notify_all(static_cast<unsigned>(_Status::__ready), memory_order_release);
}

}  // namespace std
