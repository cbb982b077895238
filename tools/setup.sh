# Sourced by ./run and ./test: makes sure that what the build needs is there, and builds.
#   ensure_packages NAME…            installs missing Debian packages (as root, or through sudo)
#   build PRESET TARGET [ARGS…]      configures where needed (ARGS go to cmake), then builds one target

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
    if [[ $(id -u) != 0 ]]; then
        if ! command -v sudo >/dev/null; then
            echo "These packages are missing: ${missing[*]}" >&2
            echo "You are not root, and there is no sudo. Ask someone who is root to run" >&2
            echo "  apt-get update && apt-get install -y --no-install-recommends ${missing[*]}" >&2
            echo "and then start this again." >&2
            return 1
        fi
        as_root=(sudo)
    fi
    echo "Installing ${#missing[@]} package(s): ${missing[*]}" >&2
    # Another installation (an automatic upgrade, say) may hold the lock: it is waited for, ten minutes at most.
    if "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq >&2 &&
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y -qq -o DPkg::Lock::Timeout=600 --no-install-recommends "${missing[@]}" >&2; then
        return 0
    fi
    echo "Installing failed; what apt-get said stands above. Once that is put right, start this again, or install by hand:" >&2
    echo "  ${as_root[*]:+${as_root[*]} }apt-get install -y --no-install-recommends ${missing[*]}" >&2
    return 1
}

build() {
    local preset=$1 target=$2
    shift 2
    # A configure step that was interrupted leaves a cache but no build file. With ARGS it is asked for something that an earlier one
    # may have left out; to say it again changes nothing.
    if [[ ! -f build/$preset/build.ninja || $# -gt 0 ]]; then
        cmake --preset "$preset" "$@" >&2 || return 1
    fi
    cmake --build --preset "$preset" --target "$target" --parallel "$(nproc)" >&2
}

build_packages=(g++ cmake ninja-build pkg-config libcgal-dev libeigen3-dev libsuitesparse-dev libembree-dev libbullet-dev libmysofa-dev
    libsndfile1-dev libhdf5-dev nlohmann-json3-dev libcli11-dev libfmt-dev)
test_packages=(doctest-dev libbenchmark-dev clang-format python3)
