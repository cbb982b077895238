# One module, one static library: clangor_module(vibration/modal USES core LIBRARIES cholmod) builds
# src/clangor/vibration/modal/*.cpp. USES names the modules whose public headers it may include; tools/check_layers.py reads the
# same lines, and checks the includes.

# Flags for code that we wrote; the libraries' headers are SYSTEM includes.
add_library(clangor_flags INTERFACE)
target_compile_options(clangor_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wcast-align -Wunused
                       -Woverloaded-virtual -Wdouble-promotion -Wimplicit-fallthrough -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Eigen's inlined expressions trip these two in g++ 12, always falsely.
    target_compile_options(clangor_flags INTERFACE -Wno-maybe-uninitialized -Wno-array-bounds)
    if(CLANGOR_SANITIZE)
        target_compile_options(clangor_flags INTERFACE -Wno-uninitialized)  # checks between its intrinsics make it complain of its own headers
    endif()
endif()
# The same bytes on every machine: no re-association, and fused multiply-adds only where they are written.
target_compile_options(clangor_flags INTERFACE -ffp-contract=off -fno-math-errno)
if(CLANGOR_NATIVE)
    target_compile_options(clangor_flags INTERFACE -march=native)
endif()
if(CLANGOR_CHECKED)
    target_compile_definitions(clangor_flags INTERFACE CLANGOR_CHECKED)
endif()
if(CLANGOR_SANITIZE)
    # Eigen reads a complex<float> as one double wherever it lies, which x86 allows and the alignment check does not.
    target_compile_options(clangor_flags INTERFACE -fsanitize=${CLANGOR_SANITIZE} -fno-sanitize=alignment -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(clangor_flags INTERFACE -fsanitize=${CLANGOR_SANITIZE})
endif()
# Threads are ours to place (core/parallel.hpp): Eigen's own would change the bits with their number.
target_compile_definitions(clangor_flags INTERFACE EIGEN_DONT_PARALLELIZE)
target_link_libraries(clangor_flags INTERFACE Eigen3::Eigen Threads::Threads)
target_compile_options(clangor_flags INTERFACE -fopenmp-simd)  # loops that the compiler may turn into vectors
target_include_directories(clangor_flags INTERFACE ${CMAKE_SOURCE_DIR}/src)

# COLD marks modules that read, write and check: they are waited for only while they are compiled, for which -O1 takes two thirds of the time.
function(clangor_cold target)
    if(CMAKE_BUILD_TYPE STREQUAL "Release")
        target_compile_options(${target} PRIVATE -O1 -Wno-uninitialized -Wno-stringop-overflow)  # g++ 12 complains of its own headers there
    endif()
endfunction()

# What nearly every unit includes, read once: without that, half the time of a build is the parsing of these. Units include what they use all
# the same: debug and sanitizer builds do without (CMAKE_DISABLE_PRECOMPILE_HEADERS), and find what one forgot.
set(clangor_common_headers <Eigen/Core> <Eigen/Geometry> <fmt/format.h> <algorithm> <array> <cmath> <complex> <filesystem> <fstream> <functional>
                           <limits> <map> <memory> <optional> <span> <string> <variant> <vector>)
function(clangor_precompile name)  # makes them, with what stands behind
    file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/${name}.cpp CONTENT "// holds precompiled headers\n")
    add_library(${name} OBJECT ${CMAKE_BINARY_DIR}/${name}.cpp)
    target_link_libraries(${name} PRIVATE clangor_flags fmt::fmt)
    target_precompile_headers(${name} PRIVATE ${clangor_common_headers} ${ARGN})
endfunction()
function(clangor_use_precompiled target from)
    target_compile_definitions(${target} PRIVATE FMT_SHARED)  # as where they were made
    target_precompile_headers(${target} REUSE_FROM ${from})
endfunction()
clangor_precompile(clangor_headers)
clangor_precompile(clangor_cold_headers <nlohmann/json.hpp>)
clangor_cold(clangor_cold_headers)

# Eight files of a module are compiled as one unit (CMAKE_UNITY_BUILD of the presets): template libraries are instantiated once for them. Names
# in namespaces without a name must differ within a module for that, and a test file is a namespace of its own. Debug builds compile file by file.
if(CMAKE_UNITY_BUILD)
    target_compile_options(clangor_flags INTERFACE -Wno-subobject-linkage)  # takes the files of such a unit for headers
endif()

# A CGAL unit takes up to 4 GB to compile: one at a time.
set_property(GLOBAL APPEND PROPERTY JOB_POOLS heavy_compile=1)

# Files named cgal_*.cpp are such units. CGAL needs its own rounding mode, and its warnings are not ours; unoptimised and with
# its own checks it would mesh a hundred times slower, so debug builds leave both out.
function(clangor_cgal_units name units libraries)
    add_library(clangor_${name}_cgal OBJECT ${units})
    target_link_libraries(clangor_${name}_cgal PRIVATE clangor_flags ${libraries})
    target_compile_options(clangor_${name}_cgal PRIVATE -frounding-math -w -O2)
    target_compile_definitions(clangor_${name}_cgal PRIVATE CGAL_NDEBUG)
    set_target_properties(clangor_${name}_cgal PROPERTIES JOB_POOL_COMPILE heavy_compile UNITY_BUILD OFF)
    target_sources(clangor_${name} PRIVATE $<TARGET_OBJECTS:clangor_${name}_cgal>)
endfunction()

# clangor_module(objects/* …) is a line for each folder there that has none of its own; clangor_kinds links them all.
add_library(clangor_kinds INTERFACE)
function(clangor_module path)
    if(path MATCHES "^(.*)/[*]$")
        file(GLOB folders LIST_DIRECTORIES true CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/src/clangor ${CMAKE_SOURCE_DIR}/src/clangor/${path})
        foreach(folder ${folders})
            string(REPLACE "/" "_" name ${folder})
            if(IS_DIRECTORY ${CMAKE_SOURCE_DIR}/src/clangor/${folder} AND NOT TARGET clangor_${name})
                clangor_module(${folder} ${ARGN})
                target_link_libraries(clangor_kinds INTERFACE clangor_${name})
            endif()
        endforeach()
        return()
    endif()
    cmake_parse_arguments(ARG "COLD" "" "USES;LIBRARIES" ${ARGN})
    string(REPLACE "/" "_" name ${path})
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/clangor/${path}/*.cpp)
    set(cgal_units ${sources})
    list(FILTER cgal_units INCLUDE REGEX "/cgal_[^/]*$")
    list(FILTER sources EXCLUDE REGEX "/cgal_[^/]*$")
    list(TRANSFORM ARG_USES PREPEND clangor_)
    list(TRANSFORM ARG_USES REPLACE "/" "_")
    if(NOT sources)
        add_library(clangor_${name} INTERFACE)  # headers only
        target_link_libraries(clangor_${name} INTERFACE clangor_flags ${ARG_USES})
        return()
    endif()
    add_library(clangor_${name} STATIC ${sources})
    target_link_libraries(clangor_${name} PUBLIC clangor_flags ${ARG_USES} PRIVATE ${ARG_LIBRARIES})
    if(ARG_COLD)
        clangor_cold(clangor_${name})
        clangor_use_precompiled(clangor_${name} clangor_cold_headers)
    else()
        clangor_use_precompiled(clangor_${name} clangor_headers)
    endif()
    if(cgal_units)
        clangor_cgal_units(${name} "${cgal_units}" "${ARG_LIBRARIES}")
    endif()
endfunction()

# The test program of one module: every tests/<path>/*.cpp. ctest runs it as one test, `label` tells its weight; without one it is "unit".
function(clangor_test path)
    cmake_parse_arguments(ARG "" "LABEL" "LIBRARIES" ${ARGN})
    string(REPLACE "/" "_" name ${path})
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/${path}/*.cpp)
    if(NOT sources)
        return()
    endif()
    add_executable(test_${name} ${sources})
    target_link_libraries(test_${name} PRIVATE clangor_flags doctest_main ${ARG_LIBRARIES})
    target_include_directories(test_${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
    clangor_cold(test_${name})
    clangor_use_precompiled(test_${name} clangor_test_headers)
    add_test(NAME ${path} COMMAND test_${name} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
    if(NOT ARG_LABEL)
        set(ARG_LABEL unit)
    endif()
    set_tests_properties(${path} PROPERTIES LABELS ${ARG_LABEL})
endfunction()
