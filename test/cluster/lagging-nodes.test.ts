import { address } from "@solana/kit";
import { readAccount, readAccountsAtSlot } from "@trellis/solana/read-accounts.js";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { preparePayment } from "../../src/payments/prepare-payment.js";
import { submitTransactions } from "../../src/transactions/submit-transactions.js";
import {
  openPlayedAccount,
  openPlayedCluster,
  type PlayedCluster,
  type PlayedNode,
  type PlayedRequest,
  paymentOf,
  signedPaymentOf,
} from "../support/played-cluster.js";
import { useTestNetwork } from "../support/scene.js";
import { errorOf, type HeldAccount } from "../support/test-network.js";

const payee = address("9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g");
let holder: HeldAccount;
const test = useTestNetwork();
beforeAll(async () => {
  const { network } = await openPlayedCluster(test);
  holder = await openPlayedAccount(test, network, "patient@example.org");
  await test.network.sandbox?.airdrop(holder.address as never, 1_000_000_000n);
});

/** How many more questions the lagging node is behind for. */
let lagsFor = 0;
beforeEach(() => {
  lagsFor = 0;
});

/**
 * A node some slots behind the others, as validators answer then: it refuses what asks for a newer slot, and knows no
 * blockhash that is younger.
 */
const lagging: PlayedNode = async (request, honest) => {
  if (lagsFor === 0) return undefined;
  if (asksForSlot(request)) {
    lagsFor -= 1;
    const error = { code: -32_016, message: "Minimum context slot has not been reached", data: { contextSlot: 1 } };
    return { jsonrpc: "2.0", id: request.id, error };
  }
  if (request.method !== "simulateTransaction") return undefined;
  lagsFor -= 1;
  return withoutBlockhash(await honest());
};

/** Does not care about slots, as some do that stand behind a load balancer. */
const forgetful: PlayedNode = async ({ method }, honest) => {
  if (lagsFor === 0 || method !== "simulateTransaction") return undefined;
  lagsFor -= 1;
  return withoutBlockhash(await honest());
};

describe.each<[string, PlayedNode]>([
  ["refuses what it has not reached", lagging],
  ["knows no new blockhash", forgetful],
])("one node that lags behind and %s", (_how, node) => {
  it("delays a payment until it has caught up, within a moment", async () => {
    const cluster = await openPlayedCluster(test, [node]);
    lagsFor = 2;
    const signed = await sign(cluster);
    expect(cluster.pausesMs).toEqual([400, 800]);
    lagsFor = 2;
    const { transaction_signature } = await submit(cluster, signed);
    expect(transaction_signature).toBeDefined();
    expect(cluster.pausesMs).toEqual([400, 800, 400, 800]);
  });

  it("is no reason to wait where another one is as far, and is not shut out for it", async () => {
    const cluster = await openPlayedCluster(test, [node, () => undefined]);
    lagsFor = 1;
    const signed = await sign(cluster);
    lagsFor = 1;
    await submit(cluster, signed);
    expect(cluster.pausesMs).toEqual([]);
    const simulations = cluster.asked.filter((asked) => asked.startsWith("simulateTransaction"));
    expect(simulations).toEqual([1, 2, 1, 2].map((number) => `simulateTransaction of ${number}`));
  });

  it("for longer is a chain that cannot be asked, and spoils neither the payment nor its bytes", async () => {
    const cluster = await openPlayedCluster(test, [node]);
    lagsFor = 1_000;
    const whilePreparing = await errorOf(prepare(cluster));
    expect([whilePreparing.status, whilePreparing.code]).toEqual([502, "chain_unavailable"]);
    lagsFor = 0;
    const signed = await sign(cluster);
    lagsFor = 1_000;
    const whileSubmitting = await errorOf(submit(cluster, signed));
    expect([whileSubmitting.status, whileSubmitting.code]).toEqual([502, "chain_unavailable"]);
    expect(await isRefused()).toBe(false);
    lagsFor = 0;
    const { transaction_signature } = await submit(cluster, signed);
    expect(transaction_signature).toBeDefined();
  });
});

describe("a blockhash that no node knows any more", () => {
  it("is out of date once the chain is past its last block, which is written down", async () => {
    const cluster = await openPlayedCluster(test, [forgetful]);
    const signed = await sign(cluster);
    // The chain's time, and not that of the service: what was prepared is not out of date by its own clock.
    await test.network.sandbox?.advanceClock(61);
    expect((await errorOf(submit(cluster, signed))).code).toBe("blockhash_expired");
    expect(await isRefused()).toBe(true);
  });
});

describe("a read that must not be older than what was seen", () => {
  it("is not answered by a node that has not reached that slot", async () => {
    const { network } = await openPlayedCluster(test);
    const { address } = holder.verified;
    const { slot } = await readAccountsAtSlot(network, [address as never]);
    await expect(readAccount(network, address as never, { leastSlot: slot })).resolves.toBeDefined();
    const ahead = await errorOf(readAccount(network, address as never, { leastSlot: slot + 1n }));
    expect(ahead.code).toBe("chain_unavailable");
  });

  it("is what a payment asks for: each question is at least as new as the one before", async () => {
    const slots: { method: string; least: unknown }[] = [];
    const cluster = await openPlayedCluster(test, [
      ({ method, params }) => {
        const config = params.find((param) => typeof param === "object" && !Array.isArray(param));
        slots.push({ method, least: (config as { minContextSlot?: unknown } | undefined)?.minContextSlot });
        return undefined;
      },
    ]);
    const signed = await sign(cluster);
    await submit(cluster, signed);
    const { slot } = await readAccountsAtSlot(cluster.network, [payee]);
    expect(slots.filter(({ method }) => method === "simulateTransaction").map(({ least }) => least)).toEqual([
      slot,
      slot,
    ]);
  });
});

function asksForSlot({ params }: PlayedRequest): boolean {
  return params.some((param) => typeof param === "object" && param !== null && "minContextSlot" in param);
}

function withoutBlockhash(answer: { readonly result: unknown }): object {
  const { value, ...rest } = answer.result as { readonly value: object };
  const unknown = { ...value, err: "BlockhashNotFound", preBalances: null, postBalances: null };
  return { ...answer, result: { ...rest, value: unknown } };
}

const payment = () => paymentOf(holder, "sol", payee);

const prepare = ({ network }: PlayedCluster) => test.call(preparePayment, { network, ...payment() });

const sign = ({ network }: PlayedCluster) => signedPaymentOf(test, network, holder, payment());

const submit = ({ network }: PlayedCluster, signed: Awaited<ReturnType<typeof sign>>) =>
  test.call<{ transaction_signature: string }>(submitTransactions, { network, ...signed });

/** Whether the newest prepared transaction can no longer be submitted. */
async function isRefused(): Promise<boolean> {
  const { refused_at } = await test.needs.db
    .selectFrom("prepared_transaction")
    .select("refused_at")
    .orderBy("created_at", "desc")
    .orderBy("expires_at", "desc")
    .where("environment", "=", "devnet")
    .where("id", "not in", (eb) => eb.selectFrom("submission").select("id"))
    .executeTakeFirstOrThrow();
  return refused_at !== null;
}
