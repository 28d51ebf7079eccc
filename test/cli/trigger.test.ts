import { Value } from "typebox/value";
import { describe, expect, it, vi } from "vitest";
import { addBankAccount, openDetails } from "../../src/cli/bank-stories.js";
import { listTriggers, trigger } from "../../src/cli/trigger.js";
import { openAccount, stories } from "../../src/cli/trigger-stories.js";
import { eventTypeNames } from "../../src/events/event-types.js";
import { eventCatalogue } from "../../src/modules.js";
import { useTestService } from "../support/scene.js";

const trellis = useTestService();

describe("what is asked for besides", () => {
  it("is about an account of the developer's own", { timeout: 240_000 }, async () => {
    const { account } = await openAccount(trellis.client);
    // It has what the stories find, and is found with it.
    await openDetails(trellis.client, account);
    await addBankAccount(trellis.client, account);
    for (const [type] of Object.entries(stories).filter(([, story]) => story.takesAccount)) {
      const { event } = await triggered(type, { account });
      const { account: shown, Spl } = event.data.object as { account?: string; Spl?: { main_account_address: string } };
      expect([type, shown ?? Spl?.main_account_address, event.example]).toEqual([type, account, undefined]);
    }
  });

  it("is refused where it cannot be done, before anything is", async () => {
    const { nextCursor } = await trellis.client.events.page({ cursor: "latest" });
    const at = { url: trellis.url, environment: "sandbox" };
    const key = { TRELLIS_API_KEY: trellis.apiKey };
    await expect(trigger(key, "payment_intent.updated", { ...at, account: "any" })).rejects.toThrow("not made for");
    await expect(trigger(key, "fee_payer.low", { ...at, account: "any" })).rejects.toThrow("not made for");
    await expect(trigger(key, "deposit.updated", { ...at, state: "lost" })).rejects.toThrow("--state can be");
    await expect(trigger(key, "account.created", { ...at, state: "active" })).rejects.toThrow("no --state");
    await expect(trigger(key, "account.dreamt", at)).rejects.toMatchObject({ code: "unknown_event_type" });
    // Passes may still tell of what was triggered before, and none of them makes accounts.
    const page = await trellis.client.events.page({ type: ["account.created"], cursor: nextCursor ?? "" });
    expect(page.events).toEqual([]);
  });
});

describe("every type of event", () => {
  const claims = new Map(
    listTriggers()
      .trimEnd()
      .split("\n")
      .map((line) => {
        const [claim, type] = line.split(/\s+/);
        return [type ?? "", claim ?? ""] as const;
      }),
  );

  it("is listed as made or as an example", () => {
    expect([...claims.keys()]).toEqual(eventTypeNames);
    expect(eventTypeNames.filter((type) => claims.get(type) === "example")).toEqual([
      "account.released",
      "account.creation_failed",
      "transaction.failed",
      "transaction.expired",
      "standing_order_run.missed",
      "external_account.updated",
      "passkey.added",
      "passkey.removed",
      "passkey_session.opened",
      "passkey_session.ended",
      "wallet_export.requested",
      "wallet_export.cancelled",
      "wallet_export.completed",
      "wallet_import.completed",
      "fee_payer.low",
      "sponsorship.exhausted",
      "webhook.test",
    ]);
  });

  it.each(eventTypeNames)(
    "%s appears in the feed as it is listed, with an object by its schema",
    {
      timeout: 240_000,
    },
    async (type) => {
      const { said, event } = await triggered(type);
      expect(event.type).toBe(type);
      expect([...Value.Errors(eventCatalogue[type].schema, event.data.object)]).toEqual([]);
      const isMade = claims.get(type) === "made";
      expect(event.example).toBe(isMade ? undefined : true);
      expect(said).toContain(isMade ? "has happened" : "the documented example, marked");
    },
  );

  const states = Object.entries(stories).flatMap(([type, story]) =>
    (story.states ?? []).map((state) => [type, state] as const),
  );
  it.each(states)("%s says %s of its object", { timeout: 240_000 }, async (type, state) => {
    const { event } = await triggered(type, { state });
    expect(event.type).toBe(type);
    expect(Object.values(event.data.object)).toContain(state);
    expect(event.example).toBeUndefined();
  });
});

/** What takes half a minute after its beginning: what reports it. */
const slowly: Readonly<Record<string, string>> = {
  "standing_order_payout.updated": "standing_order_payout.created",
  "deposit.updated refunded": "deposit.created",
};

/** Moves the clock over that half minute once it has begun. */
async function hasten(begun: string, cursor: string): Promise<void> {
  const refresh = async () => (await trellis.client.events.page({ type: [begun], cursor })).events.length;
  await expect.poll(refresh, { timeout: 90_000 }).toBeGreaterThan(0);
  await trellis.client.sandbox.advanceClock(31);
}

/** Triggers, and returns the event that the command says has resulted. */
async function triggered(type: string, more: { account?: string; state?: string } = {}) {
  const said: string[] = [];
  const write = vi.spyOn(process.stdout, "write").mockImplementation((text) => said.push(String(text)) > 0);
  try {
    const at = { url: trellis.url, environment: "sandbox", ...more };
    const { nextCursor } = await trellis.client.events.page({ cursor: "latest" });
    const triggering = trigger({ TRELLIS_API_KEY: trellis.apiKey }, type, at);
    const sooner = slowly[[type, more.state].join(" ").trim()];
    await Promise.all([triggering, sooner && nextCursor && hasten(sooner, nextCursor)]);
  } finally {
    write.mockRestore();
  }
  const id = /evt_\w+/.exec(said.join(""))?.[0] ?? "";
  return { said: said.join(""), event: await trellis.client.events.get(id) };
}
