# muster_add_check(name sources... [INSTRUMENT targets...] [LIBRARIES targets...] [NO_MAIN] [NO_TEST] [FUNCTIONS] [ALLOW_INLINE_ASSEMBLY])
# muster_add_program(name sources... [INSTRUMENT targets...] [LIBRARIES targets...] [ALLOW_INLINE_ASSEMBLY])
#
# Makes a test program from scenarios and checks. Its sources, and variants of the library targets named after INSTRUMENT, are compiled with
# the compiler's thread instrumentation and linked against Muster's runtime instead of the sanitizer's. When the program is built, each of its
# scenarios becomes a CTest entry, `name.scenario`; with NO_MAIN the whole program is one.
#
# muster_add_program makes a program with a main of its own, to be recorded (`muster record -- name`) and re-executed (`muster predict --confirm`).
# It also tells when functions are entered and left, so that functions can be transactions (`--atomic REGEX`); FUNCTIONS does so for a check.
#
# Atomic instructions written in inline assembly are invisible to the instrumentation. The build disassembles what was instrumented and
# fails where there are any, naming the function, and warns of those in the linked program; ALLOW_INLINE_ASSEMBLY accepts them.

# A project that asks for no version of CMake would else have these functions run by the rules of an old one.
cmake_policy(PUSH)
cmake_policy(VERSION 3.25)

# Functions of a module are seen everywhere, its variables only below its folder: so everything is kept inside functions.

# Sets `result` to the flags that instrument code compiled by this compiler (GNU or Clang); with `functions` 1 entering and leaving functions is told, too.
function(muster_instrument_flags result compiler functions)
  # A hook knows its caller by the return address: no call may be the last thing a function does.
  set(flags -fsanitize=thread -fno-plt -g -fno-omit-frame-pointer -fno-optimize-sibling-calls)
  if(compiler STREQUAL GNU)
    # Code that looks for the sanitizer would no longer be the code that is shipped. g++ expands copies of a known size
    # after it has instrumented the rest: as calls they are seen.
    list(APPEND flags -U__SANITIZE_THREAD__ -Wno-tsan -fno-builtin-memcpy -fno-builtin-memmove -fno-builtin-memset
      --param=tsan-distinguish-volatile=1 --param=tsan-instrument-func-entry-exit=${functions})
  else()
    # Without a table of addresses no source line is found. Strings and streams of libc++ are watched if they are instantiated in the program.
    list(APPEND flags -gdwarf-aranges -D_LIBCPP_DISABLE_EXTERN_TEMPLATE -mllvm -tsan-distinguish-volatile -mllvm -tsan-instrument-func-entry-exit=${functions})
  endif()
  list(JOIN flags " " flags)
  set(${result} "${flags}" PARENT_SCOPE)
endfunction()

function(muster_instrument_target target)
  set(functions 0)
  if("FUNCTIONS" IN_LIST ARGN)
    set(functions 1)
  endif()
  muster_instrument_flags(flags ${CMAKE_CXX_COMPILER_ID} ${functions})
  target_compile_options(${target} PRIVATE "SHELL:${flags}")
endfunction()

# The target behind an alias.
function(_muster_real_target target result)
  if(NOT TARGET ${target})
    message(FATAL_ERROR "muster_add_check: INSTRUMENT ${target}: there is no such target")
  endif()
  get_target_property(aliased ${target} ALIASED_TARGET)
  if(aliased)
    set(target ${aliased})
  endif()
  set(${result} ${target} PARENT_SCOPE)
endfunction()

# A copy of a library target, compiled with instrumentation: same sources, options and dependencies. A library of headers only is its own
# variant, since whoever includes it is instrumented.
function(_muster_instrumented_variant target result)
  set(functions ${ARGN})
  _muster_real_target(${target} target)
  get_target_property(imported ${target} IMPORTED)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL INTERFACE_LIBRARY)
    set(${result} ${target} PARENT_SCOPE)
    return()
  endif()
  if(imported)
    message(FATAL_ERROR "muster_add_check: INSTRUMENT ${target}: an imported library has no sources to compile again; "
      "build it in this project, or name it after LIBRARIES and it will not be watched inside")
  endif()
  set(variant ${target}_muster)
  if(functions)
    set(variant ${target}_muster_functions)
  endif()
  if(NOT TARGET ${variant})
    get_target_property(sources ${target} SOURCES)
    get_target_property(folder ${target} SOURCE_DIR)
    list(TRANSFORM sources PREPEND "${folder}/" REGEX "^[^/$]")
    add_library(${variant} STATIC EXCLUDE_FROM_ALL ${sources})
    foreach(property INCLUDE_DIRECTORIES INTERFACE_INCLUDE_DIRECTORIES COMPILE_DEFINITIONS INTERFACE_COMPILE_DEFINITIONS COMPILE_OPTIONS
            COMPILE_FEATURES LINK_LIBRARIES INTERFACE_LINK_LIBRARIES CXX_STANDARD CXX_STANDARD_REQUIRED CXX_EXTENSIONS POSITION_INDEPENDENT_CODE)
      get_target_property(value ${target} ${property})
      if(value)
        set_target_properties(${variant} PROPERTIES ${property} "${value}")
      endif()
    endforeach()
    muster_instrument_target(${variant} ${functions})
  endif()
  set(${result} ${variant} PARENT_SCOPE)
endfunction()

# Where one instrumented library uses another, its variant uses the other's variant: two copies of the same code must not meet in a program.
function(_muster_use_variants variant targets)
  set(functions ${ARGN})
  get_target_property(type ${variant} TYPE)
  if(type STREQUAL INTERFACE_LIBRARY)
    return()
  endif()
  foreach(property LINK_LIBRARIES INTERFACE_LINK_LIBRARIES)
    get_target_property(used ${variant} ${property})
    if(used)
      foreach(target IN LISTS targets)
        _muster_instrumented_variant(${target} replacement ${functions})
        _muster_real_target(${target} real)
        list(TRANSFORM used REPLACE "^(${target}|${real})$" "${replacement}")
      endforeach()
      set_target_properties(${variant} PROPERTIES ${property} "${used}")
    endif()
  endforeach()
endfunction()

function(_muster_forbid_inline_atomics name)
  find_program(MUSTER_OBJDUMP objdump)
  if(NOT MUSTER_OBJDUMP)
    message(WARNING "muster_add_check: without objdump (package binutils) atomic instructions in inline assembly go unnoticed")
    return()
  endif()
  set(objects $<TARGET_OBJECTS:${name}>)
  foreach(variant IN LISTS ARGN)
    list(APPEND objects $<TARGET_OBJECTS:${variant}>)
  endforeach()
  add_custom_command(TARGET ${name} POST_BUILD COMMAND_EXPAND_LISTS VERBATIM
    COMMAND sh ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/find-inline-atomics.sh ${MUSTER_OBJDUMP} $<TARGET_FILE:${name}> ${objects})
endfunction()

# CTest reads the entries that the build wrote; before that, one that says what is missing.
function(_muster_discover_scenarios name)
  set(entries ${CMAKE_CURRENT_BINARY_DIR}/${name}_scenarios.cmake)
  set(include ${CMAKE_CURRENT_BINARY_DIR}/${name}_include.cmake)
  file(WRITE ${include} "if(EXISTS \"${entries}\")\n  include(\"${entries}\")\nelse()\n  add_test(${name}_NOT_BUILT ${name}_NOT_BUILT)\nendif()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${include})
  add_custom_command(TARGET ${name} POST_BUILD BYPRODUCTS ${entries} VERBATIM
    COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:${name}> -DNAME=${name} -DFOLDER=${CMAKE_CURRENT_BINARY_DIR} -DOUTPUT=${entries}
      -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/list-scenarios.cmake)
endfunction()

function(muster_add_check name)
  cmake_parse_arguments(arg "NO_MAIN;NO_TEST;FUNCTIONS;ALLOW_INLINE_ASSEMBLY" "" "INSTRUMENT;LIBRARIES" ${ARGN})
  set(functions)
  if(arg_FUNCTIONS)
    set(functions FUNCTIONS)
  endif()
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_compile_features(${name} PRIVATE cxx_std_20)
  muster_instrument_target(${name} ${functions})
  # Lazy binding would write to the program's data while it runs, and be undone before each execution.
  target_link_options(${name} PRIVATE -Wl,-z,now)
  set(compiled_variants)
  foreach(library IN LISTS arg_INSTRUMENT)
    _muster_instrumented_variant(${library} variant ${functions})
    _muster_use_variants(${variant} "${arg_INSTRUMENT}" ${functions})
    target_link_libraries(${name} PRIVATE ${variant})
    get_target_property(type ${variant} TYPE)
    if(NOT type STREQUAL INTERFACE_LIBRARY)
      list(APPEND compiled_variants ${variant})
    endif()
  endforeach()
  # The runtime comes before everything it interposes: before the objects, as CMake puts a library behind all that need it.
  target_link_options(${name} BEFORE PRIVATE "SHELL:-Wl,--push-state,--no-as-needed $<TARGET_FILE:muster::runtime> -Wl,--pop-state")
  if(arg_NO_MAIN)
    target_link_libraries(${name} PRIVATE muster::runtime ${arg_LIBRARIES})
  else()
    target_link_libraries(${name} PRIVATE muster::main ${arg_LIBRARIES})
  endif()
  if(NOT arg_ALLOW_INLINE_ASSEMBLY)
    _muster_forbid_inline_atomics(${name} ${compiled_variants})
  endif()
  if(arg_NO_TEST)
    return()
  elseif(arg_NO_MAIN)
    add_test(NAME ${name} COMMAND ${name})
  else()
    _muster_discover_scenarios(${name})
  endif()
endfunction()

function(muster_add_program name)
  muster_add_check(${name} ${ARGN} FUNCTIONS NO_MAIN NO_TEST)
endfunction()

cmake_policy(POP)
