import type { Reporter, TestModule } from "vitest/node";

/** Prints what failed, a line each, and the plain closing line `N passed, N failed` that build servers read. */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    let passed = 0;
    let failed = unhandledErrors.length;
    let skipped = 0;
    const names = unhandledErrors.map(() => "an error outside all tests");
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
