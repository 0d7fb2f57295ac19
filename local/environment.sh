#!/bin/sh
# Installs the packages of requirements/$1.txt in .venv. Does nothing if they are installed already.
set -eu
cd "$(dirname "$0")/.."
requirements=requirements/$1.txt
# A copy of the requirements, written after the installation, so that an incomplete or outdated one is noticed.
stamp=.venv/$1.installed
log=.venv/install.log
is_new_enough='import sys; sys.exit(sys.version_info < (3, 11))'
# The Python versions for which every package has a wheel.
has_wheels='import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))'

fail() {
    echo "$1" >&2
    exit 1
}

find_python() {
    for candidate in ${PYTHON:-python3.14 python3.13 python3.12 python3.11 python3}; do
        if "$candidate" -c "$is_new_enough" 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
    fail "Python 3.11 or newer is needed and ${PYTHON:-none} is not that; install it, or name it: make run PYTHON=/path/to/python3."
}

make_environment() {
    python=$(find_python)
    "$python" -c 'import ensurepip, venv' 2>/dev/null ||
        fail "$python comes without venv; install it (on Debian and Ubuntu: apt install python3-venv) and try again."
    echo "Making an environment in .venv with $("$python" --version)."
    "$python" -m venv --clear .venv || fail "The environment .venv could not be made; the lines above tell why."
}

# Prints one sentence about the cause of pip's error.
explain() {
    missing=$(sed -n 's/.*No matching distribution found for \([^ ]*\).*/\1/p' "$log" | head -n 1)
    if grep -qiE 'connection|timed out|name resolution|proxy|SSLError' "$log"; then
        fail "The packages cannot be downloaded; check the network (or the proxy) and try again. The report is in $log."
    elif [ -n "$missing" ]; then
        nothing_fits="There is no ready-made wheel of $missing for $(.venv/bin/python --version) on $(uname -sm), and nothing is compiled here"
        .venv/bin/python -c "$has_wheels" ||
            fail "$nothing_fits; use a Python from 3.11 to 3.14: make clean run PYTHON=python3.14."
        fail "$nothing_fits. Wheels exist for Linux with glibc 2.28 or newer on x86-64 and arm64, and for macOS on arm64; elsewhere use containers, see docs/production.md."
    fi
    fail "The packages could not be installed: $(tail -n 1 "$log") The report is in $log."
}

is_sound() {
    .venv/bin/python -c "$is_new_enough" 2>/dev/null
}

if is_sound && cmp -s "$requirements" "$stamp"; then
    exit 0
fi
is_sound && .venv/bin/python -m pip --version >/dev/null 2>&1 || make_environment
rm -f "$stamp" "$stamp.new"
echo "Installing the packages of $requirements."
{
    .venv/bin/python -m pip install --disable-pip-version-check --no-input --progress-bar off \
        --require-hashes --only-binary :all: -r "$requirements" 2>"$log" && cp "$requirements" "$stamp.new"
} | grep --line-buffered -E '^(Collecting|Installing)' || true
[ -f "$stamp.new" ] || explain
mv "$stamp.new" "$stamp"
