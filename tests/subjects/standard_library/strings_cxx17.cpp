#include "strings_cxx17.hpp"

void append(std::string& text, const char* more) { text += more; }
bool is_same(const std::string& text, const char* other) { return text == other; }
std::string joined(std::string text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all.insert(all.size(), text).append(1, ' ');
  return all;
}
