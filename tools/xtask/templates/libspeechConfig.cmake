# find_package(libspeech) defines the targets libspeech::speech (shared) and
# libspeech::speech_static, and
#   libspeech_VOICES_DIR  the voice bundle, or empty if the package has none.
cmake_minimum_required(VERSION 3.15...4.0)

# The package is relocatable: all paths are relative to this file.
get_filename_component(_libspeech_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(libspeech_VOICES_DIR "${_libspeech_prefix}/share/libspeech/voices")
if(NOT EXISTS "${libspeech_VOICES_DIR}/bundle.json")
  set(libspeech_VOICES_DIR "")
endif()

if(NOT TARGET libspeech::speech)
  add_library(libspeech::speech SHARED IMPORTED)
  set_target_properties(libspeech::speech PROPERTIES
    IMPORTED_LOCATION "${_libspeech_prefix}/@LIBRARY@"
    @LINKED_AS@
    INTERFACE_INCLUDE_DIRECTORIES "${_libspeech_prefix}/include")

  add_library(libspeech::speech_static STATIC IMPORTED)
  set_target_properties(libspeech::speech_static PROPERTIES
    IMPORTED_LOCATION "${_libspeech_prefix}/lib/libspeech.a"
    IMPORTED_LINK_INTERFACE_LANGUAGES "C"
    INTERFACE_LINK_LIBRARIES "@NATIVE_LIBRARIES@"
    INTERFACE_COMPILE_DEFINITIONS SPEECH_STATIC
    INTERFACE_INCLUDE_DIRECTORIES "${_libspeech_prefix}/include")
endif()

unset(_libspeech_prefix)
