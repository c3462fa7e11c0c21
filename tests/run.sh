#!/bin/sh
# Runs the tests, after installing whatever is missing on this machine: the fast ones, or with --all every one.
set -eu
ROOT=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
EXTRAS="[dev]"
. "$ROOT/.ci/setup.sh"
set_up
if [ "${1:-}" = "--all" ]; then
    shift
    set -- "$@"
else
    set -- -m "not slow and not corpus and not exhaustive" "$@"
fi
exec "$VENV/bin/python" -m pytest -q -n auto --dist worksteal "$@"
