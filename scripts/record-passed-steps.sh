#!/usr/bin/env bash
# Runs every step of the gate that may be left out, with the words of .ci/run, and records those that passed: `bash
# scripts/record-passed-steps.sh`, or with the names of some. Ends with a failure where one was not recorded. Those that read the whole
# tree come last, and take the most of a quarter of an hour.
set -uo pipefail
cd "$(dirname "$0")/.."
npm run --silent build
missing=0
record() {
  local name=$1
  shift
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
exit "$missing"
