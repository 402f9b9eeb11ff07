# muster_add_check(name sources... [INSTRUMENT targets...] [LIBRARIES targets...] [NO_MAIN] [NO_TEST])
#
# Makes a test program from scenarios and checks. Its sources, and variants of the named library targets, are compiled with the compiler's
# thread instrumentation and linked against Muster's runtime instead of the sanitizer's. The program is registered with CTest.

set(MUSTER_INSTRUMENT_OPTIONS -fsanitize=thread -fno-plt -g -fno-omit-frame-pointer
  # Code that looks for the sanitizer would no longer be the code that is shipped.
  "$<$<CXX_COMPILER_ID:GNU>:SHELL:-U__SANITIZE_THREAD__ -Wno-tsan --param=tsan-distinguish-volatile=1 --param=tsan-instrument-func-entry-exit=0>"
  "$<$<CXX_COMPILER_ID:Clang>:SHELL:-mllvm -tsan-distinguish-volatile -mllvm -tsan-instrument-func-entry-exit=0>")

function(muster_instrument_target target)
  target_compile_options(${target} PRIVATE ${MUSTER_INSTRUMENT_OPTIONS})
endfunction()

# A copy of a library target, compiled with instrumentation: same sources, options and dependencies.
function(_muster_instrumented_variant target result)
  set(variant ${target}_muster)
  if(NOT TARGET ${variant})
    get_target_property(sources ${target} SOURCES)
    get_target_property(folder ${target} SOURCE_DIR)
    list(TRANSFORM sources PREPEND "${folder}/" REGEX "^[^/$]")
    add_library(${variant} STATIC ${sources})
    foreach(property INCLUDE_DIRECTORIES INTERFACE_INCLUDE_DIRECTORIES COMPILE_DEFINITIONS INTERFACE_COMPILE_DEFINITIONS COMPILE_OPTIONS
            COMPILE_FEATURES LINK_LIBRARIES INTERFACE_LINK_LIBRARIES CXX_STANDARD CXX_STANDARD_REQUIRED CXX_EXTENSIONS POSITION_INDEPENDENT_CODE)
      get_target_property(value ${target} ${property})
      if(value)
        set_target_properties(${variant} PROPERTIES ${property} "${value}")
      endif()
    endforeach()
    muster_instrument_target(${variant})
  endif()
  set(${result} ${variant} PARENT_SCOPE)
endfunction()

function(muster_add_check name)
  cmake_parse_arguments(arg "NO_MAIN;NO_TEST" "" "INSTRUMENT;LIBRARIES" ${ARGN})
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_compile_features(${name} PRIVATE cxx_std_20)
  muster_instrument_target(${name})
  # Lazy binding would write to the program's data while it runs, and be undone before each execution.
  target_link_options(${name} PRIVATE -Wl,-z,now)
  foreach(library IN LISTS arg_INSTRUMENT)
    _muster_instrumented_variant(${library} variant)
    target_link_libraries(${name} PRIVATE ${variant})
  endforeach()
  # The runtime comes before everything it interposes.
  if(arg_NO_MAIN)
    target_link_libraries(${name} PRIVATE muster::runtime ${arg_LIBRARIES})
  else()
    target_link_libraries(${name} PRIVATE muster::main ${arg_LIBRARIES})
  endif()
  if(NOT arg_NO_TEST)
    add_test(NAME ${name} COMMAND ${name})
  endif()
endfunction()
