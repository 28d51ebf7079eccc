import type { RailsPartner } from "@trellis/kernel/ports/rails.js";
import { decodeSettings } from "@trellis/program-client";
import { describe, expect } from "vitest";
import { preparePayment } from "../../src/payments/prepare-payment.js";
import { submitTransactions } from "../../src/transactions/submit-transactions.js";
import { addBank, approve, bent, held, payBank, settle } from "../rails/transfers-support.js";
import { bendNetwork } from "../support/bent-network.js";
import { byPasskey } from "../support/passkeys.js";
import { publicKeyOf, stampKmsA } from "../support/test-network.js";
import { attempt } from "../support/thief-on-chain.js";
import { type Prepared, useThievesScene, type Victim } from "../support/thieves-scene.js";
import { plays } from "../support/thieves-table.js";

/** Those whom the service asks, and who lie. */
const scene = useThievesScene();
const { test } = scene;

describe("what is reported to the service by", () => {
  plays(scene, "The chain's node", async (victim) => {
    const sent: string[] = [];
    const lying = lyingNode(sent);
    // One signature is enough, says the node.
    const cheap = await attempt(async () => {
      const prepared = await pay(victim, lying);
      expect(prepared.kms_payloads).toHaveLength(1);
      await submit(victim, prepared, lying);
    });
    // The holder of a plain account has approved that, and the guarded one's is refused by the program.
    expect(cheap).toBe(victim.kind === "plain");
    const approved = cheap ? amount : 0n;
    const prepared = await pay(victim, test.network);
    await submit(victim, prepared, recording(sent));
    // What it was given it sends again, and with other bytes.
    for (const wire of sent) {
      const bytes = Buffer.from(wire, "base64");
      for (const at of [0, 70, bytes.length - 20, bytes.length - 1]) {
        const changed = Uint8Array.from(bytes).with(at, (bytes[at] ?? 0) ^ 1);
        await attempt(() => send(Buffer.from(changed).toString("base64")));
      }
      await attempt(() => send(wire));
    }
    expect(sent.length).toBeGreaterThan(0);
    return approved + amount;
  });

  plays(scene, "The bank partner", async (victim) => {
    const { address, email } = victim;
    await test.airdrop(address, "usdc", "100000000");
    // Whose rent is not at stake here.
    await test.airdrop(scene.thiefAddress, "usdc", "1");
    await approve(test, address, email, ["base"]);
    const { id } = await addBank(test, address);
    // The partner names the thief's address as its own, and says later that everything was paid.
    const needs = bent(
      test,
      (partner): Partial<RailsPartner> => ({
        createTransfer: async (request) => {
          const answer = await partner.createTransfer(request);
          if (!answer.ok || answer.value.instructions === null) return answer;
          const instructions = { ...answer.value.instructions, to_address: scene.thiefAddress };
          return { ok: true, value: { ...answer.value, instructions } };
        },
      }),
    );
    const prepared = (await payBank(test, address, id, "5000000", { needs })) as unknown as Prepared;
    expect(await held(test, address)).toBe(100_000_000n);
    await submit(victim, prepared, test.network);
    await settle(test);
    expect(await held(test, address)).toBe(95_000_000n);
  });
});

const amount = 3_000_000n;

const pay = ({ address }: Victim, network: typeof test.network) =>
  test.call<Prepared>(preparePayment, {
    params: { address },
    network,
    body: {
      amount: String(amount),
      source: { account: address, currency: "sol" },
      destination: { address: publicKeyOf("a shop"), currency: "sol" },
    },
  });

/** By its holder. */
const submit = (
  { address, authorizationKey, passkey }: Victim,
  { transaction, kms_payloads }: Prepared,
  network: typeof test.network,
) =>
  test.call(submitTransactions, {
    params: { address },
    network,
    body: {
      transaction,
      kms_payloads: kms_payloads.map(({ payload, provider }) =>
        provider === "kms_c" && passkey !== undefined
          ? byPasskey(passkey, payload, {}, provider)
          : { provider, kms_signed_payload: { signature: stampKmsA(payload, authorizationKey) } },
      ),
    },
  });

const send = (wire: string) => test.network.rpc.sendTransaction(wire as never, { encoding: "base64" }).send();

const recording = (sent: string[]) =>
  bendNetwork(test.network, async ({ method, params, ask }) => {
    if (method === "sendTransaction") sent.push(String(params[0]));
    return ask();
  });

/** A node that says of every account that one signature is enough, and that every simulation succeeds. */
const lyingNode = (sent: string[]) =>
  bendNetwork(test.network, async ({ method, params, ask }) => {
    if (method === "sendTransaction") sent.push(String(params[0]));
    const answer = await ask();
    if (method === "simulateTransaction" && answer.result?.value) {
      return { ...answer, result: { ...answer.result, value: { ...answer.result.value, err: null } } };
    }
    if (method === "getAccountInfo")
      return { ...answer, result: { ...answer.result, value: withOneVote(answer.result?.value) } };
    if (method === "getMultipleAccounts") {
      return { ...answer, result: { ...answer.result, value: answer.result?.value.map(withOneVote) } };
    }
    return answer;
  });

// biome-ignore lint/suspicious/noExplicitAny: an account as a node answers it
function withOneVote(account: any): any {
  if (account?.data?.[1] !== "base64") return account;
  const data = Buffer.from(account.data[0], "base64");
  try {
    decodeSettings(data);
  } catch {
    // No account of settings.
    return account;
  }
  data.writeUInt16LE(1, thresholdAt);
  return { ...account, data: [data.toString("base64"), "base64"] };
}

/** Behind the discriminator, the seed and the admin. */
const thresholdAt = 8 + 16 + 32;
