#!/usr/bin/env python3
"""Compiles the example of every public header: the lines behind the first empty line of its opening comment.

    CXX=g++ INCLUDES=/usr/include/eigen3 tests/docs/header_examples_test.py

An example takes for granted what its reader has: GIVEN says what that is, as the parameters of the function that the example becomes.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SOURCES = ROOT / "src" / "clangor"

GIVEN = {
    "core": "double density",
    "signal": "std::span<const float> emitted, std::span<const double> positions",
    "motion/record": "const Motion& motion, const Vec3& corner_body",
    "motion/contact": "double m1, double m2, double H1, double H2, const Material& steel, const Material& glass",
    "motion/imported": "const std::vector<ImportedImpact>& events, const std::vector<ImportedBody>& bodies",
    "vibration/modal": "const TetMesh& mesh, const Material& steel",
    "vibration/solid": "const TetMesh& tets, const Surface& surface, const Material& steel",
    "vibration/shell": "const Surface& lid, const Material& steel",
    "vibration/nonlinear": "const ThinShell& shell, const Material& steel, const Eigen::MatrixXd& forces",
    "vibration/subspace": "const ThinShell& shell, const Material& steel, const Eigen::MatrixXd& forces",
    "vibration/rod": "const Material& steel",
    "vibration/rod_contact": "const Material& steel",
    "vibration/oscillator": "const Modes& modes, const Eigen::VectorXd& xi, const Eigen::VectorXd& impulse, const Eigen::VectorXcd& weights",
    "radiation/compact": "const Skin& skin, const Eigen::MatrixXd& skin_shapes, const Modes& modes",
    "motion/grain_runs": "const GrainWorld& world",
    "motion/grain_databank": "const Points& positions, const Points& velocities",
    "motion/collision_density": "std::span<const Encounter> recorded",
    "radiation/spheres": "const Material& glass",
    "radiation/dipole": "const Eigen::VectorXd& lengths, const std::vector<RodInstant>& motion",
    "radiation/wave": "const Surface& ball, const Points& sphere_points, const std::function<double(double)>& pulse",
    "radiation/spherical": "const Eigen::MatrixXf& values",
    "radiation/acceleration": "const MassProperties& mass, const Material& steel, std::span<float> emitted",
    "radiation/bem": "const Surface& ball, const Eigen::VectorXcd& q, double k, const Points& listeners",
    "radiation/transfer": "const Surface& skin, const std::vector<Points>& shapes, const Eigen::VectorXd& omega, const Air& air,"
                          " std::span<std::complex<float>> pressures",
    "listening": "std::span<const float> bowl_pressure, const DelayCurve& delay_curve",
    "io/file": "const std::string& text",
    "io/gltf": "std::span<const std::byte> bytes, const io::SiblingReader& sibling, const std::function<void(const io::gltf::Document&)>& use",
    "io/media": "const Audio& audio",
    "io/scene": "void (*show)(const std::string&)",
    "io": "const Audio& audio",
    "objects": "const scene::Solid& solid, BakeContext& context, const Excitation& excitation, const EmissionContext& emission,"
               " std::vector<std::string>& warnings",
    "objects/modal": "const ModalBody& model, const BakeContext& context, const ModalSource& source, const Excitation& excitation,"
                     " const EmissionContext& emission, std::vector<std::string>& warnings",
    "objects/ground": "BakeContext& context",
    "objects/grains": "BakeContext& context",
    "objects/rod": "BakeContext& context",
    "validation": "void (*show)(const validation::Case&)",
}


def modules():
    """Every folder that has a public header, as the table of the layers names them."""
    for header in sorted(SOURCES.rglob("*.hpp")):
        if header.stem == header.parent.name:
            yield header.parent.relative_to(SOURCES).as_posix(), header


def example_of(header: pathlib.Path) -> str:
    opening = header.read_text(encoding="utf-8").split("#pragma once")[0]
    behind = re.split(r"^///\s*$", opening, maxsplit=1, flags=re.M)
    return "\n".join(line[8:] for line in behind[1].splitlines() if line.startswith("///     ")) if len(behind) == 2 else ""


def main() -> int:
    wanted, functions, missing = [], [], []
    for module, header in modules():
        example = example_of(header)
        if not example:
            missing.append(f"{header}: no example behind an empty line of its opening comment")
            continue
        wanted.append(f"#include <clangor/{module}/{header.name}>")
        name = "example_" + module.replace("/", "_")
        functions.append(f'#line 1 "{module}/{header.name}, example"\n[[maybe_unused]] void {name}({GIVEN.get(module, "")}) {{\n{example}\n}}\n')
    if missing:
        print("\n".join(missing))
        return 1
    flags = [flag for folder in os.environ.get("INCLUDES", "").split(";") if folder for flag in ("-isystem", folder)]
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "examples.cpp"
        source.write_text("\n".join(wanted) + "\n#include <nlohmann/json.hpp>\n\nnamespace clangor {\n\nnamespace gltf = io::gltf;\n\n"
                          + "\n".join(functions) + "\n}  // namespace clangor\n", encoding="utf-8")
        compiler = os.environ.get("CXX", "c++")
        result = subprocess.run([compiler, "-std=c++20", "-fsyntax-only", "-Wno-unused", f"-I{ROOT / 'src'}", *flags, str(source)], check=False)
    print(f"{len(functions)} examples" if result.returncode == 0 else "an example does not compile")
    return result.returncode


if __name__ == "__main__":
    sys.exit(main())
