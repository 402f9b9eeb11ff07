// Uses all of the standard library that programs call out of line. It is compiled and linked, never run: what it refers
// to is what has to be watched. In C++17 and in C++20, since some stands in headers in one of them only.

#include <algorithm>
#include <any>
#include <array>
#include <atomic>
#include <bitset>
#include <charconv>
#include <chrono>
#include <codecvt>
#include <complex>
#include <condition_variable>
#include <cstring>
#include <cwchar>
#include <deque>
#include <exception>
#include <filesystem>
#include <forward_list>
#include <fstream>
#include <functional>
#include <future>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <list>
#include <locale>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <optional>
#include <queue>
#include <random>
#include <regex>
#include <scoped_allocator>
#include <set>
#include <shared_mutex>
#include <sstream>
#include <stack>
#include <stdexcept>
#include <streambuf>
#include <string>
#include <string_view>
#include <strstream>
#include <system_error>
#include <thread>
#include <tuple>
#include <typeindex>
#include <unordered_map>
#include <unordered_set>
#include <valarray>
#include <variant>
#include <vector>
#if __cplusplus >= 202002L
#include <barrier>
#include <compare>
#include <concepts>
#include <coroutine>
#include <latch>
#include <ranges>
#include <semaphore>
#include <span>
#endif
#ifndef _LIBCPP_VERSION  // LLVM's library has no memory resources yet, and not all of C++20
#include <memory_resource>
#if __cplusplus >= 202002L
#include <source_location>
#include <stop_token>
#include <syncstream>
#endif
#endif

namespace {

template <class T>
void use(T&& value) {
  static void* volatile used;
  used = const_cast<void*>(static_cast<const volatile void*>(&value));
}

// ---- containers ----

template <class Container>
void sequence(Container items) {
  items.insert(items.begin(), 1);
  items.insert(items.end(), {1, 2, 3});
  items.emplace(items.begin(), 4);
  items.erase(items.begin());
  items.push_back(2);
  items.pop_back();
  items.resize(5);
  items.assign(3, 1);
  Container other(items), moved(std::move(other));
  other = items;
  swap(items, other);
  use(items == other);
  use(items < other);
  use(std::accumulate(items.begin(), items.end(), 0));
  use(*std::prev(items.end()));
  items.clear();
}

template <class List>
void list(List items) {
  List others{3, 2, 1};
  items.splice(items.end(), others);
  items.splice(items.begin(), items, std::next(items.begin()), items.end());
  items.splice(items.begin(), items, items.begin());
  items.sort();
  items.merge(others);
  items.reverse();
  items.unique();
  items.remove(1);
  items.swap(others);
}

template <class Tree>
void tree(Tree items) {
  Tree copy(items), moved(std::move(copy));
  items.insert(*moved.begin());
  items.insert(items.begin(), *moved.begin());
  items.erase(items.begin());
  items.erase(items.begin(), items.end());
  items.insert(moved.extract(moved.begin()));
  items.merge(moved);
  const Tree& constant = items;
  for (auto it = constant.begin(); it != constant.end(); ++it) use(*it);
  for (auto it = items.rbegin(); it != items.rend(); ++it) use(*it);
  for (auto it = constant.rbegin(); it != constant.rend(); it++) use(*it);
  use(items.find(typename Tree::key_type()) == items.lower_bound(typename Tree::key_type()));
  use(items.equal_range(typename Tree::key_type()));
  use(items == moved);
  items.swap(moved);
  items.clear();
}

template <class Table>
void hash_table(Table items) {
  Table copy(items), moved(std::move(copy));
  items.insert(*moved.begin());
  items.reserve(100);
  items.rehash(10);
  items.max_load_factor(2);
  items.erase(items.begin());
  items.insert(moved.extract(moved.begin()));
  items.merge(moved);
  for (const auto& item : items) use(item);
  use(items.find(typename Table::key_type()) == items.end());
  use(items.bucket(typename Table::key_type()));
  use(items == moved);
  items.swap(moved);
  items.clear();
}

void containers() {
  sequence(std::vector<int>());
  sequence(std::deque<int>());
  sequence(std::list<int>());
#ifndef _LIBCPP_VERSION
  sequence(std::pmr::vector<int>());
#endif
  list(std::list<int>());
#ifndef _LIBCPP_VERSION
  list(std::pmr::list<int>());
#endif
  std::forward_list<int> forward{1, 2};
  forward.sort();
  forward.reverse();
  forward.insert_after(forward.before_begin(), 3);
  std::vector<bool> flags(10);
  flags.push_back(true);
  flags.flip();
  std::vector<std::string> texts;
  texts.reserve(10);
  texts.emplace_back("text");
  tree(std::map<int, std::string>());
  tree(std::multimap<std::string, int>());
  tree(std::set<std::wstring>());
  tree(std::multiset<double>());
  std::map<std::string, int>()["text"] = 1;
  std::map<int, int>().insert_or_assign(1, 2);
  std::map<int, int>().try_emplace(1, 2);
  hash_table(std::unordered_map<std::string, int>());
  hash_table(std::unordered_multimap<std::wstring, int>());
  hash_table(std::unordered_set<double>());
  hash_table(std::unordered_multiset<const char*>());
  std::unordered_map<long double, int>()[1] = 2;
  std::priority_queue<int> heap;
  heap.push(1);
  heap.pop();
  std::queue<int> queue;
  queue.push(1);
  std::stack<int> stack;
  stack.push(1);
  std::array<int, 3> three{1, 2, 3};
  use(three.at(1));
  std::sort(three.begin(), three.end());
  std::stable_sort(three.begin(), three.end());
  std::inplace_merge(three.begin(), three.begin() + 1, three.end());
  std::bitset<100> bits("101");
  bits <<= 3;
  use(bits.to_string());
  use(bits.to_ulong() + bits.to_ullong());
#ifndef _LIBCPP_VERSION
  use(bits._Find_first());
#endif
  std::stringstream stream;
  stream << bits;
  stream >> bits;
  use(std::hash<std::bitset<100>>()(bits));
  std::vector<std::string, std::scoped_allocator_adaptor<std::allocator<std::string>>> scoped(3);
  std::copy(three.begin(), three.end(), std::ostream_iterator<int>(std::cout, ","));
  std::copy(std::istream_iterator<std::string>(std::cin), {}, std::back_inserter(texts));
  std::copy(std::istreambuf_iterator<char>(std::cin), {}, std::ostreambuf_iterator<char>(std::cout));
  std::copy(std::istreambuf_iterator<wchar_t>(std::wcin), {}, std::ostreambuf_iterator<wchar_t>(std::wcout));
  use(std::find(std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>(), 'a'));
  std::fill_n(std::inserter(texts, texts.begin()), 3, "text");
#ifndef _LIBCPP_VERSION
  std::pmr::unordered_map<std::pmr::string, std::pmr::list<int>>()["text"].push_back(1);
#endif
}

void numbers_in_arrays() {
  std::valarray<double> a(1.0, 10), b(a), c{1, 2};
  a += b * 2.0 + std::sin(c) + std::pow(a, 2.0);
  use(a.sum() + a.min() + a.max());
  use(std::valarray<double>(a[std::slice(0, 2, 2)]));
  const std::valarray<std::size_t> sizes{2, 2}, strides{2, 1};
  std::gslice every(0, sizes, strides), other(every);
  other = every;
  use(other.start() + other.size().size() + other.stride().size());
  use(std::valarray<double>(a[every]));
  a[every] = b;
  a[a > 2.0] = c;
  a[sizes] = c;
  use(a.shift(1).cshift(2).apply([](double x) { return x + 1; }));
  std::valarray<std::size_t> indices(3), more(sizes);
  indices = more;
  indices.resize(3);
  use(indices[1]);
  std::complex<double> x(1, 2);
  std::stringstream stream;
  stream << x << std::complex<float>() << std::complex<long double>();
  stream >> x;
  use(std::exp(x) * std::polar(1.0, 2.0) + std::sqrt(x));
  use(std::lgamma(2.0) + std::hypot(1.0, 2.0, 3.0));
#ifndef _LIBCPP_VERSION
  use(std::cyl_bessel_j(1.0, 2.0) + std::riemann_zeta(2.0));
#endif
}

// ---- strings ----

template <class Char>
struct Text;
template <>
struct Text<char> {
  static constexpr const char *text = "text", *empty = "", *format = "%H:%M";
};
template <>
struct Text<wchar_t> {
  static constexpr const wchar_t *text = L"text", *empty = L"", *format = L"%H:%M";
};

template <class String>
void string_of(const typename String::value_type* text) {
  using Char = typename String::value_type;
  using View = std::basic_string_view<Char>;
  const String other(text), part(other, 1), piece(other, 1, 2), some(text, 3), repeated(3, text[0]),
      ranged(other.begin(), other.end()), viewed{View(text)}, listed{text[0], text[1]}, pointed(text, text + 3);
  String s(other), moved(std::move(s)), allocated(other, other.get_allocator());
  String taken(std::move(moved), other.get_allocator()), view_part(View(text), 1, 2),
      reversed(other.rbegin(), other.rend());
  s = other;
  s = std::move(taken);
  s = text;
  s = text[0];
  s = View(text);
  s = {text[0], text[1]};
  s.assign(other)
      .assign(other, 1, 2)
      .assign(text, 2)
      .assign(text)
      .assign(3, text[0])
      .assign(other.begin(), other.end());
  s.assign(String(other)).assign({text[0]}).assign(View(text)).assign(View(text), 1, 2).assign(text, text + 2);
  s.append(other)
      .append(other, 1, 2)
      .append(text, 2)
      .append(text)
      .append(3, text[0])
      .append(other.begin(), other.end());
  s.append({text[0]}).append(View(text)).append(View(text), 1, 2).append(text, text + 2);
  s += other;
  s += text;
  s += text[0];
  s += {text[0]};
  s += View(text);
  s.insert(1, other).insert(1, other, 1, 2).insert(1, text, 2).insert(1, text).insert(1, 3, text[0]);
  s.insert(1, View(text)).insert(1, View(text), 1, 2);
  s.insert(s.begin(), text[0]);
  s.insert(s.cbegin(), 3, text[0]);
  s.insert(s.begin(), other.begin(), other.end());
  s.insert(s.begin(), text, text + 2);
  s.insert(s.begin(), {text[0]});
  s.insert(s.end(), other.rbegin(), other.rend());
  s.erase(1, 2);
  s.erase(s.begin());
  s.erase(s.begin(), s.end());
  s.replace(1, 2, other)
      .replace(1, 2, other, 1, 2)
      .replace(1, 2, text, 2)
      .replace(1, 2, text)
      .replace(1, 2, 3, text[0]);
  s.replace(1, 2, View(text)).replace(1, 2, View(text), 1, 2);
  s.replace(s.begin(), s.end(), other).replace(s.begin(), s.end(), text, 2).replace(s.begin(), s.end(), text);
  s.replace(s.begin(), s.end(), 3, text[0]).replace(s.begin(), s.end(), {text[0]});
  s.replace(s.begin(), s.end(), other.begin(), other.end()).replace(s.begin(), s.end(), text, text + 2);
  s.replace(s.begin(), s.end(), s.begin(), s.end()).replace(s.begin(), s.end(), s.data(), s.data() + 1);
  s.replace(s.begin(), s.end(), View(text)).replace(s.begin(), s.end(), other.rbegin(), other.rend());
  s.push_back(text[0]);
  s.pop_back();
  s.resize(3);
  s.resize(3, text[0]);
  s.reserve(100);
  s.shrink_to_fit();
  s.clear();
  s.swap(taken);
  Char buffer[8];
  s.copy(buffer, 3, 1);
  use(s.substr(1, 2));
  use(s.at(1) + s.front() + s.back() + other.at(1) + other.front() + other.back() + other[1] + s[1]);
  use(s.find(other) + s.find(text) + s.find(text[0]) + s.find(text, 1, 2) + s.find(View(text)));
  use(s.rfind(other) + s.rfind(text) + s.rfind(text[0]) + s.rfind(text, 1, 2) + s.rfind(View(text)));
  use(s.find_first_of(other) + s.find_first_of(text) + s.find_first_of(text[0]) + s.find_first_of(text, 1, 2));
  use(s.find_last_of(other) + s.find_last_of(text) + s.find_last_of(text[0]) + s.find_last_of(text, 1, 2));
  use(s.find_first_not_of(other) + s.find_first_not_of(text) + s.find_first_not_of(text[0]) +
      s.find_first_not_of(text, 1, 2));
  use(s.find_last_not_of(other) + s.find_last_not_of(text) + s.find_last_not_of(text[0]) +
      s.find_last_not_of(text, 1, 2));
  use(s.compare(other) + s.compare(1, 2, other) + s.compare(1, 2, other, 1, 2) + s.compare(text) +
      s.compare(1, 2, text) + s.compare(1, 2, text, 2) + s.compare(View(text)) + s.compare(1, 2, View(text)));
  use(s == other || s == text || s < other || text < s || s != text || s >= text);
  use(s + other + text + text[0]);
  use(text[0] + s);
  use(text + (other + s));
  use(s.c_str() + s.size() + s.length() + s.capacity() + s.max_size() + s.empty());
  use(*s.begin() + *s.end() + *s.rbegin() + *s.rend() + *other.cbegin() + *other.crend() + *s.data());
  use(std::hash<String>()(s) + std::hash<View>()(s));
  swap(s, taken);
  const View view(s);
  use(view.find(text) + view.rfind(text[0]) + view.find_first_of(text) + view.find_last_not_of(text) +
      view.compare(text));
  use(view.substr(1));
  view.copy(buffer, 2);
  use(std::copy(s.begin(), s.end(), buffer));
}

void strings() {
  string_of<std::string>("text");
  string_of<std::wstring>(L"text");
  string_of<std::u16string>(u"text");
  string_of<std::u32string>(U"text");
#ifndef _LIBCPP_VERSION
  string_of<std::pmr::string>("text");
#endif
  const std::string text("12");
  use(std::stoi(text) + std::stol(text) + std::stoul(text) + std::stoll(text) + std::stoull(text));
  use(std::stof(text) + std::stod(text) + std::stold(text));
  const std::wstring wide(L"12");
  use(std::stoi(wide) + std::stol(wide) + std::stoul(wide) + std::stoll(wide) + std::stoull(wide));
  use(std::stof(wide) + std::stod(wide) + std::stold(wide));
  use(std::to_string(1) + std::to_string(1ul) + std::to_string(1.0) + std::to_string(1.0L));
  use(std::to_wstring(1) + std::to_wstring(1ul) + std::to_wstring(1.0) + std::to_wstring(1.0L));
  char buffer[64];
  int whole = 0;
  float f = 0;
  double d = 0;
  long double l = 0;
  const auto general = std::chars_format::general;
  std::from_chars(buffer, buffer + 3, whole);
#ifndef _LIBCPP_VERSION
  std::from_chars(buffer, buffer + 3, f);
  std::from_chars(buffer, buffer + 3, d);
  std::from_chars(buffer, buffer + 3, l);
#endif
  std::to_chars(buffer, buffer + 64, whole);
  std::to_chars(buffer, buffer + 64, f);
  std::to_chars(buffer, buffer + 64, f, general);
  std::to_chars(buffer, buffer + 64, f, general, 3);
  std::to_chars(buffer, buffer + 64, d);
  std::to_chars(buffer, buffer + 64, d, general);
  std::to_chars(buffer, buffer + 64, d, general, 3);
  std::to_chars(buffer, buffer + 64, l);
  std::to_chars(buffer, buffer + 64, l, general);
  std::to_chars(buffer, buffer + 64, l, general, 3);
  use(std::strlen(buffer) + static_cast<unsigned>(std::strcmp(buffer, "a")));
#ifndef _LIBCPP_VERSION
  use(std::search(text.begin(), text.end(), std::boyer_moore_searcher(text.begin(), text.end())));
#endif
}

// ---- streams ----

template <class Char>
void output(std::basic_ostream<Char>& out) {
  const Char* const text = Text<Char>::text;
  typename std::basic_ostream<Char>::sentry ready(out);
  out << true << short(1) << 1 << 1u << 1l << 1ul << 1ll << 1ull << static_cast<unsigned short>(1);
  out << 1.f << 1.0 << 1.0L << static_cast<const void*>(text) << nullptr;
  out << 'c' << "text" << text[0] << text << std::basic_string<Char>(text) << std::basic_string_view<Char>(text);
  out << std::endl << std::ends << std::flush;
  out << std::hex << std::uppercase << std::showbase << std::fixed << std::boolalpha << std::left << std::internal;
  out << std::setw(3) << std::setfill(text[0]) << std::setprecision(3) << std::setbase(16);
  out << std::setiosflags(std::ios::hex) << std::resetiosflags(std::ios::hex);
  out << std::quoted(text) << std::quoted(std::basic_string<Char>(text));
  std::tm time{};
  out << std::put_time(&time, Text<Char>::format) << std::put_money(1.0L)
      << std::put_money(std::basic_string<Char>(text));
  out << std::error_code();
  out << std::shared_ptr<int>();
  out << std::this_thread::get_id();
  out.put(text[0]).write(text, 2).flush();
  use(out.tellp());
  out.seekp(0).seekp(0, std::ios::beg);
  out << out.rdbuf();
}

template <class Char>
void input(std::basic_istream<Char>& in) {
  typename std::basic_istream<Char>::sentry ready(in, true);
  bool b;
  short s;
  unsigned short us;
  int i;
  unsigned u;
  long l;
  unsigned long ul;
  long long ll;
  unsigned long long ull;
  float f;
  double d;
  long double ld;
  void* p;
  Char c, buffer[8];
  std::basic_string<Char> word;
  std::basic_stringbuf<Char> into;
  in >> b >> s >> us >> i >> u >> l >> ul >> ll >> ull >> f >> d >> ld >> p >> c >> buffer >> word >> &into;
  in >> std::ws >> std::dec >> std::setw(3) >> std::skipws;
  in >> std::setprecision(3) >> std::setbase(16) >> std::setiosflags(std::ios::hex) >>
      std::resetiosflags(std::ios::hex);
#ifndef _LIBCPP_VERSION
  in >> std::setfill(c);
#endif
  in >> std::quoted(word);
  std::tm time{};
  in >> std::get_time(&time, Text<Char>::format) >> std::get_money(ld) >> std::get_money(word);
  use(in.get());
  in.get(c).get(buffer, 3).get(buffer, 3, c).get(into).get(into, c);
  in.getline(buffer, 3).getline(buffer, 3, c).ignore().ignore(3).ignore(3, c).read(buffer, 3).putback(c).unget();
  use(in.readsome(buffer, 3) + in.peek() + in.gcount() + in.sync());
  use(in.tellg());
  in.seekg(0).seekg(0, std::ios::beg);
  std::getline(in, word);
  std::getline(in, word, c);
  std::getline(std::basic_istringstream<Char>(word), word);
}

template <class Char>
void stream(std::basic_iostream<Char>& both) {
  output<Char>(both);
  input<Char>(both);
  both.clear();
  both.setstate(std::ios::eofbit);
  both.exceptions(std::ios::badbit);
  use(both.good() || both.eof() || both.fail() || both.bad() || !both || both);
  use(both.rdstate() + both.flags() + both.width() + both.precision() + both.fill() + both.exceptions());
  both.flags(std::ios::hex);
  both.setf(std::ios::hex);
  both.setf(std::ios::hex, std::ios::basefield);
  both.unsetf(std::ios::hex);
  both.width(3);
  both.precision(3);
  both.fill(Text<Char>::text[0]);
  both.tie(&both);
  use(both.tie());
  use(both.narrow(both.widen('a'), 'b'));
  both.copyfmt(both);
  both.imbue(std::locale());
  use(both.getloc());
  both.rdbuf(both.rdbuf());
  both.register_callback([](std::ios_base::event, std::ios_base&, int) {}, 1);
  both.iword(std::ios_base::xalloc()) = 1;
  both.pword(1) = nullptr;
}

template <class Char>
void buffer(std::basic_streambuf<Char>& buffer) {
  Char some[8];
  use(buffer.in_avail() + buffer.snextc() + buffer.sbumpc() + buffer.sgetc() + buffer.sgetn(some, 3));
  use(buffer.sputbackc(some[0]) + buffer.sungetc() + buffer.sputc(some[0]) + buffer.sputn(some, 3));
  buffer.pubimbue(std::locale());
  use(buffer.getloc());
  buffer.pubsetbuf(some, 8);
  use(buffer.pubseekoff(0, std::ios::beg));
  use(buffer.pubseekpos(0));
  use(buffer.pubsync());
}

/// Every virtual function of a buffer, called as a class derived from it does.
template <class Base, class Char = typename Base::char_type>
struct Derived : Base {
  using Base::Base;
  using Type = typename Base::int_type;
  void imbue(const std::locale& locale) override { Base::imbue(locale); }
  std::basic_streambuf<Char>* setbuf(Char* at, std::streamsize size) override { return Base::setbuf(at, size); }
  typename Base::pos_type seekoff(typename Base::off_type by, std::ios::seekdir from,
                                  std::ios::openmode which) override {
    return Base::seekoff(by, from, which);
  }
  typename Base::pos_type seekpos(typename Base::pos_type to, std::ios::openmode which) override {
    return Base::seekpos(to, which);
  }
  int sync() override { return Base::sync(); }
  std::streamsize showmanyc() override { return Base::showmanyc(); }
  std::streamsize xsgetn(Char* into, std::streamsize size) override { return Base::xsgetn(into, size); }
  Type underflow() override { return Base::underflow(); }
  Type uflow() override { return Base::uflow(); }
  Type pbackfail(Type c) override { return Base::pbackfail(c); }
  std::streamsize xsputn(const Char* from, std::streamsize size) override { return Base::xsputn(from, size); }
  Type overflow(Type c) override { return Base::overflow(c); }
};
template <class Char>
struct OwnBuffer : Derived<std::basic_streambuf<Char>> {
  void pointers(Char* at) {
    this->setg(at, at, at);
    this->setp(at, at);
    this->gbump(1);
    this->pbump(1);
    use(this->eback() == this->gptr() && this->egptr() == at && this->pbase() == this->pptr() && this->epptr() == at);
    OwnBuffer other(*this);
    other = *this;
    other.swap(*this);
  }
};

template <class Stream>
void string_stream() {
  using String = std::basic_string<typename Stream::char_type>;
  const String text(Text<typename Stream::char_type>::text);
  Stream stream, open(std::ios::in), with(text), both(text, std::ios::in), moved(std::move(stream));
  stream = std::move(moved);
  stream.swap(open);
  swap(stream, open);
  stream.str(text);
  use(stream.str());
  use(stream.rdbuf());
  use(std::move(stream).str());
#if __cplusplus >= 202002L && !defined(_LIBCPP_VERSION)
  use(stream.view());
  stream.str(String(text));
  Stream taken{String(text)};
#endif
}
template <class Stream>
void file_stream() {
  const std::string name("name");
  Stream stream, open("name"), text(name), path{std::filesystem::path(name)}, moved(std::move(stream));
  stream = std::move(moved);
  stream.swap(open);
  swap(stream, open);
  stream.open("name");
  stream.open(name);
  stream.open(std::filesystem::path(name));
  use(stream.is_open());
  use(static_cast<const Stream&>(stream).is_open());
  use(stream.rdbuf());
  stream.close();
}

template <class Char>
void streams() {
  string_stream<std::basic_stringstream<Char>>();
  string_stream<std::basic_istringstream<Char>>();
  string_stream<std::basic_ostringstream<Char>>();
  file_stream<std::basic_fstream<Char>>();
  file_stream<std::basic_ifstream<Char>>();
  file_stream<std::basic_ofstream<Char>>();
  std::basic_stringbuf<Char> text, open(std::ios::in), with(Text<Char>::text), moved(std::move(text));
  text = std::move(moved);
  text.swap(open);
  text.str(Text<Char>::text);
  use(text.str());
  std::basic_filebuf<Char> file, taken(std::move(file));
  file = std::move(taken);
  file.swap(taken);
  file.open("name", std::ios::in);
  file.open(std::string("name"), std::ios::in);
  use(file.is_open());
  file.close();
  buffer<Char>(text);
  buffer<Char>(file);
  OwnBuffer<Char>().pointers(nullptr);
  use(Derived<std::basic_stringbuf<Char>>());
  use(Derived<std::basic_filebuf<Char>>());
  std::basic_stringstream<Char> both;
  stream<Char>(both);
  std::basic_iostream<Char> plain(&text);
  std::basic_istream<Char> in(&text);
  std::basic_ostream<Char> out(&text);
  out << std::bitset<3>() << std::setw(1);
}

void standard_streams() {
  std::cout << std::cin.rdbuf();
  std::cerr << 1;
  std::clog << 1;
  std::wcout << 1;
  std::wcerr << 1;
  std::wclog << 1;
  std::wcin.get();
  std::ios_base::sync_with_stdio(false);
  signed char s = 1, ss[3]{};
  unsigned char u = 1, us[3]{};
  std::cout << s << u << ss << us;
  std::cin >> s >> u >> ss >> us;
  std::istrstream in("text"), some("text", 2);
  std::ostrstream out;
  std::strstream both;
  char buffer[8];
  std::strstreambuf fixed(buffer, 8, buffer), dynamic(8);
  both.freeze(false);
  out.freeze(false);
  fixed.freeze();
  use(in.str() + 1);
  use(out.str() + out.pcount() + both.pcount() + fixed.pcount());
  use(both.str());
  use(fixed.str());
  use(in.rdbuf());
  use(out.rdbuf());
#if __cplusplus >= 202002L && !defined(_LIBCPP_VERSION)
  std::osyncstream synchronised(std::cout), other(std::cerr);
  synchronised << 1 << std::emit_on_flush << std::flush_emit << std::noemit_on_flush;
  synchronised.emit();
  std::wosyncstream(std::wcout) << 1;
#endif
}

// ---- locales ----

template <class Char>
struct OwnPunctuation : std::numpunct<Char> {
  Char do_decimal_point() const override { return Text<Char>::text[0]; }
};

template <class Char>
void facets(const std::locale& locale) {
  using In = std::istreambuf_iterator<Char>;
  using Out = std::ostreambuf_iterator<Char>;
  std::basic_stringstream<Char> stream;
  std::ios_base::iostate errors{};
  const Char* const text = Text<Char>::text;
  Char buffer[8];
  std::basic_string<Char> word;
  std::tm time{};
  const auto& numbers = std::use_facet<std::num_get<Char>>(locale);
  const auto get = [&](auto number) { numbers.get(In(stream), In(), stream, errors, number); };
  get(false), get(1l), get(static_cast<unsigned short>(1)), get(1u), get(1ul), get(1ll), get(1ull), get(1.f), get(1.0),
      get(1.0L);
  get(static_cast<void*>(nullptr));
  const auto& put = std::use_facet<std::num_put<Char>>(locale);
  const auto write = [&](auto number) { put.put(Out(stream), stream, text[0], number); };
  write(false), write(1l), write(1ul), write(1ll), write(1ull), write(1.0), write(1.0L);
  write(static_cast<const void*>(nullptr));
  const auto& numbers_look = std::use_facet<std::numpunct<Char>>(locale);
  use(numbers_look.decimal_point() + numbers_look.thousands_sep());
  use(numbers_look.grouping());
  use(numbers_look.truename() + numbers_look.falsename());
  const auto& get_time = std::use_facet<std::time_get<Char>>(locale);
  use(get_time.date_order());
  get_time.get_time(In(stream), In(), stream, errors, &time);
  get_time.get_date(In(stream), In(), stream, errors, &time);
  get_time.get_weekday(In(stream), In(), stream, errors, &time);
  get_time.get_monthname(In(stream), In(), stream, errors, &time);
  get_time.get_year(In(stream), In(), stream, errors, &time);
  get_time.get(In(stream), In(), stream, errors, &time, 'H');
  get_time.get(In(stream), In(), stream, errors, &time, text, text + 2);
  const auto& put_time = std::use_facet<std::time_put<Char>>(locale);
  put_time.put(Out(stream), stream, text[0], &time, 'H');
  put_time.put(Out(stream), stream, text[0], &time, text, text + 2);
  long double amount = 1;
  std::use_facet<std::money_get<Char>>(locale).get(In(stream), In(), true, stream, errors, amount);
  std::use_facet<std::money_get<Char>>(locale).get(In(stream), In(), true, stream, errors, word);
  std::use_facet<std::money_put<Char>>(locale).put(Out(stream), true, stream, text[0], amount);
  std::use_facet<std::money_put<Char>>(locale).put(Out(stream), true, stream, text[0], word);
  const auto money = [](const auto& look) {
    use(look.decimal_point() + look.thousands_sep() + look.frac_digits());
    use(look.grouping());
    use(look.curr_symbol() + look.positive_sign() + look.negative_sign());
    use(look.pos_format());
    use(look.neg_format());
  };
  money(std::use_facet<std::moneypunct<Char, true>>(locale));
  money(std::use_facet<std::moneypunct<Char, false>>(locale));
  const auto& characters = std::use_facet<std::ctype<Char>>(locale);
  use(characters.is(std::ctype_base::alpha, text[0]) + characters.toupper(text[0]) + characters.tolower(text[0]));
  std::ctype_base::mask masks[8];
  use(characters.is(text, text + 2, masks));
  use(characters.scan_is(std::ctype_base::alpha, text, text + 2));
  use(characters.scan_not(std::ctype_base::alpha, text, text + 2));
  use(characters.toupper(buffer, buffer + 2));
  use(characters.tolower(buffer, buffer + 2));
  char narrow[8];
  use(characters.widen('a') + characters.narrow(text[0], 'b'));
  characters.widen(narrow, narrow + 2, buffer);
  characters.narrow(text, text + 2, 'b', narrow);
  const auto& order = std::use_facet<std::collate<Char>>(locale);
  use(order.compare(text, text + 2, text, text + 2) + order.hash(text, text + 2));
  use(order.transform(text, text + 2));
  const auto& messages = std::use_facet<std::messages<Char>>(locale);
  const auto catalog = messages.open("name", locale);
  use(messages.get(catalog, 1, 1, word));
  messages.close(catalog);
  use(locale(word, word));
  use(std::isspace(text[0], locale) + std::isalpha(text[0], locale) + std::toupper(text[0], locale) +
      std::tolower(text[0], locale));
  use(std::has_facet<std::ctype<Char>>(locale));
  use(std::has_facet<std::time_put<Char>>(locale));
}

template <class Inside, class Outside>
void conversion(const std::codecvt<Inside, Outside, std::mbstate_t>& facet) {
  std::mbstate_t state{};
  Inside in[8]{}, *in_end;
  const Inside* in_next;
  Outside out[8]{}, *out_end;
  const Outside* out_next;
  use(facet.out(state, in, in + 2, in_next, out, out + 8, out_end));
  use(facet.in(state, out, out + 2, out_next, in, in + 8, in_end));
  use(facet.unshift(state, out, out + 2, out_end));
  use(facet.encoding() + facet.always_noconv() + facet.length(state, out, out + 2, 3) + facet.max_length());
}

void locales() {
  std::locale locale, copy(locale), named("C"), text(std::string("C")), own(locale, new OwnPunctuation<char>);
  const std::locale part(locale, "C", std::locale::numeric), mixed(locale, named, std::locale::numeric),
      named_part(locale, std::string("C"), std::locale::numeric);
  locale = copy;
  use(locale.combine<std::numpunct<char>>(copy));
  use(locale.name());
  use(locale == copy || locale != own);
  use(std::locale::global(own));
  use(std::locale::classic());
  facets<char>(locale);
  facets<wchar_t>(locale);
  use(std::locale(locale, new std::ctype<char>));
  use(std::locale(locale, new std::ctype_byname<char>("C")));
  use(std::locale(locale, new std::numpunct_byname<wchar_t>("C")));
  use(std::locale(locale, new std::collate_byname<char>("C")));
  use(std::locale(locale, new std::moneypunct_byname<char>("C")));
  use(std::locale(locale, new std::time_put_byname<char>("C")));
  use(std::locale(locale, new std::time_get_byname<char>("C")));
  use(std::locale(locale, new std::messages_byname<char>("C")));
  use(std::locale(locale, new std::codecvt_byname<wchar_t, char, std::mbstate_t>("C")));
  conversion(std::use_facet<std::codecvt<char, char, std::mbstate_t>>(locale));
  conversion(std::use_facet<std::codecvt<wchar_t, char, std::mbstate_t>>(locale));
  conversion(std::use_facet<std::codecvt<char16_t, char, std::mbstate_t>>(locale));
  conversion(std::use_facet<std::codecvt<char32_t, char, std::mbstate_t>>(locale));
#if __cplusplus >= 202002L
  conversion(std::use_facet<std::codecvt<char16_t, char8_t, std::mbstate_t>>(locale));
  conversion(std::use_facet<std::codecvt<char32_t, char8_t, std::mbstate_t>>(locale));
#endif
  conversion(std::codecvt_utf8<wchar_t>());
  conversion(std::codecvt_utf8<char16_t>());
  conversion(std::codecvt_utf8<char32_t>());
  conversion(std::codecvt_utf16<wchar_t>());
  conversion(std::codecvt_utf16<char32_t>());
  conversion(std::codecvt_utf8_utf16<wchar_t>());
  conversion(std::codecvt_utf8_utf16<char16_t>());
  conversion(std::codecvt_utf8_utf16<char32_t>());
  std::wstring_convert<std::codecvt_utf8<wchar_t>> convert;
  use(convert.to_bytes(L"text"));
  use(convert.from_bytes("text"));
  std::wbuffer_convert<std::codecvt_utf8<wchar_t>> through(std::cout.rdbuf());
}

template <class Char>
void expressions() {
  using String = std::basic_string<Char>;
  const String text(Text<Char>::text);
  const std::basic_regex<Char> expression(text, std::regex::icase | std::regex::collate);
  std::match_results<typename String::const_iterator> match;
  use(std::regex_match(text, match, expression));
  use(std::regex_search(text, match, expression));
  use(std::regex_replace(text, expression, text));
  use(match.format(text));
  use(match.str(1) + match[1].str());
  for (std::regex_iterator<typename String::const_iterator> it(text.begin(), text.end(), expression), end; it != end;
       ++it)
    use(*it);
  for (std::regex_token_iterator<typename String::const_iterator> it(text.begin(), text.end(), expression, -1), end;
       it != end; ++it)
    use(*it);
}

// ---- files ----

void paths() {
  namespace fs = std::filesystem;
  fs::path path("a/b"), other(path), moved(std::move(other)), wide(L"a"), text(std::string("a")),
      view(std::string_view("a"));
  const std::string name("name");
  fs::path ranged(name.begin(), name.end());
#ifndef _LIBCPP_VERSION
  fs::path located(name, std::locale());
#endif
  path = other;
  path = std::move(moved);
  path = name;
  path = "name";
  path.assign(name).assign("name").append(name).concat(name).concat("name");
  path /= other;
  path /= name;
  path += other;
  path += name;
  path += L"name";
  path += 'c';
  path.make_preferred().remove_filename().replace_filename(other).replace_extension(other);
  path.swap(other);
  swap(path, other);
  path.clear();
  use(path.native() + path.string() + path.generic_string() + path.c_str());
  use(path.u8string());
  use(path.wstring());
  use(path.generic_u16string());
  use(path.compare(other) + path.compare(name) + path.compare("name"));
  use(path.root_name() / path.root_directory() / path.root_path() / path.relative_path() / path.parent_path());
  use(path.filename() / path.stem() / path.extension());
  use(path.empty() || path.has_root_path() || path.has_root_name() || path.has_root_directory() ||
      path.has_relative_path());
  use(path.has_parent_path() || path.has_filename() || path.has_stem() || path.has_extension() || path.is_absolute() ||
      path.is_relative());
  use(path.lexically_normal() / path.lexically_relative(other) / path.lexically_proximate(other));
  for (const fs::path& part : path) use(part);
  for (auto it = path.end(); it != path.begin();) use(*--it);
  use(path == other || path < other);
  use(fs::hash_value(path));
  std::stringstream stream;
  stream << path;
  stream >> path;
  use(fs::u8path("name"));
}

template <class... Error>
void files(Error&... error) {
  namespace fs = std::filesystem;
  const fs::path path("name"), other("other");
  use(fs::absolute(path, error...));
  use(fs::canonical(path, error...));
  use(fs::weakly_canonical(path, error...));
  use(fs::relative(path, other, error...));
  use(fs::proximate(path, other, error...));
  use(fs::relative(path, error...));
  fs::copy(path, other, error...);
  fs::copy(path, other, fs::copy_options::recursive, error...);
  fs::copy_file(path, other, error...);
  fs::copy_file(path, other, fs::copy_options::none, error...);
  fs::copy_symlink(path, other, error...);
  fs::create_directory(path, error...);
  fs::create_directory(path, other, error...);
  fs::create_directories(path, error...);
  fs::create_directory_symlink(path, other, error...);
  fs::create_hard_link(path, other, error...);
  fs::create_symlink(path, other, error...);
  use(fs::current_path(error...));
  fs::current_path(path, error...);
  use(fs::equivalent(path, other, error...));
  use(fs::exists(path, error...) || fs::is_regular_file(path, error...) || fs::is_directory(path, error...) ||
      fs::is_symlink(path, error...) || fs::is_block_file(path, error...) || fs::is_character_file(path, error...) ||
      fs::is_fifo(path, error...) || fs::is_other(path, error...) || fs::is_socket(path, error...) ||
      fs::is_empty(path, error...));
  use(fs::file_size(path, error...) + fs::hard_link_count(path, error...));
  use(fs::last_write_time(path, error...));
  fs::last_write_time(path, fs::file_time_type(), error...);
  fs::permissions(path, fs::perms::all, fs::perm_options::replace, error...);
  use(fs::read_symlink(path, error...));
  use(fs::remove(path, error...) + fs::remove_all(path, error...));
  fs::rename(path, other, error...);
  fs::resize_file(path, 1, error...);
  use(fs::space(path, error...));
  use(fs::status(path, error...));
  use(fs::symlink_status(path, error...));
  use(fs::temp_directory_path(error...));
  fs::directory_entry entry(path, error...);
  entry.assign(path, error...);
  entry.replace_filename(path, error...);
  entry.refresh(error...);
  use(entry.exists(error...) || entry.is_directory(error...) || entry.is_symlink(error...) ||
      entry.file_size(error...) || entry.hard_link_count(error...));
  use(entry.status(error...));
  use(entry.last_write_time(error...));
  fs::directory_iterator all(path, error...), copy(all), moved(std::move(copy));
  copy = all;
  copy = std::move(moved);
  all.increment(error...);
  use(all->path());
  fs::recursive_directory_iterator deep(path, error...), deep_copy(deep), deep_moved(std::move(deep_copy));
  deep_copy = deep;
  deep_copy = std::move(deep_moved);
  deep.increment(error...);
  deep.pop(error...);
  deep.disable_recursion_pending();
  use(deep->path());
  use(deep.depth() + deep.recursion_pending() + static_cast<int>(deep.options()));
}
void all_files() {
  namespace fs = std::filesystem;
  std::error_code error;
  files(error);
  for (const auto& entry : fs::directory_iterator("name")) use(entry);
  for (const auto& entry : fs::recursive_directory_iterator("name", fs::directory_options::skip_permission_denied))
    use(entry);
  fs::recursive_directory_iterator deep;
  ++deep;
  deep.pop();
  fs::create_directory("name");
  use(fs::absolute("name"));
  use(fs::canonical("name"));
  use(fs::weakly_canonical("name"));
  use(fs::relative("name"));
  use(fs::proximate("name"));
  fs::copy("name", "other");
  fs::copy_file("name", "other");
  fs::copy_symlink("name", "other");
  fs::create_directories("name");
  fs::create_directory("name", "other");
  fs::create_directory_symlink("name", "other");
  fs::create_hard_link("name", "other");
  fs::create_symlink("name", "other");
  use(fs::current_path());
  fs::current_path("name");
  use(fs::equivalent("name", "other"));
  use(fs::is_empty("name") + fs::file_size("name") + fs::hard_link_count("name"));
  use(fs::last_write_time("name"));
  fs::last_write_time("name", fs::file_time_type());
  fs::permissions("name", fs::perms::all);
  use(fs::read_symlink("name"));
  use(fs::remove("name") + fs::remove_all("name"));
  fs::rename("name", "other");
  fs::resize_file("name", 1);
  use(fs::space("name"));
  use(fs::status("name"));
  use(fs::symlink_status("name"));
  use(fs::temp_directory_path());
}

// ---- exceptions ----

struct OwnException : std::exception {};
struct OwnLogicError : std::logic_error {
  using std::logic_error::logic_error;
};
struct OwnRuntimeError : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct OwnFileError : std::filesystem::filesystem_error {
  using std::filesystem::filesystem_error::filesystem_error;
};
struct OwnFailure : std::ios_base::failure {
  using std::ios_base::failure::failure;
};
struct OwnSystemError : std::system_error {
  using std::system_error::system_error;
};
struct Polymorphic {
  virtual ~Polymorphic() = default;
};
struct MoreDerived : virtual Polymorphic, OwnException {};

template <class Error, class... Arguments>
void thrown(const Arguments&... arguments) {
  try {
    Error made(arguments...), copy(made), moved(std::move(made));
    made = copy;
    made = std::move(moved);
    use(made.what());
    throw made;
  } catch (const Error& error) {
    use(error.what());
  }
}
template <class Error>
void told() {
  thrown<Error>("text");
  thrown<Error>(std::string("text"));
}

void exceptions() {
  told<std::logic_error>();
  told<std::domain_error>();
  told<std::invalid_argument>();
  told<std::length_error>();
  told<std::out_of_range>();
  told<std::runtime_error>();
  told<std::range_error>();
  told<std::overflow_error>();
  told<std::underflow_error>();
  told<OwnLogicError>();
  told<OwnRuntimeError>();
  const std::string text("text");
  const std::filesystem::path path("name");
  thrown<std::system_error>(std::error_code());
  thrown<std::system_error>(std::error_code(), "text");
  thrown<std::system_error>(std::error_code(), text);
  thrown<std::system_error>(1, std::generic_category(), text);
  thrown<OwnSystemError>(std::error_code(), "text");
  thrown<std::ios_base::failure>("text");
  thrown<std::ios_base::failure>(text);
  thrown<std::ios_base::failure>(text, std::error_code());
  thrown<OwnFailure>("text");
  thrown<OwnFailure>(text);
  thrown<std::filesystem::filesystem_error>(text, std::error_code());
  thrown<std::filesystem::filesystem_error>(text, path, std::error_code());
  thrown<std::filesystem::filesystem_error>(text, path, path, std::error_code());
  thrown<OwnFileError>(text, std::error_code());
  thrown<OwnFileError>(text, path, std::error_code());
  thrown<OwnFileError>(text, path, path, std::error_code());
  const std::filesystem::filesystem_error error(text, std::error_code());
  use(error.path1() / error.path2());
  thrown<std::exception>();
  thrown<std::bad_alloc>();
  thrown<std::bad_array_new_length>();
  thrown<std::bad_cast>();
  thrown<std::bad_typeid>();
  thrown<std::bad_exception>();
  thrown<std::bad_weak_ptr>();
  thrown<std::bad_function_call>();
  thrown<std::bad_optional_access>();
  thrown<std::bad_variant_access>();
  thrown<std::bad_any_cast>();
  thrown<OwnException>();
  thrown<MoreDerived>();
  thrown<std::future_error>(std::future_errc::no_state);
  thrown<std::regex_error>(std::regex_constants::error_paren);
  std::exception_ptr held = std::current_exception(), copy(held), moved(std::move(copy));
  copy = held;
  copy = std::move(moved);
  swap(copy, held);
  use(held == copy || held != nullptr || !held);
  held = std::make_exception_ptr(OwnException());
  use(std::uncaught_exceptions());
  try {
    try {
      std::rethrow_exception(held);
    } catch (...) {
      std::throw_with_nested(OwnException());
    }
  } catch (const std::exception& caught) {
    std::rethrow_if_nested(caught);
    throw;
  }
  std::set_terminate(std::get_terminate());
  std::set_new_handler(std::get_new_handler());
  Polymorphic* const object = new MoreDerived;
  use(dynamic_cast<MoreDerived&>(*object));
  use(typeid(*object) == typeid(int) || typeid(int).before(typeid(long)));
  use(std::type_index(typeid(*object)).name());
  use(std::type_index(typeid(int)).hash_code());
  std::error_code code = std::make_error_code(std::errc::io_error);
  use(code.message() + code.default_error_condition().message());
  use(code == std::errc::io_error || std::errc::io_error == code || code < code);
  use(std::system_category().name());
  use(std::iostream_category().name());
  use(std::future_category().name());
  use(std::hash<std::error_code>()(code) + std::hash<std::error_condition>()(std::errc::io_error));
  use(std::make_error_code(std::io_errc::stream));
  struct OwnCategory : std::error_category {
    const char* name() const noexcept override { return ""; }
    std::string message(int) const override { return ""; }
  } category;
  use(std::error_code(1, category).message());
  if (std::uncaught_exceptions()) std::terminate();
}

void thrown_by_helpers(int which) {
  switch (which) {
    case 1:
      use(std::vector<int>().at(1));
    case 2:
      use(std::string().at(1));
    case 3:
      use(std::map<int, int>().at(1));
    case 4:
      use(std::optional<int>().value());
    case 5:
      use(std::get<1>(std::variant<int, long>()));
    case 6:
      use(std::any_cast<int>(std::any()));
    case 7:
      std::function<void()>()();
    case 8:
      use(std::shared_ptr<int>(std::weak_ptr<int>()));
    case 9:
      use(std::bitset<3>("2"));
    case 10:
      use(std::bitset<100>(1).to_ulong());
    case 11:
      use(std::vector<int>(1).begin() == std::vector<int>(1).begin());
    case 12:
      std::future<int>().get();
    case 13:
      use(new int[static_cast<unsigned>(which)]);
    case 14:
      std::thread().join();
    case 15:
      std::unique_lock<std::mutex>().lock();
    case 16:
      use(std::regex("["));
    default:
      break;
  }
}

// ---- threads ----

template <class Mutex>
void mutex() {
  Mutex mutex, other;
  const std::lock_guard guard(mutex);
  std::unique_lock lock(mutex, std::defer_lock), try_lock(mutex, std::try_to_lock);
  lock.lock();
  use(lock.try_lock());
  lock.unlock();
  const std::scoped_lock both(mutex, other);
  std::lock(mutex, other);
  use(std::try_lock(mutex, other));
  std::condition_variable_any any;
  any.wait(lock);
  any.wait_for(lock, std::chrono::seconds(1));
  any.notify_one();
  any.notify_all();
  std::notify_all_at_thread_exit(*new std::condition_variable, std::unique_lock<std::mutex>());
}
template <class Mutex>
void timed() {
  mutex<Mutex>();
  Mutex timed;
  use(timed.try_lock_for(std::chrono::seconds(1)));
  use(timed.try_lock_until(std::chrono::system_clock::now()));
}

void threads() {
  mutex<std::mutex>();
  mutex<std::recursive_mutex>();
  timed<std::timed_mutex>();
  timed<std::recursive_timed_mutex>();
  mutex<std::shared_mutex>();
  timed<std::shared_timed_mutex>();
  std::shared_mutex shared;
  const std::shared_lock reading(shared);
  std::mutex one;
  std::unique_lock lock(one);
  std::condition_variable condition;
  condition.wait(lock);
  condition.wait(lock, [] { return true; });
  condition.wait_for(lock, std::chrono::seconds(1));
  condition.wait_until(lock, std::chrono::system_clock::now());
  condition.wait_until(lock, std::chrono::steady_clock::now());
  condition.notify_one();
  condition.notify_all();
  std::notify_all_at_thread_exit(condition, std::move(lock));
  std::once_flag once;
  std::call_once(once, [] {});
  std::thread thread([](int) {}, 1);
  thread.join();
  thread.detach();
  thread.swap(thread);
  use(thread.joinable() || thread.get_id() == std::this_thread::get_id());
  use(thread.native_handle() + std::thread::hardware_concurrency());
  use(std::hash<std::thread::id>()(thread.get_id()));
  std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::seconds(1));
  std::this_thread::sleep_until(std::chrono::steady_clock::now());
  thread_local std::string local;
  use(local);
  static std::string constant = local;
  use(constant);
}

template <class Result>
void future() {
  std::promise<Result> promise, allocated(std::allocator_arg, std::allocator<int>());
  std::future<Result> future = promise.get_future();
  if constexpr (std::is_void_v<Result>) {
    promise.set_value();
    promise.set_value_at_thread_exit();
  } else {
    static std::remove_reference_t<Result> value{};
    promise.set_value(value);
    promise.set_value_at_thread_exit(value);
  }
  promise.set_exception(std::make_exception_ptr(1));
  promise.set_exception_at_thread_exit(std::make_exception_ptr(1));
  promise.swap(allocated);
  use(future.valid() && future.wait_for(std::chrono::seconds(1)) == std::future_status::ready);
  use(future.wait_until(std::chrono::system_clock::now()));
  future.wait();
  auto shared = future.share();
  if constexpr (std::is_void_v<Result>) {
    shared.get();
    promise.get_future().get();
  } else {
    use(shared.get());
    use(promise.get_future().get());
  }
}
void futures() {
  future<int>();
  future<void>();
  future<std::string&>();
  std::packaged_task<int(int)> task([](int i) { return i; });
  use(task.get_future());
  task(1);
  task.make_ready_at_thread_exit(1);
  task.reset();
  use(std::async([] { return 1; }).get());
  std::async(std::launch::deferred, [] {}).wait();
  std::async(std::launch::async, [] {}).get();
}

struct Large {
  char bytes[100];
};
void atomics() {
  std::atomic<int> i{};
  std::atomic<double> d{};
  std::atomic<Large> large{};
  i += 1;
  use(i.exchange(1) + i.fetch_xor(1));
  d.store(d.load());
  large.store(large.load());
  int expected = 1;
  use(i.compare_exchange_weak(expected, 2));
  std::atomic_flag flag = ATOMIC_FLAG_INIT;
  use(flag.test_and_set());
  flag.clear();
  std::atomic_thread_fence(std::memory_order_seq_cst);
  auto one = std::make_shared<int>(1), two = one;
  std::atomic_store(&one, two);
  use(std::atomic_load(&one));
  use(std::atomic_exchange(&one, two));
  use(std::atomic_compare_exchange_strong(&one, &two, one));
  use(std::atomic_is_lock_free(&one));
#if __cplusplus >= 202002L
  i.wait(1);
  i.notify_one();
  i.notify_all();
  large.wait({});
  large.notify_all();
  flag.wait(true);
  flag.notify_all();
#ifndef _LIBCPP_VERSION
  std::atomic_ref<int> reference(expected);
  reference.wait(1);
  reference.notify_one();
#endif
#ifdef __cpp_lib_atomic_shared_ptr
  std::atomic<std::shared_ptr<int>> shared;
  shared.store(one);
  shared.wait(one);
  shared.notify_all();
  std::atomic<std::weak_ptr<int>> weak;
  weak.store(shared.load());
  use(shared.compare_exchange_strong(one, two));
#endif
#endif
}

void ownership() {
  auto shared = std::make_shared<std::string>("text");
  const std::shared_ptr<void> erased = shared, aliased(shared, shared.get()), deleter(new int, [](void*) {});
  std::weak_ptr<std::string> weak = shared;
  use(weak.lock());
  use(std::dynamic_pointer_cast<Polymorphic>(std::make_shared<MoreDerived>()));
  use(std::get_deleter<std::default_delete<int>>(deleter));
  struct Self : std::enable_shared_from_this<Self> {};
  use(std::make_shared<Self>()->shared_from_this());
#ifndef _LIBCPP_VERSION
  use(std::allocate_shared<int>(std::pmr::polymorphic_allocator<int>(), 1));
#endif
  use(std::make_unique<int[]>(10));
  std::any any = 1, text = std::string("text"), copy(any);
  copy = text;
  use(std::any_cast<std::string>(&copy));
  use(any.type().name());
  std::variant<int, std::string, std::vector<int>> variant("text");
  std::visit([](auto& value) { use(value); }, variant);
  variant.emplace<2>(3);
  std::optional<std::string> optional("text");
  use(*optional);
  optional.reset();
  std::function<std::string(int)> function = [variant](int) { return std::string(); };
  use(function.target_type().name());
  use(std::bind(function, 1)());
  std::reference_wrapper reference(function);
  std::tuple tuple(1, std::string("text"), std::pair(1, 2));
  std::apply([](auto&...) {}, tuple);
  struct alignas(64) Aligned {
    char bytes[64];
  };
  delete new Aligned;
  delete[] new Aligned[3];
  delete new (std::nothrow) int;
  delete[] new (std::nothrow) int[3];
}

void resources() {
#ifndef _LIBCPP_VERSION
  std::pmr::monotonic_buffer_resource monotonic(100), over(&monotonic);
  std::pmr::unsynchronized_pool_resource pool, with(std::pmr::pool_options{}, &monotonic);
  std::pmr::synchronized_pool_resource shared, shared_with(std::pmr::pool_options{}, &monotonic);
  use(monotonic.allocate(8));
  monotonic.release();
  pool.deallocate(pool.allocate(8), 8);
  pool.release();
  use(pool.options());
  shared.deallocate(shared.allocate(8), 8);
  shared.release();
  use(shared.options());
  use(pool == monotonic || pool.is_equal(shared) || *pool.upstream_resource() == *std::pmr::null_memory_resource());
  std::pmr::set_default_resource(std::pmr::new_delete_resource());
  std::pmr::vector<std::pmr::string> items(std::pmr::get_default_resource());
  items.emplace_back("text");
#endif
}

// ---- numbers and time ----

template <class Engine>
void random_engine(Engine engine) {
  engine.discard(3);
  std::stringstream stream;
  stream << engine;
  stream >> engine;
  use(std::uniform_int_distribution<int>(1, 6)(engine) + std::normal_distribution<double>()(engine));
  use(std::poisson_distribution<int>(3)(engine) + std::discrete_distribution<int>{1, 2}(engine) +
      std::gamma_distribution<double>()(engine));
  use(std::bernoulli_distribution()(engine) + std::uniform_real_distribution<float>()(engine) +
      std::binomial_distribution<int>()(engine));
  std::vector<int> items(10);
  std::shuffle(items.begin(), items.end(), engine);
  std::sample(items.begin(), items.end(), items.begin(), 3, engine);
}
void numbers() {
  std::random_device device, named("default");
  use(device() + device.entropy());
  std::seed_seq seed{1, 2};
  random_engine(std::mt19937(seed));
  random_engine(std::mt19937_64(device()));
  random_engine(std::minstd_rand());
  random_engine(std::ranlux48());
  random_engine(std::knuth_b());
  const auto now = std::chrono::system_clock::now();
  use(std::chrono::system_clock::to_time_t(now));
  use(std::chrono::steady_clock::now() - std::chrono::steady_clock::now());
  use(std::chrono::high_resolution_clock::now());
  use(std::hash<double>()(1.0) + std::hash<long double>()(1.0L) + std::hash<float>()(1.0f));
}

#if __cplusplus >= 202002L
struct Task {
  struct promise_type {
    Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(std::string text) { return use(text), std::suspend_always(); }
    void return_void() {}
    void unhandled_exception() { held = std::current_exception(); }
    std::exception_ptr held;
  };
  std::coroutine_handle<promise_type> handle;
};
Task coroutine() {
  for (int i = 0;; ++i) co_yield std::to_string(i);
}

void since_cxx20() {
  Task task = coroutine();
  task.handle.resume();
  task.handle.destroy();
#ifndef _LIBCPP_VERSION
  std::jthread thread([](std::stop_token token) { use(token.stop_requested()); });
  std::stop_source source = thread.get_stop_source();
  std::stop_callback callback(source.get_token(), [] {});
  source.request_stop();
  thread.join();
  std::condition_variable_any any;
  std::mutex one;
  std::unique_lock lock(one);
  any.wait(lock, source.get_token(), [] { return true; });
#endif
  std::barrier barrier(3, []() noexcept {});
  barrier.arrive_and_wait();
  barrier.wait(barrier.arrive());
  barrier.arrive_and_drop();
  std::latch latch(3);
  latch.arrive_and_wait();
  latch.count_down();
  use(latch.try_wait());
  std::counting_semaphore<3> semaphore(1);
  semaphore.acquire();
  semaphore.release();
  use(semaphore.try_acquire_for(std::chrono::seconds(1)));
  std::binary_semaphore binary(1);
  use(binary.try_acquire_until(std::chrono::steady_clock::now()));
  std::vector<int> items{3, 1, 2};
  const std::span<int> span(items);
#ifndef _LIBCPP_VERSION
  use(std::ranges::max(span));
  std::ranges::sort(items);
#endif
#ifndef __clang__  // which does not know enough of C++20 for these
  use(std::source_location::current().function_name());
  for (const int item :
       items | std::views::filter([](int i) { return i > 1; }) | std::views::transform([](int i) { return i + 1; }))
    use(item);
#if _GLIBCXX_RELEASE >= 12
  std::istringstream in("1 2");
  for (const int item : std::views::istream<int>(in)) use(item);
#endif
  for (auto part : std::string_view("a b") | std::views::split(' ')) use(part);
#endif
#ifndef _LIBCPP_VERSION
  use(std::string("a") <=> std::string("b"));
#endif
  use(std::make_tuple(1, "a") <=> std::make_tuple(1, "b"));
  std::erase_if(items, [](int i) { return i > 1; });
  use(std::string("text").starts_with("te"));
  string_of<std::u8string>(u8"text");
  use(std::filesystem::path(u8"name").u8string());
#if __cpp_lib_shared_ptr_arrays >= 201707
  use(std::make_shared<int[]>(10));
#endif
}
#endif

}  // namespace

int main(int argc, char**) {
  containers();
  numbers_in_arrays();
  strings();
  streams<char>();
  streams<wchar_t>();
  standard_streams();
  locales();
  expressions<char>();
  expressions<wchar_t>();
  paths();
  all_files();
  exceptions();
  thrown_by_helpers(argc);
  threads();
  futures();
  atomics();
  ownership();
  resources();
  numbers();
#if __cplusplus >= 202002L
  since_cxx20();
#endif
}
