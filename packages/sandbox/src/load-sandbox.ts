import { UnusableEnvironmentError } from "@trellis/kernel/unusable-environment-error.js";

/**
 * The sandbox's code, which loads the virtual machine's native part: only where a sandbox runs. Throws `UnusableEnvironmentError`
 * where that part has no build, or was not installed: what the package says itself sends people off in a wrong direction.
 */
export async function loadSandbox(): Promise<typeof import("./sandbox-network.js")> {
  try {
    return await import("./sandbox-network.js");
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith("Cannot find native binding"))) throw error;
    throw new UnusableEnvironmentError(
      "sandbox",
      `its virtual machine cannot be loaded on ${process.platform} ${process.arch}. It has builds for Linux (x64, arm64) and macOS: ` +
        "on Windows run Trellis inside WSL 2. On one of these, install again with `npm ci` on this very machine, without " +
        "`--omit=optional`.",
    );
  }
}
