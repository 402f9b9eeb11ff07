#include "spec/plugin.hpp"

#include <absl/container/flat_hash_map.h>
#include <dlfcn.h>

#include <memory>

#include "base/error.hpp"
#include "muster/model.hpp"

namespace muster {
namespace {

using Object = std::unique_ptr<void, void (*)(void*)>;

class PluginStates final : public StateSpace {
 public:
  explicit PluginStates(const ModelTable& table) : table_(table) {}

  StateId initial() override { return number(own(table_.create())); }

  void step(StateId state, const Call& call, std::vector<StateId>& next) override {
    std::string arguments;
    for (const Value value : call.arguments) append_bytes(value, arguments);
    Object changed = own(table_.copy(states_[state].get()));
    std::string result;
    const auto keep = [](void* to, const char* bytes, std::size_t size) {
      static_cast<std::string*>(to)->assign(bytes, size);
    };
    if (!table_.apply(table_.context, changed.get(), call.method, arguments.data(), arguments.size(), keep, &result))
      return;
    std::string_view bytes = result;
    const Value answer = take_value(bytes);
    const bool fits = call.pending || call.result.is_none() || answer.is_none() || answer == call.result;
    if (fits) next.push_back(number(std::move(changed)));
  }

  std::size_t bytes() const override { return states_.size() * 256; }

 private:
  Object own(void* object) const { return {object, table_.destroy}; }

  StateId number(Object object) {
    auto& alike = by_hash_[table_.has_hash ? table_.hash(object.get()) : 0];
    for (const StateId known : alike) {
      if (table_.equal(states_[known].get(), object.get())) return known;
    }
    alike.push_back(static_cast<StateId>(states_.size()));
    states_.push_back(std::move(object));
    return alike.back();
  }

  const ModelTable& table_;
  std::vector<Object> states_;
  absl::flat_hash_map<std::uint64_t, std::vector<StateId>> by_hash_;
};

class PluginSpec final : public Spec {
 public:
  explicit PluginSpec(const ModelTable& table) : table_(table) {
    for (std::uint32_t m = 0; m < table.methods; ++m) {
      methods_.push_back({.name = table.method_name(table.context, m),
                          .arguments = static_cast<std::uint8_t>(table.method_arguments(table.context, m)),
                          .observes = table.method_observes(table.context, m),
                          .answers = table.method_observes(table.context, m)});
    }
  }
  std::string_view name() const override { return table_.name; }
  std::span<const Method> methods() const override { return methods_; }
  std::unique_ptr<StateSpace> states() const override { return std::make_unique<PluginStates>(table_); }

 private:
  const ModelTable& table_;
  std::vector<Method> methods_;
};

}  // namespace

SpecPtr load_model(const std::string& path) {
  // A bare name would be looked for in the system's folders.
  const std::string file = path.find('/') == path.npos ? "./" + path : path;
  // The library stays loaded: specs and states point into it.
  void* const library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) fail("--model: {}", ::dlerror());
  const auto table_of = reinterpret_cast<const ModelTable* (*)()>(::dlsym(library, "muster_model_v1"));
  if (!table_of)
    fail("--model: {} defines no model; write MUSTER_MODEL(Type, \"name\") {{ … }} with muster/model.hpp", path);
  const ModelTable* const table = table_of();
  if (table->version != 1 || table->methods == 0 || table->methods > 255)
    fail("--model: {} was built for another version of Muster", path);
  return std::make_shared<PluginSpec>(*table);
}

}  // namespace muster
