import { limits } from "@trellis/kernel/limits.js";
import type { Module } from "@trellis/kernel/module.js";
import type { ProgramNeeds } from "./check-program.js";

export const solana: Module<ProgramNeeds> = {
  name: "solana",
  // The sandbox runs the program that it was started with.
  passes: (needs, network) =>
    network.sandbox
      ? []
      : [{ name: "read_program", everyMs: limits.readProgramEveryMs, run: () => needs.programs.read(network) }],
};
