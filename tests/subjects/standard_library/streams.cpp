// Streams of strings; std::cout, which threads may share.
#include <iomanip>
#include <iostream>
#include <muster/scenario.hpp>
#include <sstream>
#include <string>

#include "by_two.hpp"

BY_TWO(ostream_number) {
  std::ostringstream out;
  by_two([&] { out << 1; }, [&] { out << 2; });
}
BY_TWO(ostream_text) {
  std::ostringstream out;
  by_two([&] { out << "a" << std::setw(3); }, [&] { out << std::string("b"); });
}
BY_TWO(istream_number) {
  std::istringstream in("1 2");
  int first = 0, second = 0;
  by_two([&] { in >> first; }, [&] { in >> second; });
  MUSTER_REQUIRE(first + second == 3);
}
BY_TWO(istream_word) {
  std::istringstream in("one two");
  std::string first, second;
  by_two([&] { in >> first; }, [&] { in >> second; });
}
BY_TWO(istream_line) {
  std::istringstream in("one\ntwo\n");
  std::string first;
  char second[8];
  by_two([&] { std::getline(in, first); }, [&] { in.getline(second, sizeof second); });
}
BY_TWO(stream_content) {
  std::stringstream both("1");
  std::string content;
  by_two([&] { both << 2; }, [&] { content = both.str(); });
}
MUSTER_SCENARIO(streams_of_their_own) {
  const auto use = [] {
    std::stringstream both;
    both << std::hex << 255 << ' ' << 1.5 << " text" << std::endl;
    std::string word;
    double number = 0;
    both >> word >> number;
    MUSTER_REQUIRE(word == "ff" && number == 1.5);
  };
  Unprotected()(use, use);
}
MUSTER_SCENARIO(standard_stream) {
  Unprotected()([] { std::cout << "" << std::flush; }, [] { std::cout << std::string() << std::flush; });
}
