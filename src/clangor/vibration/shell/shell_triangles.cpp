// Triangles as plain values, each in its own axes
#include <clangor/vibration/shell/shell_element.hpp>

namespace clangor {

std::vector<ShellTriangle> shell_triangles(const ThinShell& shell, const Material& material) {
    const std::vector<ShellElement> elements = shell_elements(shell, material);
    std::vector<ShellTriangle> triangles(elements.size());
    for (size_t f = 0; f < elements.size(); ++f) {
        const ShellElement& element = elements[f];
        Mat3 own_from_body;
        own_from_body << element.axes[0].transpose(), element.axes[1].transpose(), element.normal.transpose();
        ShellTriangle& triangle = triangles[f];
        triangle = {element.corners, element.area, Eigen::Matrix<double, 15, 18>::Zero(), element.membrane,
                    element.bending};
        for (int i = 0; i < 3; ++i) {
            triangle.local.block<3, 3>(0, 6 * i) = element.gradients(i, 0) * own_from_body;
            triangle.local.block<3, 3>(3, 6 * i) = element.gradients(i, 1) * own_from_body;
            triangle.local.block<3, 3>(6 + 3 * i, 6 * i + 3) = own_from_body;
        }
    }
    return triangles;
}

}  // namespace clangor
