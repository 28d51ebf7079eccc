import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { RunningCustodian } from "../../src/custodian/start-custodian.js";
import { compileProgram, processEnvironment } from "./compiled-program.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The command line in a process of its own, with these variables alone. */
export async function startCommand(
  words: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<ChildProcess> {
  const { commands } = await compileProgram();
  return spawn(process.execPath, [commands, ...words], {
    cwd: root,
    env: { ...processEnvironment(), ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Where a custodian answers, as it prints it. */
export async function urlOf(child: ChildProcess): Promise<string> {
  return (await saidBy(child)).url;
}

async function saidBy(child: ChildProcess): Promise<Pick<RunningCustodian, "url" | "identity">> {
  let text = "";
  for await (const part of child.stdout ?? []) {
    text += part;
    const [, url, identity] = /_URL=(https:\S+)[\s\S]*Identity {2}(\S+)/.exec(text) ?? [];
    if (url !== undefined && identity !== undefined) return { url, identity };
  }
  throw new Error("it ended without an answer");
}

/** `trellis custodian`, for `startTestCustodian`. */
export async function launchCustodian(variables: Readonly<Record<string, string>>): Promise<RunningCustodian> {
  const child = await startCommand(["custodian"], { TRELLIS_LOG_LEVEL: "fatal", ...variables });
  return {
    ...(await saidBy(child)),
    pagePort: null,
    close: async () => {
      if (child.exitCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}
