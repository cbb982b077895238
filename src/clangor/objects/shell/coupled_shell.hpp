// Shells whose modes move together. Internal to objects/shell.
#pragma once

#include <clangor/objects/modal/modal.hpp>
#include <clangor/vibration/nonlinear/nonlinear.hpp>
#include <clangor/vibration/subspace/subspace.hpp>

#include <memory>
#include <string>

namespace clangor {

/// Of the object of that name, as stress modes move them, with so many times the plan's prestress.
std::shared_ptr<const CoupledModes> coupled_modes(const std::string& name, std::shared_ptr<const ShellPlan> plan,
                                                  double prestress);

/// As linear modes alone move them; `most_energy` is that of SubspaceStepperOptions [J].
std::shared_ptr<const CoupledModes> coupled_modes(const std::string& name, std::shared_ptr<const SubspacePlan> plan,
                                                  double most_energy);

}  // namespace clangor
