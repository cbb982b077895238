# Sourced by ./run and ./test: makes sure that what the build needs is there, and builds.
#   ensure_packages NAME…   installs missing Debian packages (as root, or through sudo)
#   build PRESET [ARGS…]    configures once, then builds

ensure_packages() {
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        echo "This system has no apt. Clangor needs what these Debian packages hold:" >&2
        echo "  $*" >&2
        echo "Going on: CMake will say what is missing." >&2
        return 0
    fi
    # One query for all. It fails as soon as one name is unknown, which is what a bare machine is about; what it does know
    # it prints all the same.
    local installed missing=() name
    installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true)
    for name in "$@"; do
        grep -qxF "installed $name" <<<"$installed" || missing+=("$name")
    done
    ((${#missing[@]} == 0)) && return 0
    local as_root=()
    if ((EUID != 0)); then
        if ! command -v sudo >/dev/null; then
            echo "These packages are missing: ${missing[*]}" >&2
            echo "Install them as root: apt-get install -y --no-install-recommends ${missing[*]}" >&2
            return 1
        fi
        as_root=(sudo)
    fi
    echo "Installing ${#missing[@]} package(s): ${missing[*]}" >&2
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq &&
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
}

build() {
    local preset=$1
    shift
    # A configure step that was interrupted leaves a cache but no build file.
    [[ -f build/$preset/build.ninja ]] || cmake --preset "$preset" "$@" >&2 || return 1
    cmake --build --preset "$preset" >&2
}

build_packages=(g++ cmake ninja-build pkg-config libcgal-dev libeigen3-dev libsuitesparse-dev libembree-dev libbullet-dev libmysofa-dev
    libsndfile1-dev libhdf5-dev nlohmann-json3-dev libcli11-dev libfmt-dev)
test_packages=(doctest-dev libbenchmark-dev clang-format python3)
