import type { Reporter, TestModule } from "vitest/node";

/**
 * What an error says and where it was thrown, on one line: a build server that keeps only the end of a log must still show why a test
 * failed. The errors are those of another process, as plain objects.
 */
function shortly(error: unknown, where: readonly string[] = []): string {
  const { message, stack } = Object(error) as { message?: unknown; stack?: unknown };
  const [, ...all] = String(stack ?? "").split(/\n\s*(?=at )/u);
  const own = all.filter((place) => !place.includes("/node_modules/"));
  const places = own.length > 0 ? own : all;
  return [message ?? error, ...where, ...places.slice(0, 4)].join(" | ").replaceAll(/\s+/gu, " ").slice(0, longest);
}

const longest = 1_500;

/** Prints what failed, a line each, and the plain closing line `N passed, N failed` that build servers read. */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    let passed = 0;
    let failed = unhandledErrors.length;
    let skipped = 0;
    const names = unhandledErrors.map((error) => {
      const { VITEST_TEST_PATH: path } = Object(error) as { VITEST_TEST_PATH?: unknown };
      return `an error outside all tests: ${shortly(error, [`while ${path ?? "no file"} ran`])}`;
    });
    for (const module of modules) {
      let failedHere = 0;
      for (const test of module.children.allTests()) {
        const { state, errors = [] } = test.result();
        if (state === "passed") passed += 1;
        else if (state === "failed") {
          failedHere += 1;
          names.push(
            [`${module.relativeModuleId} > ${test.fullName}`, ...errors.map((error) => shortly(error))].join(": "),
          );
        } else skipped += 1;
      }
      // A file that fails outside its tests, in a hook or while it loads, counts as one failure.
      if (!module.ok() && failedHere === 0) {
        names.push([module.relativeModuleId, ...module.errors().map((error) => shortly(error))].join(": "));
      }
      failed += module.ok() ? 0 : Math.max(failedHere, 1);
    }
    const tail = skipped > 0 ? `, ${skipped} skipped` : "";
    process.stdout.write(names.map((name) => `\nFailed: ${name}`).join(""));
    process.stdout.write(`\n${passed} passed, ${failed} failed${tail}\n`);
  }
}
