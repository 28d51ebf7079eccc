#!/usr/bin/env bash
# Runs every step of the gate that may be left out, with the words of .ci/run, and records those that passed: `bash
# scripts/record-passed-steps.sh`, or with the names of some. Ends with a failure where one was not recorded. Those that read the whole
# tree come last, and take the most of a quarter of an hour.
set -uo pipefail
cd "$(dirname "$0")/.."
npm run --silent build || exit 1
missing=0
known=()
record() {
  local name=$1
  shift
  known+=("$name")
  if [ "${#wanted[@]}" -gt 0 ] && [[ ! " ${wanted[*]} " == *" $name "* ]]; then return; fi
  echo "== $name"
  CI=true node scripts/unchanged-step.mjs "$name" --record -- "$@" || missing=1
}
wanted=("$@")
record generators npm run --silent generators
record spectral npm run --silent spectral
record "the program's bytes" bash program/build/build.sh --check
record "pages, opened" npm run --silent pages -- --opened
record "pages, used" npm run --silent pages -- --used
record example:web npm run --silent example:web
record passkeys npm run --silent passkeys
record console:web npm run --silent console:web
record treasury:web npm run --silent treasury:web
record clients npm run --silent clients
record schemathesis npm run --silent schemathesis -- --phases examples,coverage
record node-versions npm run --silent node-versions -- --without-tests "$(cat .nvmrc)"
record release bash scripts/release-and-check.sh
for name in "${wanted[@]}"; do
  if [[ " ${known[*]} " != *" $name "* ]]; then
    echo "There is no step \"$name\"." >&2
    missing=1
  fi
done
exit "$missing"
