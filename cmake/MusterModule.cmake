# One static library a folder under src/, or a folder in one of these: it is a module of its own if it is declared before the folder that it
# is in, and a part of that one if not.
#
#   muster_module(judge DEPENDS spec LIBRARIES Boost::graph)
#   muster_module(harness/steps DEPENDS search symbols)
#
# A module sees the headers of the modules it names (and of what those name), and no others: each target exports an include root
# that holds a single link, to its own folder. `#include "spec/model.hpp"` in a module that does not depend on `spec` does not compile.
function(muster_module path)
  cmake_parse_arguments(arg "" "" "DEPENDS;LIBRARIES" ${ARGN})
  string(REPLACE "/" "_" name ${path})
  list(TRANSFORM arg_DEPENDS REPLACE "/" "_")
  set(folder ${PROJECT_SOURCE_DIR}/src/${path})
  set(root ${PROJECT_BINARY_DIR}/include-roots/${name})
  cmake_path(GET path PARENT_PATH above)
  file(MAKE_DIRECTORY ${root}/${above})
  file(CREATE_LINK ${folder} ${root}/${path} SYMBOLIC)

  muster_module_files(sources ${path})
  list(FILTER sources EXCLUDE REGEX "/(cli/main|program_main|mpi_main)\\.cpp$")
  add_library(muster_${name} STATIC ${sources})
  target_include_directories(muster_${name} PUBLIC ${root} ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(muster_${name} PUBLIC ${arg_LIBRARIES} PRIVATE muster_warnings)
  foreach(dependency IN LISTS arg_DEPENDS)
    target_link_libraries(muster_${name} PUBLIC muster_${dependency})
  endforeach()
  # All modules may end up in the shared library that test programs link.
  set_target_properties(muster_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden)
  target_compile_options(muster_${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>)  # clang++ has none of these symbols
  muster_unity(muster_${name})
endfunction()

# The sources in a module's folder, and in those folders in it that are no modules of their own.
function(muster_module_files variable path)
  set(folder ${PROJECT_SOURCE_DIR}/src/${path})
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp ${folder}/*/*.cpp)
  string(REPLACE "/" "_" name ${path})
  file(GLOB parts CONFIGURE_DEPENDS RELATIVE ${folder} LIST_DIRECTORIES true ${folder}/*)
  foreach(part IN LISTS parts)
    if(TARGET muster_${name}_${part})
      list(FILTER sources EXCLUDE REGEX "^${folder}/${part}/")
    endif()
  endforeach()
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()

# With MUSTER_UNITY the sources of a target are compiled some at a time, as if they were one: their headers are read once. A name in an unnamed
# namespace is then seen by its neighbours, so it must be theirs alone.
function(muster_unity target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${MUSTER_UNITY} UNITY_BUILD_BATCH_SIZE 12)
  if(MUSTER_UNITY)
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)  # it takes the file for a header
  endif()
endfunction()

# The same for sources that a target's own rules compile: sets `variable` to the sources of a module, or to one file that includes them all.
function(muster_module_sources variable module)
  muster_module_files(sources ${module})
  if(MUSTER_UNITY)
    set(content)
    foreach(source IN LISTS sources)
      string(APPEND content "#include \"${source}\"\n")
    endforeach()
    set(sources ${CMAKE_CURRENT_BINARY_DIR}/unity_${module}.cpp)
    file(CONFIGURE OUTPUT ${sources} CONTENT "${content}" @ONLY)
  endif()
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()

# Unit and property tests of one module: tests/<name>/*_test.cpp become one GoogleTest program `<name>_test`.
function(muster_module_tests name)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${name}/*_test.cpp)
  add_executable(${name}_test ${sources})
  target_include_directories(${name}_test PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_compile_definitions(${name}_test PRIVATE MUSTER_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name}_test PRIVATE muster_${name} muster_warnings GTest::gtest_main ${ARGN})
  muster_unity(${name}_test)
  add_test(NAME ${name} COMMAND ${name}_test)
  set_tests_properties(${name} PROPERTIES LABELS unit)
endfunction()

# The same of some files of a module, without the others: tests/<name>/*_test.cpp, with src/<name>/<file>.cpp for each of FILES.
function(muster_file_tests name)
  cmake_parse_arguments(arg "" "" "FILES;LINK" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${name}/*_test.cpp)
  list(TRANSFORM arg_FILES REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/src/${name}/\\1.cpp")
  add_executable(${name}_test ${sources} ${arg_FILES})
  target_include_directories(${name}_test PRIVATE ${PROJECT_SOURCE_DIR}/tests $<TARGET_PROPERTY:muster_${name},INCLUDE_DIRECTORIES>)
  target_link_libraries(${name}_test PRIVATE ${arg_LINK} muster_warnings GTest::gtest_main)
  add_test(NAME ${name} COMMAND ${name}_test)
  set_tests_properties(${name} PROPERTIES LABELS unit)
endfunction()
