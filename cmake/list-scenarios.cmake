# cmake -DPROGRAM=… -DNAME=… -DFOLDER=… -DOUTPUT=… -P list-scenarios.cmake: writes a CTest entry for each scenario of a test program.
execute_process(COMMAND ${PROGRAM} --list OUTPUT_VARIABLE scenarios RESULT_VARIABLE code)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} --list ended with ${code}")
endif()
string(REGEX MATCHALL "[^\n]+" scenarios "${scenarios}")
set(entries "")
foreach(scenario IN LISTS scenarios)
  string(APPEND entries "add_test(\"${NAME}.${scenario}\" \"${PROGRAM}\" \"${scenario}\")\n"
    "set_tests_properties(\"${NAME}.${scenario}\" PROPERTIES WORKING_DIRECTORY \"${FOLDER}\")\n")
endforeach()
file(WRITE ${OUTPUT} "${entries}")
