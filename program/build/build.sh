#!/usr/bin/env bash
# Builds the two on-chain programs with Debian's stock compilers.
#
#   build.sh            writes program/artifact/*.so and their .sha256
#   build.sh --check    builds and compares with the committed artefacts; exit 1 when one differs
#   build.sh NAME       only that program: smart_account_program or external_signature_program
#
# Needs Debian packages rustc-web, rust-web-src, llvm-22, and node. Debian's compiler version is part of the result:
# another one gives another, equally valid binary.
set -euo pipefail

program=$(cd "$(dirname "$0")/.." && pwd)
work=$program/build/work
artifacts=$program/artifact
declare -A sources=(
  [smart_account_program]=$program/src/lib.rs
  [external_signature_program]=$program/external-signature/src/lib.rs
)
target=bpfel-unknown-none
rustc=/usr/bin/rustc
llvm=/usr/lib/llvm-22/bin

# The target has no precompiled library, so core and alloc are compiled too, which only nightly compilers allow
# unless this is set.
export RUSTC_BOOTSTRAP=1

library=$(echo /usr/src/rustc-*/library)
if [ ! -x "$rustc" ] || [ ! -d "$library" ] || [ ! -x "$llvm/llc" ]; then
  echo "build.sh: install rustc-web, rust-web-src and llvm-22 first" >&2
  exit 2
fi

# cpu v2: later ones use 32-bit jumps and arithmetic that the Solana machine does not have.
# Paths are remapped so that the panic locations in the binary do not depend on where it is built.
common=(
  --edition=2024 --target "$target" --sysroot "$work/sysroot"
  -C opt-level=2 -C panic=abort -C target-cpu=v2 -C codegen-units=1 -C debuginfo=0
  --remap-path-prefix "$library=rust" --remap-path-prefix "$program=program" --remap-path-prefix "$work=work"
)

build_library() {
  local stamp="$("$rustc" -vV) ${common[*]}"
  if [ -f "$work/sysroot.stamp" ] && [ "$(cat "$work/sysroot.stamp")" = "$stamp" ]; then
    return
  fi
  rm -rf "$work"
  local out=$work/sysroot/lib/rustlib/$target/lib
  mkdir -p "$out"
  local flags=("${common[@]}" --crate-type rlib -C embed-bitcode=yes --cap-lints allow --out-dir "$out")
  "$rustc" "${flags[@]}" --crate-name core "$library/core/src/lib.rs"
  # Nothing of compiler_builtins is needed; alloc only wants the crate to exist.
  printf '#![feature(compiler_builtins)]\n#![compiler_builtins]\n#![no_std]\n' >"$work/compiler_builtins.rs"
  "$rustc" "${flags[@]}" --crate-name compiler_builtins "$work/compiler_builtins.rs"
  "$rustc" "${flags[@]}" --crate-name alloc "$library/alloc/src/lib.rs"
  printf '%s' "$stamp" >"$work/sysroot.stamp"
}

# The whole program as one LLVM bitcode file: with fat LTO a static library holds bitcode.
compile_program() { # name
  rm -rf "$work/objects"
  mkdir -p "$work/objects"
  "$rustc" "${common[@]}" -C overflow-checks=on -C lto=fat --crate-type staticlib --crate-name "$1" \
    "${sources[$1]}" -o "$work/program.a"
  (cd "$work/objects" && ar x ../program.a && mv ./*.o program.bc)
}

# Bitcode to one object file, with the operations that the BPF backend refuses replaced on the way.
generate_code() {
  cd "$work/objects"
  "$llvm/opt" -passes='internalize,globaldce,default<O2>' -internalize-public-api-list=entrypoint program.bc -o small.bc
  "$llvm/llvm-dis" small.bc -o small.ll
  node "$program/build/lower.mjs" small.ll lowered.ll
  # No further optimization: it would bring the replaced operations back.
  "$llvm/llvm-as" lowered.ll -o lowered.bc
  "$llvm/opt" -passes='always-inline,globaldce' lowered.bc -o final.bc
  # 4096: the stack frame of the Solana machine, which also allows unaligned access.
  "$llvm/llc" -march=bpfel -mcpu=v2 -mattr=+allows-misaligned-mem-access -bpf-stack-size=4096 -filetype=obj \
    final.bc -o program.o
}

check=
names=(smart_account_program external_signature_program)
case "${1:-}" in
  "") ;;
  --check) check=1 ;;
  *)
    if [ -z "${sources[$1]:-}" ]; then
      echo "build.sh: no program is called $1" >&2
      exit 2
    fi
    names=("$1")
    ;;
esac

build_library
differs=
mkdir -p "$artifacts"
for name in "${names[@]}"; do
  compile_program "$name"
  (generate_code)
  node "$program/build/link.mjs" "$work/objects/program.o" "$work/$name.so"
  if [ -z "$check" ]; then
    cp "$work/$name.so" "$artifacts/$name.so"
    (cd "$artifacts" && sha256sum "$name.so" | tee "$name.so.sha256")
  elif cmp "$work/$name.so" "$artifacts/$name.so" && (cd "$artifacts" && sha256sum --check --quiet "$name.so.sha256"); then
    echo "$name.so is what these sources build"
  else
    echo "$name.so differs from what these sources build" >&2
    differs=1
  fi
done
exit "${differs:-0}"
