#include "rule/answer_text.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <exception>
#include <typeinfo>

namespace muster {

void AnswerText::exception(const char* type, const char* message) {
  int status = 0;
  char* readable = abi::__cxa_demangle(type, nullptr, nullptr, &status);
  clear();
  put("throws ");
  put(readable ? readable : type);
  if (*message) put(": ");
  put(message);
  std::free(readable);
}

std::string caught_exception() {
  AnswerText text;
  try {
    throw;
  } catch (const std::exception& error) {
    text.exception(typeid(error).name(), error.what());
  } catch (...) {
    text.exception("something that is no std::exception", "");
  }
  return std::string(text.text());
}

}  // namespace muster
