# The libraries that Clangor stands on, each behind one target name. docs/howto/dependencies.md says why these.
find_package(PkgConfig REQUIRED)
find_package(Eigen3 REQUIRED NO_MODULE)
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CGAL REQUIRED)
pkg_check_modules(SNDFILE REQUIRED IMPORTED_TARGET sndfile)
pkg_check_modules(MYSOFA REQUIRED IMPORTED_TARGET libmysofa)
pkg_check_modules(BULLET REQUIRED IMPORTED_TARGET bullet-float64)  # find_package(Bullet) would give the float libraries
find_package(embree 3 REQUIRED)
find_package(HDF5 REQUIRED COMPONENTS C)
find_package(CLI11 REQUIRED)

# SuiteSparse has no CMake configuration in Debian 12.
find_path(CHOLMOD_INCLUDE cholmod.h PATH_SUFFIXES suitesparse REQUIRED)
find_library(CHOLMOD_LIBRARY cholmod REQUIRED)
add_library(cholmod INTERFACE)
target_include_directories(cholmod SYSTEM INTERFACE ${CHOLMOD_INCLUDE})
target_link_libraries(cholmod INTERFACE ${CHOLMOD_LIBRARY})

add_library(hdf5_c INTERFACE)
target_include_directories(hdf5_c SYSTEM INTERFACE ${HDF5_C_INCLUDE_DIRS})
target_link_libraries(hdf5_c INTERFACE ${HDF5_C_LIBRARIES})
