#include "check/answer_text.hpp"

#include <cxxabi.h>

#include <cstdlib>

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

}  // namespace muster
