import { describe, it } from "vitest";
import { expectSound, histories, historiesMs, singleSeed } from "./play-histories.js";

describe.runIf(singleSeed === undefined)(`the odd ones of ${histories} histories`, () => {
  it("double no effect, lose no confirmed transaction, and leave nothing open", () => expectSound(1), historiesMs);
});
