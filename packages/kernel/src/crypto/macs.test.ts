import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createMacs, type NumberedSecret, secretIdOf } from "./macs.js";

describe("keyed hashes", () => {
  it("are 32 bytes under the root's secret, and carry the id of any other", () => {
    const { macs, page } = world();
    const before = macs.make("text");
    expect([before.length, secretIdOf(before)]).toEqual([32, 0]);
    page([second, root]);
    const after = macs.make("text");
    expect([after.length, secretIdOf(after)]).toEqual([34, 2]);
    expect(macs.holds("text", before) && macs.holds("text", after)).toBe(true);
    expect(macs.holds("texts", before) || macs.holds("texts", after)).toBe(false);
    expect(secretIdOf(after.subarray(1))).toBeUndefined();
  });

  it("hold no longer once their secret is retired, under whatever id they are presented", () => {
    const { macs, page } = world();
    page([second, root]);
    const [after, before] = macs.all("text");
    page([third]);
    expect(macs.holds("text", after) || macs.holds("text", before)).toBe(false);
    expect(macs.holds("text", Uint8Array.of(0, 3, ...(after ?? []).slice(2)))).toBe(false);
    // The root's has no id before it.
    expect(macs.holds("text", Uint8Array.of(0, 0, ...(after ?? []).slice(2)))).toBe(false);
    expect(macs.holds("text", undefined) || macs.holds("text", new Uint8Array())).toBe(false);
  });

  it("under a secret that is not known yet have the secrets read again", async () => {
    const writer = world();
    writer.page([second, root]);
    const stored = writer.macs.make("text");
    const { macs, page, refreshes } = world(() => page([root, second]));
    expect(macs.holds("text", stored)).toBe(false);
    expect(await macs.verify("text", stored)).toBe(true);
    expect(refreshes()).toBe(1);
    expect(await macs.verify("other", stored)).toBe(false);
    expect(refreshes()).toBe(1);
    // It goes on making values as before: to read a secret is not to use it.
    expect(secretIdOf(macs.make("text"))).toBe(0);
  });

  it("that are searched for are searched for again by the secrets that came with a second reading", async () => {
    const writer = world();
    writer.page([second, root]);
    const stored = Buffer.from(writer.macs.make("text")).toString("hex");
    const asked: number[] = [];
    const ask = async (forms: readonly Uint8Array[]) => {
      asked.push(forms.length);
      return forms.find((form) => Buffer.from(form).toString("hex") === stored);
    };
    const { macs, page } = world(() => page([root, second]));
    expect(await macs.find("text", ask)).toBeDefined();
    expect(asked).toEqual([1, 1]);
    // Nothing new: nothing is asked again.
    expect(await macs.find("other", ask)).toBeUndefined();
    expect(asked).toEqual([1, 1, 2]);
  });
});

const root: NumberedSecret = { id: 0, secret: undefined };
const second: NumberedSecret = { id: 2, secret: randomBytes(32) };
const third: NumberedSecret = { id: 3, secret: randomBytes(32) };
const rootSecret = randomBytes(32);

/** One process: `read` is what a refresh does. */
function world(read: () => void = () => {}) {
  let secrets: readonly NumberedSecret[] | undefined;
  let count = 0;
  const book = {
    secretsOf: () => secrets,
    refresh: async () => {
      count += 1;
      read();
    },
  };
  return {
    macs: createMacs("purpose", () => rootSecret, book),
    page: (next: readonly NumberedSecret[]) => {
      secrets = next;
    },
    refreshes: () => count,
  };
}
