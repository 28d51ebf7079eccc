import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { postgresUrl } from "../support/test-database.js";
import { type CrashSite, openCrashSite, StartFailed } from "./crashing-service.js";
import { lamportsOf, openAccount, outcomeOf, preparePayment } from "./honest-client.js";
import { expectSoundAfterRecovery } from "./invariants.js";

/** The machine may be busy with other things. */
const timeoutMs = 240_000;

let site: CrashSite;
beforeEach(async () => {
  site = await openCrashSite();
});
afterEach(() => site?.close());

describe("a process that gets a signal to stop", { timeout: timeoutMs }, () => {
  it("answers the request that is running, and ends with code 0", async () => {
    const service = await site.start();
    const ada = await openAccount(service.client, "ada@example.org", 1_000_000_000n);
    const grace = await openAccount(service.client, "grace@example.org", 1_000_000_000n);
    const payment = await preparePayment(service.client, ada, grace.address, 5_000_000n);
    // SIGTERM arrives in the middle of the payment, before anything of it is stored.
    const { transaction_signature: signature } = await service
      .dying("stop 4")
      .transactions.submit(ada.address, payment.submit);
    expect(await service.exited).toEqual({ code: 0, signal: null });
    expect(await outcomeOf(lamportsOf(service.client, grace.address))).toEqual({ kind: "silent" });

    const next = await site.start();
    expect(await lamportsOf(next.client, grace.address)).toBe(1_005_000_000n);
    const repeated = await next.client.transactions.submit(ada.address, payment.submit);
    expect(repeated.transaction_signature).toBe(signature);
    expect(await next.stop()).toEqual({ code: 0, signal: null });
    await expectSoundAfterRecovery(site);
  });
});

describe("a first start that fails", { timeout: timeoutMs }, () => {
  it("says why in a sentence, and neither it nor the next start prints a key to an unsafe place", async () => {
    const blocker = createServer();
    await once(blocker.listen(0, "127.0.0.1"), "listening");
    const { port } = blocker.address() as AddressInfo;
    const withoutKey = { TRELLIS_API_KEY: "" };
    await expect(site.start({ ...withoutKey, PORT: String(port) })).rejects.toThrow(
      `Port ${port} of 127.0.0.1 is in use by another program`,
    );
    blocker.close();
    const service = await site.start(withoutKey);
    expect(await service.stop()).toEqual({ code: 0, signal: null });
    expect(service.said()).toContain("No API key yet?");
    expect(service.said()).not.toContain("sk_test_");
  });
});

describe.runIf(postgresUrl === undefined)("a second process on the same data directory", { timeout: timeoutMs }, () => {
  it("is refused with code 1 and names the first process, which continues undisturbed", async () => {
    const first = await site.start();
    const failed = await site.start().catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(StartFailed);
    const { exit, errors } = failed as StartFailed;
    expect(exit).toEqual({ code: 1, signal: null });
    expect(errors).toMatch(/^The data directory .* is in use by another Trellis process \(pid \d+\)\./);
    expect(errors).toContain("TRELLIS_DATA_DIR");
    expect(errors).not.toContain("    at ");

    await openAccount(first.client, "ada@example.org", 1_000_000n);
    expect(await first.stop()).toEqual({ code: 0, signal: null });
    await expectSoundAfterRecovery(site);
  });
});

describe.runIf(postgresUrl !== undefined)(
  "a second process on the same server's database",
  { timeout: timeoutMs },
  () => {
    it("is refused while the first one has the sandbox chain, and may have it once that one was killed", async () => {
      const first = await site.start();
      const failed = await site.start().catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(StartFailed);
      const { exit, errors } = failed as StartFailed;
      expect(exit).toEqual({ code: 1, signal: null });
      expect(errors).toMatch(/^The environment sandbox cannot be used: another process runs the sandbox chain/);
      expect(errors).toContain("TRELLIS_SANDBOX_RPC_URL");
      const ada = await openAccount(first.client, "ada@example.org", 1_000_000_000n);
      await first.kill();

      const second = await site.start();
      expect(await lamportsOf(second.client, ada.address)).toBe(1_000_000_000n);
      expect(await second.stop()).toEqual({ code: 0, signal: null });
      await expectSoundAfterRecovery(site);
    });
  },
);
