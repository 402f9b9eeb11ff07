# cmake -DFOLDER=… -DOUTPUT=… -P embed.cmake: joins the parts of the report page into one C++ source. The raw string's delimiter must not
# occur in them; GCC takes literals of this length.
cmake_minimum_required(VERSION 3.25)  # without it, @words@ in arguments would be replaced
file(READ ${FOLDER}/report.html page)
file(READ ${FOLDER}/report.css style)
set(script "\"use strict\";\n")
foreach(part list operations drawing timeline steps report)
  file(READ ${FOLDER}/${part}.js text)
  string(APPEND script "${text}")
endforeach()
string(REPLACE "@style@" "${style}" page "${page}")
string(REPLACE "@script@" "${script}" page "${page}")
file(WRITE ${OUTPUT} "#include \"report/html_page.hpp\"\n\nnamespace muster {\n\nconst std::string_view html_page = R\"muster_page(${page})muster_page\";\n\n}  // namespace muster\n")
