// Formats, lints and unit-tests the programs' Rust with cargo where there is one; says so and succeeds where there is none.
// Nothing is fetched: the crates have no dependencies.

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("..", import.meta.url));
const at = (path) => `${program}${path}`;
const folders = ["", "external-signature/"];
const crateIn = (folder) => ["--offline", "--locked", "--manifest-path", at(`${folder}Cargo.toml`), "--lib"];
const env = {
  ...process.env,
  CARGO_TARGET_DIR: at("build/work/cargo"),
  // The machine's functions do not exist here; unit tests do not call them.
  RUSTFLAGS: "-C link-arg=-Wl,--unresolved-symbols=ignore-all",
};
const run = (command, args, stdio = "inherit") => spawnSync(command, args, { env, stdio }).status === 0;

if (!run("cargo", ["clippy", "--version"], "ignore")) {
  console.log("skipped: no cargo with clippy on this machine");
} else {
  const passed = folders.flatMap((folder) => [
    run("rustfmt", ["--check", "--config-path", at("rustfmt.toml"), at(`${folder}src/lib.rs`)]),
    run("cargo", ["clippy", ...crateIn(folder), "--", "-D", "warnings"]),
    run("cargo", ["test", ...crateIn(folder)]),
  ]);
  process.exitCode = passed.every(Boolean) ? 0 : 1;
}
