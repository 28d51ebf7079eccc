import { randomBytes } from "node:crypto";
import {
  addressOfKey,
  type Confirmation,
  createTrellisClient,
  type OutcomeUnknownError,
  type SignedSubmission,
  type SubmitOptions,
  type TrellisClient,
} from "@trellis/sdk";
import { beforeAll, describe, expect, it } from "vitest";
import { type Holder, makeKey } from "../adversarial/support.js";
import { useTestService } from "../support/scene.js";

/** The client library before the real service, with every answer lost in turn: whatever is lost, it takes effect once. */
const trellis = useTestService();
let holders: { readonly kms_a: Holder; readonly kms_b: Holder };
beforeAll(async () => {
  const open = (provider: "kms_a" | "kms_b") => trellis.openHolder({ sol: "900000000000", provider });
  holders = { kms_a: await open("kms_a"), kms_b: await open("kms_b") };
});
const flows: Readonly<Record<string, { readonly calls: number; readonly prepare: () => Flow | Promise<Flow> }>> = {
  "transfers.send by kms_a": { calls: 2, prepare: () => payBySession("kms_a") },
  "transfers.send by kms_b": { calls: 2, prepare: () => payBySession("kms_b") },
  "transfers.send by keys": { calls: 2, prepare: payByKeys },
  "accounts.update": { calls: 3, prepare: updateAccount },
  "proposals.create": {
    calls: 2,
    prepare: async () => {
      const { account, content, first, transactions } = await actOnProposal("none");
      return {
        make: (client, options) => client.proposals.create({ account, keys: [first], content, approve: true }, options),
        effect: async () => ({
          made: await transactions(),
          listed: (await trellis.client.proposals.page(account)).proposals.length,
        }),
        once: { made: 1, listed: 1 },
      };
    },
  },
  "proposals.vote": {
    calls: 2,
    prepare: async () => {
      const { account, proposal, content, second, transactions } = await actOnProposal("proposed");
      return {
        make: (client, options) =>
          client.proposals.vote({ account, proposal, keys: [second], action: "approve", content }, options),
        effect: transactions,
        once: 1,
      };
    },
  },
  "proposals.execute": {
    calls: 2,
    prepare: async () => {
      const { account, proposal, content, first, paid } = await actOnProposal("approved");
      return {
        make: (client, options) => client.proposals.execute({ account, proposal, keys: [first], content }, options),
        effect: paid,
        once: 10_000_000n,
      };
    },
  },
  "proposals.voteAndExecute": {
    calls: 2,
    prepare: async () => {
      const { account, proposal, content, second, paid } = await actOnProposal("proposed");
      return {
        make: (client, options) =>
          client.proposals.voteAndExecute({ account, proposal, keys: [second], content }, options),
        effect: paid,
        once: 10_000_000n,
      };
    },
  },
};

describe.each(Object.entries(flows))("%s", (_name, { calls, prepare }) => {
  const losses = Array.from({ length: calls }, (_, call) => call).flatMap((call) =>
    (["before", "after"] as const).map((when) => ({ call, when })),
  );

  it("makes as many calls as are lost below", async () => {
    const { make, effect, once } = await prepare();
    const started = startClient();
    await make(started.client, {});
    expect(started.calls()).toBe(calls);
    expect(await effect()).toEqual(once);
  });

  it.each(losses)("takes effect once when the answer to call $call is lost $when its effect", async (loss) => {
    const { make, effect, once } = await prepare();
    const kept: SignedSubmission[] = [];
    const { client } = startClient({ ...loss, andAllLater: false });
    const result = await make(client, { onSigned: (signed) => void kept.push(signed) });
    expect(await effect()).toEqual(once);
    expect(kept).toHaveLength(1);
    expect(await startClient().client.transactions.resume(kept[0] as SignedSubmission)).toEqual(result);
    expect(await effect()).toEqual(once);
  });

  it.each(losses)("takes effect once when the process dies at call $call, $when its effect", async (loss) => {
    const { make, effect, once } = await prepare();
    const idempotencyKey = `order ${randomBytes(8).toString("hex")}`;
    let stored: string | undefined;
    const options: SubmitOptions = {
      idempotencyKey,
      onSigned: async (signed) => {
        stored = JSON.stringify(signed);
      },
    };
    const died = await make(startClient({ ...loss, andAllLater: true }).client, options).catch(
      (thrown: unknown) => thrown,
    );
    expect(died).toMatchObject({ name: stored === undefined ? "TrellisNetworkError" : "OutcomeUnknownError" });

    const { client } = startClient();
    const resume = () => client.transactions.resume(JSON.parse(stored ?? "") as SignedSubmission);
    const result = stored === undefined ? await make(client, options) : await resume();
    expect(await effect()).toEqual(once);
    // However often, and by two at once.
    expect(await Promise.all([resume(), resume()])).toEqual([result, result]);
    expect(await make(client, options)).toEqual(result);
    expect(await effect()).toEqual(once);
  });
});

describe("a process that returns late", () => {
  it("does not pay when what it had signed has expired, and gets that answer for good", async () => {
    const { make, effect } = payBySession("kms_a");
    const { client } = startClient({ call: 1, when: "before", andAllLater: true });
    const died = await make(client, {}).catch((thrown: unknown) => thrown);
    const { signed } = died as OutcomeUnknownError;
    await trellis.client.sandbox.advanceClock(61);
    await expect(startClient().client.transactions.resume(signed)).rejects.toMatchObject({ code: "payload_expired" });
    expect(await effect()).toBe(0n);
  });

  it("pays once under its key, with new bytes in place of those that expired unsent", async () => {
    const { make, effect, once } = payBySession("kms_b");
    const kept: SignedSubmission[] = [];
    const options: SubmitOptions = { idempotencyKey: `order ${randomBytes(8).toString("hex")}` };
    const { client } = startClient({ call: 1, when: "before", andAllLater: true });
    await make(client, { ...options, onSigned: (signed) => void kept.push(signed) }).catch(() => undefined);
    await trellis.client.sandbox.advanceClock(61);
    const other = startClient().client;
    const [result, same] = await Promise.all([make(other, options), make(startClient().client, options)]);
    expect(same).toEqual(result);
    expect(await make(other, options)).toEqual(result);
    await expect(other.transactions.resume(kept[0] as SignedSubmission)).rejects.toMatchObject({
      code: "payload_expired",
    });
    expect(await effect()).toEqual(once);
  });

  it("gets what is confirmed, however late", async () => {
    const { make, effect, once } = payBySession("kms_a");
    const { client } = startClient({ call: 1, when: "after", andAllLater: true });
    const died = await make(client, {}).catch((thrown: unknown) => thrown);
    const { signed } = died as OutcomeUnknownError;
    await trellis.client.sandbox.advanceClock(7 * 86_400);
    const resumed = await startClient().client.transactions.resume(signed);
    expect(resumed.signature).toMatch(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/);
    expect(await effect()).toEqual(once);
  });
});

describe("signing that takes too long", () => {
  it("is done anew by the call itself once the service has proven the former bytes dead", async () => {
    const { address: account, session } = await trellis.openHolder({ sol: "1000000000" });
    const destination = makeKey().address;
    const kept: SignedSubmission[] = [];
    const onSigned = async (signed: SignedSubmission) => {
      if (kept.push(signed) === 1) await trellis.client.sandbox.advanceClock(61);
    };
    const { client } = startClient();
    const sent = await client.transfers.send(
      { account, session, currency: "sol", destination, amount: 10_000_000n },
      { onSigned },
    );
    expect(kept).toHaveLength(2);
    await expect(client.transactions.resume(kept[0] as SignedSubmission)).rejects.toMatchObject({ status: 400 });
    expect(await client.transactions.resume(kept[1] as SignedSubmission)).toEqual(sent);
    expect(await trellis.lamportsOf(destination)).toBe(10_000_000n);
  });
});

describe("an amount", () => {
  it.each([[1_000], [1_000.5], ["12.5"], [""], ["-1"], ["1e3"], [undefined]])(
    "that is not exact is refused before the service hears of it: %j",
    async (amount) => {
      const { client, calls } = startClient();
      const { address: account, session } = holders.kms_b;
      const common = { currency: "sol", destination: makeKey().address, amount: amount as never };
      const content = { type: "transfer", ...common } as const;
      const named = amount === undefined ? /no amount.*base units/ : /invalid amount.*bigint.*string of digits/;
      await expect(client.transfers.send({ account, session, ...common })).rejects.toThrow(named);
      await expect(client.proposals.create({ account, session, content })).rejects.toThrow(named);
      expect(calls()).toBe(0);
    },
  );
});

/** Where an answer is lost: before the service hears of the request, or after it has answered. */
type Loss = { readonly call: number; readonly when: "before" | "after"; readonly andAllLater: boolean };

/** One call of the library, ready to be made, and what to check afterwards. */
type Flow = {
  readonly make: (client: TrellisClient, options: SubmitOptions) => Promise<Confirmation>;
  /** What it has changed so far, in a form that distinguishes once from twice. */
  readonly effect: () => Promise<unknown>;
  /** The same when it took effect once. */
  readonly once: unknown;
};

function payBySession(provider: "kms_a" | "kms_b"): Flow {
  const { address: account, session } = holders[provider];
  const destination = makeKey().address;
  return {
    make: (client, options) =>
      client.transfers.send({ account, session, currency: "sol", destination, amount: 10_000_000n }, options),
    effect: () => trellis.lamportsOf(destination),
    once: 10_000_000n,
  };
}

/** An account of two keys; how many have to sign is up to the caller. */
async function openKeyAccount(threshold: number) {
  const keys = [randomBytes(32), randomBytes(32)].map((bytes) => new Uint8Array(bytes));
  const [first, second] = keys as [Uint8Array, Uint8Array];
  const created = await trellis.client.accounts.create({
    type: "signers",
    signers: keys.map((key) => addressOfKey(key)),
    threshold,
  });
  await trellis.client.sandbox.airdrop({ address: created.address, currency: "sol", amount: "1000000000" });
  return { account: created.address, settings: created.settings_address, first, second };
}

async function payByKeys(): Promise<Flow> {
  const { account, first, second } = await openKeyAccount(2);
  const destination = makeKey().address;
  return {
    make: (client, options) =>
      client.transfers.send(
        { account, keys: [first, second], currency: "sol", destination, amount: "10000000" },
        options,
      ),
    effect: () => trellis.lamportsOf(destination),
    once: 10_000_000n,
  };
}

async function updateAccount(): Promise<Flow> {
  const { account, settings, first, second } = await openKeyAccount(1);
  const before = await trellis.countTransactions(settings);
  const permissions = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"] as const;
  const signers = [first, second].map((key) => ({ address: addressOfKey(key), permissions }));
  const changes = { signers: [...signers, { address: makeKey().address, permissions }] };
  return {
    make: (client, options) => client.accounts.update({ account, keys: [first], changes }, options),
    effect: async () => (await trellis.countTransactions(settings)) - before,
    once: 1,
  };
}

/** A flow about a proposal; `stage` says which step it had reached before. */
async function actOnProposal(stage: "none" | "proposed" | "approved"): Promise<{
  readonly account: string;
  readonly proposal: string;
  readonly content: { type: "transfer"; currency: "sol"; destination: string; amount: bigint };
  readonly first: Uint8Array;
  readonly second: Uint8Array;
  readonly paid: () => Promise<bigint>;
  readonly transactions: () => Promise<number>;
}> {
  const { account, settings, first, second } = await openKeyAccount(2);
  const destination = makeKey().address;
  const content = { type: "transfer", currency: "sol", destination, amount: 10_000_000n } as const;
  let proposal = "";
  if (stage !== "none") {
    const creation = { account, keys: [first], content, approve: true };
    proposal = (await trellis.client.proposals.create(creation)).proposalAddress;
  }
  if (stage === "approved")
    await trellis.client.proposals.vote({ account, proposal, keys: [second], action: "approve" });
  const before = await trellis.countTransactions(settings);
  const transactions = async () => (await trellis.countTransactions(settings)) - before;
  return { account, proposal, content, first, second, transactions, paid: () => trellis.lamportsOf(destination) };
}

/** A client of its own, that is: a process of its own. It counts its calls, and loses the given ones. */
function startClient(loss?: Loss): { readonly client: TrellisClient; readonly calls: () => number } {
  let calls = 0;
  const client = createTrellisClient({
    baseUrl: trellis.url,
    apiKey: trellis.apiKey,
    environment: "sandbox",
    pause: async () => undefined,
    fetch: async (...request) => {
      const at = calls;
      calls += 1;
      const isLost = at === loss?.call || (loss?.andAllLater === true && at > loss.call);
      if (isLost && (loss?.when === "before" || at !== loss?.call)) throw new TypeError("fetch failed");
      const answer = await fetch(...request);
      if (isLost) throw new TypeError("terminated");
      return answer;
    },
  });
  return { client, calls: () => calls };
}
