// Formats, lints and unit-tests the program's Rust with cargo where there is one; says so and succeeds where there is none.
// Nothing is fetched: the crate has no dependencies.

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("..", import.meta.url));
const at = (path) => `${program}${path}`;
const crate = ["--offline", "--locked", "--manifest-path", at("Cargo.toml"), "--lib"];
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
  const passed = [
    run("rustfmt", ["--check", "--config-path", at("rustfmt.toml"), at("src/lib.rs")]),
    run("cargo", ["clippy", ...crate, "--", "-D", "warnings"]),
    run("cargo", ["test", ...crate]),
  ];
  process.exitCode = passed.every(Boolean) ? 0 : 1;
}
