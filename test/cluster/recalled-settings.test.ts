import { beforeEach, describe, expect, it } from "vitest";
import { updateAccount } from "../../src/policy-changes/update-account.js";
import { submitTransactions } from "../../src/transactions/submit-transactions.js";
import {
  openPlayedAccount,
  openPlayedCluster,
  type PlayedCluster,
  type PlayedNode,
  paymentOf,
  signedPaymentOf,
} from "../support/played-cluster.js";
import { useTestNetwork } from "../support/scene.js";
import { type HeldAccount, publicKeyOf, stampKmsA } from "../support/test-network.js";

const test = useTestNetwork();
/** What the node makes of the simulation of a submit; honest while undefined. */
let bend: ((value: Simulated) => void) | undefined;
let cluster: PlayedCluster;
let holder: HeldAccount;
let held = 0;

interface Simulated {
  accounts: ({ owner: string; data: [string, string] } | null)[] | null;
}

const node: PlayedNode = async ({ method, params }, honest) => {
  if (method !== "simulateTransaction" || bend === undefined || !isShowing(params)) return undefined;
  const answer = await honest();
  bend((answer.result as { readonly value: Simulated }).value);
  return answer;
};
const isShowing = ([, options]: readonly unknown[]) =>
  (options as { readonly accounts?: unknown }).accounts !== undefined;

beforeEach(async () => {
  bend = undefined;
  cluster = await openPlayedCluster(test, [node]);
  held += 1;
  holder = await openPlayedAccount(test, cluster.network, `recalled-${held}@example.org`);
  await test.network.sandbox?.airdrop(holder.address as never, 1_000_000_000n);
});

describe("the settings a transaction was prepared by", () => {
  it("are read anew where they have changed since, by whatever process", async () => {
    const payment = await preparePayment();
    const elsewhere = await openPlayedCluster(test);
    await submit(elsewhere, await prepareChange(elsewhere, [everything(newAddress())]));
    cluster.asked.length = 0;
    await expect(submit(cluster, payment)).rejects.toMatchObject({ code: "insufficient_permissions" });
    expect(cluster.count()).toMatchObject({ getMultipleAccounts: 1 });
    expect(cluster.asked).not.toContain("sendTransaction");
  });

  it.each<[string, (value: Simulated) => void]>([
    ["shows no accounts", (value) => void Object.assign(value, { accounts: null })],
    ["shows none where the settings are", (value) => void Object.assign(value, { accounts: [null] })],
    [
      "shows settings of another program",
      (value) => void Object.assign(value.accounts?.[0] ?? {}, { owner: newAddress() }),
    ],
    ["shows other settings", (value) => void value.accounts?.[0]?.data.splice(0, 1, "AAAA")],
  ])("are read anew where a node %s", async (_, how) => {
    const payment = await preparePayment();
    cluster.asked.length = 0;
    bend = how;
    await submit(cluster, payment);
    expect(cluster.count()).toMatchObject({ getMultipleAccounts: 1, simulateTransaction: 2, sendTransaction: 1 });
  });

  it("are read anew for what changes them, and serve the next payment as they are then", async () => {
    const { signers } = holder.verified.policies;
    const change = await prepareChange(cluster, [
      ...signers.map(({ address }) => everything(address)),
      everything(newAddress()),
    ]);
    cluster.asked.length = 0;
    await submit(cluster, change);
    expect(cluster.asked.slice(0, 3)).toEqual(["getMultipleAccounts", "simulateTransaction", "sendTransaction"]);
    const payment = await preparePayment();
    cluster.asked.length = 0;
    await submit(cluster, payment);
    expect(cluster.count()).toEqual({ simulateTransaction: 1, sendTransaction: 1, getSignatureStatuses: 1 });
  });

  it("are read once for a payment that the chain refuses, and not for what no settings could change", async () => {
    const { body, params } = await preparePayment();
    cluster.asked.length = 0;
    const call = (more: object) =>
      test.call(submitTransactions, { network: cluster.network, params, body: { ...body, ...more } });
    await expect(call({ kms_payloads: [] })).rejects.toMatchObject({ code: "missing_signature" });
    expect(cluster.asked).toEqual([]);
    const all = await signedPaymentOf(
      test,
      cluster.network,
      holder,
      paymentOf(holder, "sol", newAddress(), "990000000"),
    );
    const most = await signedPaymentOf(
      test,
      cluster.network,
      holder,
      paymentOf(holder, "sol", newAddress(), "990000000"),
    );
    await submit(cluster, all);
    cluster.asked.length = 0;
    await expect(submit(cluster, most)).rejects.toMatchObject({ code: "transaction_failed" });
    expect(cluster.asked).not.toContain("sendTransaction");
    expect(cluster.asked.slice(0, 3)).toEqual(["simulateTransaction", "getMultipleAccounts", "simulateTransaction"]);
  });
});

const preparePayment = () => signedPaymentOf(test, cluster.network, holder, paymentOf(holder, "sol", newAddress()));

const submit = (at: PlayedCluster, signed: Awaited<ReturnType<typeof preparePayment>>) =>
  test.call(submitTransactions, { network: at.network, ...signed });

/** Prepares other signers for the account, and approves them with its present one. */
async function prepareChange(at: PlayedCluster, signers: readonly object[]) {
  const params = { address: holder.address };
  const prepared = await test.call<{
    readonly transaction: string;
    readonly kms_payloads: readonly { readonly payload: string }[];
  }>(updateAccount, { network: at.network, params, query: {}, body: { signers } });
  const signature = stampKmsA(prepared.kms_payloads[0]?.payload ?? "", holder.authorizationKey);
  const kms_payloads = [{ provider: "kms_a", kms_signed_payload: { signature } }];
  return { params, body: { transaction: prepared.transaction, kms_payloads } };
}

const everything = (address: string) => ({ address, permissions: ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"] });

let named = 0;
const newAddress = () => {
  named += 1;
  return publicKeyOf(`recalled settings ${named}`);
};
