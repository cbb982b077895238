#include <clangor/objects/shell/baked_plan.hpp>

#include <fmt/format.h>

namespace clangor {
namespace {

using namespace io;

std::uint64_t size(long n) { return static_cast<std::uint64_t>(n); }

void write_rows(Hdf5Writer& file, const std::string& name, const FloatRows& rows, const char* units) {
    file.write(name, flat_values(rows), {size(rows.rows()), size(rows.cols())}, units);
}

void write_numbers(Hdf5Writer& file, const std::string& name, const Eigen::VectorXd& numbers, const char* units) {
    file.write(name, flat_values(numbers), {size(numbers.size())}, units);
}

void write_indices(Hdf5Writer& file, const std::string& name, const std::vector<int>& indices) {
    file.write(name, std::span(indices), {indices.size()}, "1");
}

FloatRows read_rows(const Hdf5Reader& file, const std::string& name) {
    const Hdf5Array<float> array = file.floats(name);
    if (array.dims.size() != 2) throw Error(fmt::format("has a {} of the wrong size", name));
    return matrix_of<FloatRows>(array, long(array.dims[0]), long(array.dims[1]), name);
}

Eigen::VectorXd read_numbers(const Hdf5Reader& file, const std::string& name) {
    const Hdf5Array<double> array = file.doubles(name);
    return matrix_of<Eigen::VectorXd>(array, std::ssize(array.values), 1, name);
}

std::vector<int> read_indices(const Hdf5Reader& file, const std::string& name) {
    const Hdf5Array<std::int32_t> array = file.integers(name);
    return {array.values.begin(), array.values.end()};
}

}  // namespace

void write(Hdf5Writer& file, const BakedShellPlan& baked) {
    const ShellPlan& plan = baked.plan;
    write_indices(file, "modes/kept", plan.kept);
    write_numbers(file, "modes/omega", plan.omega, "rad/s");
    write_rows(file, "stresses/coupling", plan.coupling, "1/s");
    write_rows(file, "edges/turns", plan.edges, "kg^-1/2");
    write_rows(file, "edges/squares", plan.squares, "J^1/2 m^-2");
    write_rows(file, "probes", plan.probes, "kg^-1/2 m^-1");
    file.write("misfit", plan.misfit, "1");
    file.write("prestress", plan.prestress, "J^1/2");
}

void read(const Hdf5Reader& file, BakedShellPlan& baked) {
    baked.plan = {.kept = read_indices(file, "modes/kept"),
                  .omega = read_numbers(file, "modes/omega"),
                  .coupling = read_rows(file, "stresses/coupling"),
                  .edges = read_rows(file, "edges/turns"),
                  .squares = read_rows(file, "edges/squares"),
                  .probes = read_rows(file, "probes"),
                  .misfit = file.number("misfit"),
                  .prestress = file.number("prestress")};
}

std::vector<std::string> problems_of(const BakedShellPlan& baked) { return problems_of(baked.plan); }

void write(Hdf5Writer& file, const BakedSubspacePlan& baked) {
    const SubspacePlan& plan = baked.plan;
    write_numbers(file, "modes/omega", plan.omega, "rad/s");
    write_indices(file, "triangles/faces", plan.triangles);
    write_numbers(file, "triangles/weights", plan.weights, "m^2");
    file.write("triangles/area", plan.area, "m^2");
    write_rows(file, "triangles/rows", plan.rows, "kg^-1/2 m^-1, kg^-1/2");
    write_rows(file, "triangles/membrane", plan.membrane, "J");
    write_rows(file, "triangles/bending", plan.bending, "J");
    write_rows(file, "probes", plan.probes, "kg^-1/2 m^-1");
    file.write("misfit", plan.misfit, "1");
    file.write("misfit_of_whole", plan.misfit_of_whole, "1");
}

void read(const Hdf5Reader& file, BakedSubspacePlan& baked) {
    baked.plan = {.omega = read_numbers(file, "modes/omega"),
                  .triangles = read_indices(file, "triangles/faces"),
                  .weights = read_numbers(file, "triangles/weights"),
                  .area = file.number("triangles/area"),
                  .rows = read_rows(file, "triangles/rows"),
                  .membrane = read_rows(file, "triangles/membrane"),
                  .bending = read_rows(file, "triangles/bending"),
                  .probes = read_rows(file, "probes"),
                  .misfit = file.number("misfit"),
                  .misfit_of_whole = file.number("misfit_of_whole")};
}

std::vector<std::string> problems_of(const BakedSubspacePlan& baked) { return problems_of(baked.plan); }

}  // namespace clangor
