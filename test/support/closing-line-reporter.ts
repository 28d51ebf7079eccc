import type { Reporter, TestModule } from "vitest/node";

/** What an error says and where it was thrown, on one line. The errors are those of another process, as plain objects. */
function shortly(error: unknown): string {
  const { message, stack, VITEST_TEST_PATH } = Object(error) as {
    message?: unknown;
    stack?: unknown;
    VITEST_TEST_PATH?: unknown;
  };
  const [, ...places] = String(stack ?? "").split(/\n\s*(?=at )/u);
  return [message ?? error, `while ${VITEST_TEST_PATH ?? "no file"} ran`, ...places.slice(0, 4)]
    .join(" | ")
    .replaceAll(/\s+/gu, " ");
}

/** Prints what failed, a line each, and the plain closing line `N passed, N failed` that build servers read. */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    let passed = 0;
    let failed = unhandledErrors.length;
    let skipped = 0;
    const names = unhandledErrors.map((error) => `an error outside all tests: ${shortly(error)}`);
    for (const module of modules) {
      let failedHere = 0;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed") passed += 1;
        else if (state === "failed") {
          failedHere += 1;
          names.push(`${module.relativeModuleId} > ${test.fullName}`);
        } else skipped += 1;
      }
      // A file that fails outside its tests, in a hook or while it loads, counts as one failure.
      if (!module.ok() && failedHere === 0) names.push(module.relativeModuleId);
      failed += module.ok() ? 0 : Math.max(failedHere, 1);
    }
    const tail = skipped > 0 ? `, ${skipped} skipped` : "";
    process.stdout.write(names.map((name) => `\nFailed: ${name}`).join(""));
    process.stdout.write(`\n${passed} passed, ${failed} failed${tail}\n`);
  }
}
