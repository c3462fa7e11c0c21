#!/bin/sh
# Solves a sample picture, after installing whatever is missing on this machine.
set -eu
ROOT=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
EXTRAS=""
. "$ROOT/.ci/setup.sh"
set_up
"$VENV/bin/solvepic" "${@:-samples/stitch/phone-light.png}" --overwrite
