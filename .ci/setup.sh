# Makes .venv beside this project with everything that solvepic needs. Sourced by samples/run.sh and tests/run.sh, which
# say what they want in EXTRAS ("" or "[dev]"). Runs on a fresh Debian, macOS or container; safe to run again.

say() { printf '%s\n' "$*" >&2; }

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; elif command -v sudo >/dev/null 2>&1; then sudo "$@"; else return 1; fi
}

# Installs a system package by its name for apt, dnf, pacman, apk and brew; returns 1 where none of them is there.
system_package() {
    if command -v apt-get >/dev/null 2>&1; then
        as_root apt-get update -qq >&2 && as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $1 >&2
    elif command -v dnf >/dev/null 2>&1; then as_root dnf install -y -q $2 >&2
    elif command -v pacman >/dev/null 2>&1; then as_root pacman -Sy --noconfirm --needed $3 >&2
    elif command -v apk >/dev/null 2>&1; then as_root apk add -q $4 >&2
    elif command -v brew >/dev/null 2>&1; then brew install -q $5 >&2
    else return 1
    fi
}

new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

find_python() {
    for name in "${PYTHON:-}" python3 python3.14 python3.13 python3.12 python3.11; do
        if [ -n "$name" ] && command -v "$name" >/dev/null 2>&1 && new_enough "$name"; then
            printf '%s' "$name"
            return 0
        fi
    done
    return 1
}

make_venv() {
    python=$(find_python) || {
        say "solvepic: installing Python 3.11 or newer ..."
        system_package "python3 python3-venv" python3 python python3 python || true
        python=$(find_python) || { say "solvepic: Python 3.11 or newer is needed; install it and run this again"; exit 1; }
    }
    if ! "$python" -m venv "$VENV" >/dev/null 2>&1; then
        # Debian keeps venv in a package of its own.
        version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
        system_package "python$version-venv" python3 python python3 python || true
        rm -rf "$VENV"
        "$python" -m venv "$VENV" || { say "solvepic: $python cannot make a virtual environment"; exit 1; }
    fi
}

# Where no wheel of tesserocr fits, everything else is installed and the system's Tesseract reads the clues.
install_without_tesserocr() {
    "$VENV/bin/python" - "$EXTRAS" >"$VENV/requirements.txt" <<'END'
import sys, tomllib
project = tomllib.load(open("pyproject.toml", "rb"))["project"]
extra = project["optional-dependencies"].get(sys.argv[1].strip("[]"), [])
print("\n".join(one for one in project["dependencies"] + extra if not one.startswith("tesserocr")))
END
    "$VENV/bin/python" -m pip install -q -r "$VENV/requirements.txt" && "$VENV/bin/python" -m pip install -q --no-deps -e .
}

set_up() {
    cd "$ROOT" || exit 1
    VENV=${VENV:-$ROOT/.venv}
    stamp="$VENV/.ready-$(cksum <pyproject.toml | tr -d ' ')-${EXTRAS:-plain}"
    if [ ! -e "$stamp" ]; then
        [ -x "$VENV/bin/python" ] || make_venv
        say "solvepic: installing what is missing into ${VENV#"$ROOT"/} ..."
        export PIP_DISABLE_PIP_VERSION_CHECK=1
        "$VENV/bin/python" -m pip install -q --only-binary tesserocr -e ".$EXTRAS" 2>"$VENV/pip.log" \
            || install_without_tesserocr \
            || { cat "$VENV/pip.log" >&2; exit 1; }
        : >"$stamp"
    fi
    if ! "$VENV/bin/solvepic" doctor >/dev/null 2>&1; then
        say "solvepic: installing Tesseract ..."
        system_package tesseract-ocr tesseract "tesseract tesseract-data-eng" "tesseract-ocr tesseract-ocr-data-eng" tesseract \
            || say "solvepic: install Tesseract by hand; 'solvepic doctor' says how"
    fi
}
