# What `cmake --install` and the Debian package hold: the command, the runtime that test programs link, the public headers, and
# muster_add_check for CMake, flags for everybody else.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/muster)

set_target_properties(muster_runtime_library PROPERTIES EXPORT_NAME runtime)
set_target_properties(muster_main PROPERTIES EXPORT_NAME main)
set_target_properties(muster_standard_library PROPERTIES EXPORT_NAME standard_library)
set_target_properties(muster_stress_library PROPERTIES EXPORT_NAME stress_runtime)
set_target_properties(muster_stress_main PROPERTIES EXPORT_NAME stress)
install(TARGETS muster muster_runtime_library muster_main muster_standard_library muster_stress_library muster_stress_main EXPORT musterTargets)
# A package of its own: nothing else needs an MPI. `cmake --install build --component mpi`
if(TARGET muster-mpi)
  install(TARGETS muster-mpi COMPONENT mpi EXCLUDE_FROM_ALL)
endif()
install(EXPORT musterTargets NAMESPACE muster:: DESTINATION ${package_folder})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/muster DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/musterConfig.cmake.in ${PROJECT_BINARY_DIR}/package/musterConfig.cmake
  INSTALL_DESTINATION ${package_folder} NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/musterConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/musterConfig.cmake ${PROJECT_BINARY_DIR}/package/musterConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/MusterAddCheck.cmake ${PROJECT_SOURCE_DIR}/cmake/find-inline-atomics.sh
  ${PROJECT_SOURCE_DIR}/cmake/list-scenarios.cmake DESTINATION ${package_folder})

# Where the file lies says where everything else does, so an installed tree can be moved.
file(RELATIVE_PATH from_pkgconfig_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
muster_instrument_flags(gcc_flags GNU 0)
muster_instrument_flags(clang_flags Clang 0)
configure_file(${PROJECT_SOURCE_DIR}/cmake/muster.pc.in ${PROJECT_BINARY_DIR}/package/muster.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/package/muster.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# The manual and the completions are what the command itself says of its command line.
set(manual ${PROJECT_BINARY_DIR}/package/man1)
set(completions ${PROJECT_BINARY_DIR}/package/completions)
install(DIRECTORY ${manual} DESTINATION ${CMAKE_INSTALL_MANDIR})
install(FILES ${completions}/bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME muster)
install(FILES ${completions}/zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions RENAME _muster)
install(FILES ${completions}/fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d RENAME muster.fish)

if(PROJECT_IS_TOP_LEVEL)
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
  set(CPACK_PACKAGE_NAME muster)
  set(CPACK_PACKAGE_CONTACT "The Muster authors")
  set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Checks whether concurrent C++ code passes muster")
  set(CPACK_GENERATOR DEB)
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_SECTION devel)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "binutils")
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "g++ | clang, cmake")
  include(CPack)
endif()
