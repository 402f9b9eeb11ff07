# The fuzz target of the trace readers. libFuzzer comes with clang, so clang compiles the sources it needs a second time.
find_program(MUSTER_FUZZ_CLANG NAMES clang++-14 clang++)
if(MUSTER_FUZZ_CLANG AND NOT MUSTER_SANITIZE)
  set(fuzz_trace ${CMAKE_CURRENT_BINARY_DIR}/fuzz_trace_readers)
  set(fuzz_trace_flags -std=c++20 -O1 -g1 -fsanitize=fuzzer,address)
  if(fmt_VERSION VERSION_LESS 9 OR fmt_VERSION VERSION_GREATER_EQUAL 10)
    list(APPEND fuzz_trace_flags -DFMT_HEADER_ONLY=1)
  endif()
  set(fuzz_trace_sources ${PROJECT_SOURCE_DIR}/tests/fuzz/fuzz_trace_readers.cpp)
  foreach(module base symbols trace predict)
    list(APPEND fuzz_trace_flags -I${PROJECT_BINARY_DIR}/include-roots/${module})
    muster_module_sources(sources ${module})
    list(APPEND fuzz_trace_sources ${sources})
  endforeach()
  set(fuzz_trace_objects)
  foreach(source IN LISTS fuzz_trace_sources)
    string(MAKE_C_IDENTIFIER ${source} object_name)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/fuzz-trace-objects/${object_name}.o)
    add_custom_command(OUTPUT ${object} DEPENDS ${source} DEPFILE ${object}.d
                       COMMAND ${MUSTER_FUZZ_CLANG} ${fuzz_trace_flags} -MD -MF ${object}.d -MT ${object} -c ${source} -o ${object}
                       COMMENT "Building ${source} for fuzzing")
    list(APPEND fuzz_trace_objects ${object})
  endforeach()
  add_custom_command(OUTPUT ${fuzz_trace} DEPENDS ${fuzz_trace_objects}
                     COMMAND ${MUSTER_FUZZ_CLANG} -fsanitize=fuzzer,address ${fuzz_trace_objects} -o ${fuzz_trace} -labsl_raw_hash_set -labsl_hash
                             -labsl_city -labsl_low_level_hash -labsl_hashtablez_sampler -labsl_synchronization -labsl_base
                             -labsl_throw_delegate -labsl_raw_logging_internal -ldw
                     COMMENT "Linking the fuzz target of the trace readers")
  add_custom_target(build_fuzz_trace_readers ALL DEPENDS ${fuzz_trace})
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/fuzz-trace-objects ${CMAKE_CURRENT_BINARY_DIR}/fuzz-trace-corpus)
  add_test(NAME fuzz_trace_readers
           COMMAND ${fuzz_trace} ${CMAKE_CURRENT_BINARY_DIR}/fuzz-trace-corpus -seed=1 -artifact_prefix=${CMAKE_CURRENT_BINARY_DIR}/ -max_total_time=10 -max_len=3000 -rss_limit_mb=1024
                   -dict=${PROJECT_SOURCE_DIR}/tests/fuzz/trace_readers.dict -print_final_stats=1)
  set_tests_properties(fuzz_trace_readers PROPERTIES LABELS fuzz)
endif()
