// Modes of a bowl-like shell, timed by itself or on matrices that another program can read.
//   modes_bench dump FILE [EDGE_M]    meshes a bowl, writes K and M as raw arrays
//   modes_bench solve FILE COUNT      reads them, finds COUNT modes, prints JSON: seconds, peak memory, frequencies
// bench/modes_against_scipy.py runs both, and SciPy on the same file.
#include <clangor/vibration/solid/solid.hpp>

#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

using namespace clangor;

namespace {

template <class T>
void put(std::ofstream& file, const T* data, long count) {
    file.write(reinterpret_cast<const char*>(data), long(sizeof(T)) * count);
}
template <class T>
void get(std::ifstream& file, T* data, long count) {
    if (!file.read(reinterpret_cast<char*>(data), long(sizeof(T)) * count)) throw Error("the file is too short");
}

void put_matrix(std::ofstream& file, const SparseMatrix& A) {
    const long head[2] = {A.cols(), A.nonZeros()};
    put(file, head, 2);
    put(file, A.outerIndexPtr(), A.cols() + 1);
    put(file, A.innerIndexPtr(), A.nonZeros());
    put(file, A.valuePtr(), A.nonZeros());
}

SparseMatrix get_matrix(std::ifstream& file) {
    long head[2];
    get(file, head, 2);
    SparseMatrix A(head[0], head[0]);
    A.resizeNonZeros(head[1]);
    get(file, A.outerIndexPtr(), head[0] + 1);
    get(file, A.innerIndexPtr(), head[1]);
    get(file, A.valuePtr(), head[1]);
    return A;
}

void dump(const std::string& path, double edge) {
    const Surface surface = clean(surface_of(Bowl{.radius = 0.09, .depth = 0.06, .thickness = 0.006})).surface;
    const TetMesh mesh = quadratic(tetrahedralize(surface, {.edge_length = edge}).mesh, surface);
    const StiffnessMass body = assemble(mesh, {"", 2400, 70e9, 0.22, {}, ""});
    std::ofstream file(path, std::ios::binary);
    put_matrix(file, body.stiffness);
    put_matrix(file, body.mass);
    put(file, body.rigid.data(), body.rigid.size());
    fmt::print("{} degrees of freedom, {} entries in K\n", body.mass.cols(), body.stiffness.nonZeros());
}

void solve(const std::string& path, int count) {
    StiffnessMass body;
    {
        std::ifstream file(path, std::ios::binary);
        body.stiffness = get_matrix(file);
        body.mass = get_matrix(file);
        body.rigid.resize(body.mass.cols(), 6);
        get(file, body.rigid.data(), body.rigid.size());
    }
    const auto start = std::chrono::steady_clock::now();
    const Modes modes = vibration_modes(body, {.max_hz = 1e6, .max_count = count});
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    fmt::print(
        "{{\"seconds\": {:.3f}, \"peak_mb\": {:.0f}, \"residual\": {:.2e}, \"first_hz\": {:.6f}, \"last_hz\": "
        "{:.6f}}}\n",
        seconds, double(usage.ru_maxrss) / 1024, modes.residuals.maxCoeff(), modes.omega[0] / (2 * pi),
        modes.omega[count - 1] / (2 * pi));
}

}  // namespace

int main(int argc, char** argv) {
    const std::string verb = argc > 1 ? argv[1] : "";
    if (verb == "dump" && argc > 2)
        dump(argv[2], argc > 3 ? std::atof(argv[3]) : 0.0055);
    else if (verb == "solve" && argc > 3)
        solve(argv[2], std::atoi(argv[3]));
    else
        return fmt::print(stderr, "modes_bench dump FILE [EDGE_M] | solve FILE COUNT\n"), 2;
}
