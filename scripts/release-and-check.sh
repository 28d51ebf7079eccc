#!/usr/bin/env bash
# Packs a release and checks it, as one step of the gate.
set -euo pipefail
npm run --silent release | tail -n 40
npm run --silent release:check
