// Streams of strings; std::cout, which threads may share.
#include <ctime>
#include <fstream>
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
// What a facet does to the stream, to its buffer and to what it reads into.
BY_TWO(ostream_width) {
  std::ostringstream out;
  by_two([&] { out << 1; }, [&] { MUSTER_REQUIRE(out.width() == 0); });
}
BY_TWO(istream_result) {
  std::istringstream in("1.5");
  double number = 0;
  by_two([&] { in >> number; }, [&] { MUSTER_REQUIRE(number == 0 || number == 1.5); });
}
BY_TWO(istream_time) {
  std::istringstream in("12:34");
  std::tm first{}, second{};
  by_two([&] { in >> std::get_time(&first, "%H"); }, [&] { in >> std::get_time(&second, ":%M"); });
}
BY_TWO(istream_time_result) {
  std::istringstream in("12");
  std::tm time{};
  by_two([&] { in >> std::get_time(&time, "%H"); }, [&] { MUSTER_REQUIRE(time.tm_hour == 0 || time.tm_hour == 12); });
}
BY_TWO(istream_money_result) {
  std::istringstream in("12");
  std::string amount;
  by_two([&] { in >> std::get_money(amount); }, [&] { MUSTER_REQUIRE(amount.empty() || amount == "12"); });
}
BY_TWO(ostream_time) {
  std::ostringstream out;
  std::tm time{};
  by_two([&] { out << std::put_time(&time, "%H"); }, [&] { time.tm_hour = 12; });
  MUSTER_REQUIRE(out.str() == "00" || out.str() == "12");
}
MUSTER_SCENARIO(ostream_time_of_another_field) {
  std::ostringstream out;
  std::tm time{};
  Unprotected()([&] { out << std::put_time(&time, "%H:%M"); }, [&] { time.tm_year = 12; });
}
BY_TWO(file_closed) {
  std::ifstream file("/dev/null");
  bool was_open = true;
  by_two([&] { file.close(); }, [&] { was_open = file.is_open(); });
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
