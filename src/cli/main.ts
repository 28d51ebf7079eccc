#!/usr/bin/env node
import { createCommandNeeds } from "./commands/needs.js";
import { runProgram } from "./commands/program.js";
import { endInError } from "./end-in-error.js";
import { whyOf } from "./why.js";

try {
  const exitCode = await runProgram(createCommandNeeds(process.env), process.argv.slice(2));
  if (exitCode !== undefined) process.exitCode = exitCode;
} catch (error) {
  if (error instanceof Error && error.name === "TrellisNetworkError") {
    process.stderr.write(`The service does not answer. Is it running, and at --url? ${whyOf(error)}\n`);
    process.exitCode = 1;
  } else endInError(error);
}
