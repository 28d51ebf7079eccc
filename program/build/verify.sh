#!/usr/bin/env bash
# Rebuilds the program from source and compares it with the committed artefact; exit 1 when they differ.
exec bash "$(dirname "$0")/build.sh" --check
