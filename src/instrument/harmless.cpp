#include "instrument/harmless.hpp"

#include <algorithm>
#include <iterator>

namespace muster {
namespace {

struct Harmless {
  const char* reason;
  std::string_view names;  // between spaces
};

// Whatever is not here is told, so a name that is missing costs words in a report and nothing else.
constexpr Harmless harmless[] = {
    {"works on memory of its caller only",
     " memccpy memchr memcmp memcpy mempcpy memmem memmove memrchr memset bcmp bcopy bzero explicit_bzero rawmemchr "
     "swab"
     " __memcpy_chk __memmove_chk __memset_chk __mempcpy_chk"
     " stpcpy stpncpy strcat strchr strchrnul strcmp strcpy strcspn strlen strncat strncmp strncpy strnlen strpbrk"
     " strrchr strsep strspn strstr strcasecmp strncasecmp strcasestr strcoll strxfrm strtok_r __strtok_r index rindex"
     " __strcpy_chk __strcat_chk __strncpy_chk __strncat_chk __stpcpy_chk basename dirname __xpg_basename"
     " wcscat wcschr wcscmp wcscpy wcscspn wcslen wcsncat wcsncmp wcsncpy wcsnlen wcspbrk wcsrchr wcsspn wcsstr wcstok"
     " wmemchr wmemcmp wmemcpy wmemmove wmemset bsearch qsort qsort_r lfind lsearch insque remque "},
    {"computes",
     " abs labs llabs imaxabs div ldiv lldiv ffs ffsl ffsll atof atoi atol atoll strtod strtof strtold strtol strtoul"
     " strtoll strtoull strtoimax strtoumax __isoc23_strtol __isoc23_strtoul __isoc23_strtoll __isoc23_strtoull"
     " wcstod wcstof wcstold wcstol wcstoul wcstoll wcstoull a64l drand48_r lrand48_r rand_r random_r"
     " htonl htons ntohl ntohs difftime frexp ldexp modf copysign scalbn __isnan __isinf __finite __signbit"
     " frexpf ldexpf modff copysignf scalbnf frexpl ldexpl modfl copysignl scalbnl"
     " isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit tolower toupper"
     " iswalnum iswalpha iswblank iswcntrl iswdigit iswgraph iswlower iswprint iswpunct iswspace iswupper iswxdigit"
     " towlower towupper wctype iswctype __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc "
     "__ctype_get_mb_cur_max "},
    {"turns values into text of its caller, or text into values",
     " sprintf snprintf vsprintf vsnprintf swprintf vswprintf sscanf vsscanf swscanf __isoc99_sscanf __isoc99_vsscanf"
     " __isoc23_sscanf __sprintf_chk __snprintf_chk __vsprintf_chk __vsnprintf_chk gmtime_r asctime_r strftime"
     " mbrtowc mbsrtowcs mbrlen mbstowcs mbtowc wcrtomb wcsrtombs wcstombs wctomb btowc wctob inet_ntop inet_pton "},
    {"belongs to the start, the end or the building of the program",
     " __libc_start_main __cxa_finalize __gmon_start__ __cxa_atexit atexit at_quick_exit __stack_chk_fail __chk_fail"
     " __fortify_fail __assert_fail __assert __assert_perror_fail abort exit quick_exit _exit _Exit mcount __fentry__"
     " __errno_location __h_errno_location dlsym dlvsym dladdr dladdr1 dlerror dl_iterate_phdr __tls_get_addr "},
    {"moves the point of execution of its own thread",
     " setjmp _setjmp __sigsetjmp sigsetjmp longjmp _longjmp siglongjmp __longjmp_chk getcontext setcontext swapcontext"
     " makecontext backtrace "},
    {"looks at the process, its thread, or something that only its caller has",
     " pthread_self pthread_equal"
     " getenv secure_getenv getuid geteuid getgid getegid getppid getpgrp getpagesize getauxval sysconf isatty"
     " gnu_get_libc_version confstr strerror strerror_r __xpg_strerror_r strerrorname_np strsignal"
     " sigemptyset sigfillset sigaddset sigdelset sigismember"
     " pthread_attr_init pthread_attr_destroy pthread_attr_setdetachstate pthread_attr_getdetachstate"
     " pthread_attr_setstacksize pthread_attr_getstacksize pthread_attr_getstack pthread_attr_setguardsize"
     " pthread_mutexattr_init pthread_mutexattr_destroy pthread_mutexattr_settype pthread_mutexattr_gettype"
     " pthread_mutexattr_setrobust pthread_mutexattr_getrobust pthread_mutexattr_setprotocol"
     " pthread_mutexattr_setpshared pthread_condattr_init pthread_condattr_destroy pthread_condattr_setclock"
     " pthread_condattr_getclock pthread_condattr_setpshared pthread_rwlockattr_init pthread_rwlockattr_destroy"
     " pthread_rwlockattr_setkind_np pthread_rwlockattr_setpshared pthread_barrierattr_init pthread_barrierattr_destroy"
     " pthread_barrierattr_setpshared pthread_getcpuclockid pthread_setname_np pthread_getname_np"
     " fegetround fesetround feclearexcept feraiseexcept fetestexcept fegetenv fesetenv feholdexcept feupdateenv "},
};

/// Whether `text` is what the pattern says; what stands between its stars is looked for from left to right.
bool fits(std::string_view text, std::string_view pattern) {
  const auto star = pattern.find('*');
  if (star == pattern.npos) return text == pattern;
  if (!text.starts_with(pattern.substr(0, star))) return false;
  text.remove_prefix(star);
  pattern.remove_prefix(star + 1);
  for (;;) {
    const auto end = pattern.find('*');
    if (end == pattern.npos) return text.ends_with(pattern);
    const auto at = text.find(pattern.substr(0, end));
    if (at == text.npos) return false;
    text.remove_prefix(at + end);
    pattern.remove_prefix(end + 1);
  }
}

bool is_on_list(std::string_view function, std::string_view list) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find('\n'), list.size());
    const std::string_view pattern = list.substr(0, end);
    list.remove_prefix(std::min(end + 1, list.size()));
    if (!pattern.empty() && pattern[0] != '#' && fits(function, pattern)) return true;
  }
  return false;
}

}  // namespace

bool is_harmless_in_standard_library(std::string_view library, std::string_view function) {
  if (library.starts_with("libstdc++.so"))
    return is_on_list(function, harmless_in_libstdcxx) || is_on_list(function, harmless_in_libstdcxx_clang);
  const bool is_llvm = library.starts_with("libc++") || library.starts_with("libunwind.so");
  return is_llvm && is_on_list(function, harmless_in_libcxx);
}

const char* why_harmless(std::string_view function) {
  if (function.starts_with("__ubsan_handle_")) return "reports what the compiler was asked to check";
  for (const Harmless& group : harmless) {
    for (std::size_t at = group.names.find(function); at != std::string_view::npos;
         at = group.names.find(function, at + 1)) {
      if (group.names[at - 1] == ' ' && group.names[at + function.size()] == ' ') return group.reason;
    }
  }
  return nullptr;
}

}  // namespace muster
