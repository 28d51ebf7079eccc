import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { customAccount } from "../../examples/custom-account.js";
import { emailAccount } from "../../examples/email-account.js";
import { proposals } from "../../examples/proposals.js";
import type { Stage } from "../../examples/run-example.js";
import { signersAccount } from "../../examples/signers-account.js";
import { spendingLimits } from "../../examples/spending-limits.js";
import { standingOrder } from "../../examples/standing-order.js";
import { updateAccount } from "../../examples/update-account.js";
import { useTestService } from "../support/scene.js";

const trellis = useTestService();

describe("the examples", () => {
  it("are all played here", () => {
    const files = readdirSync(new URL("../../examples", import.meta.url)).filter((file) => file.endsWith(".ts"));
    expect(files.filter((file) => file !== "run-example.ts").sort()).toEqual(Object.keys(examples).sort());
  });

  it.each(Object.entries(examples))("%s works", async (_file, [play, reported]) => {
    const lines: string[] = [];
    await play({ client: trellis.client, say: (line) => lines.push(line) });
    expect(lines.at(-1)).toBe(reported);
  });
});

const examples: Record<string, [play: (stage: Stage) => Promise<void>, told: string]> = {
  "email-account.ts": [emailAccount, "left      7.5 USDC"],
  "signers-account.ts": [signersAccount, "left      750000000 lamports"],
  "custom-account.ts": [customAccount, "left      800000000 lamports"],
  "proposals.ts": [proposals, "left      600000000 lamports"],
  "spending-limits.ts": [spendingLimits, "removed   0 limits are left"],
  "standing-order.ts": [standingOrder, "stopped   cancelled, mandate revoked"],
  "update-account.ts": [updateAccount, "left      700000000 lamports"],
};
