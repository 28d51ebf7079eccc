import { type Address, createSolanaRpcFromTransport, type Rpc, type SolanaRpcApi } from "@solana/kit";
import { generateEd25519KeyPair } from "@trellis/kernel/crypto/ed25519.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { addressOfBytes } from "@trellis/program-client";
import { judgeByOneNode } from "@trellis/solana/one-node.js";
import { describe, expect, it } from "vitest";
import { createAccount } from "../../src/accounts/create-account.js";
import { resumePendingCreations } from "../../src/accounts/resume-creations.js";
import { preparePayment } from "../../src/payments/prepare-payment.js";
import { recoverSubmissions } from "../../src/submissions/recover-submissions.js";
import { submitTransactions } from "../../src/transactions/submit-transactions.js";
import { use, useTestNetwork } from "../support/scene.js";
import { errorOf, stampKmsA } from "../support/test-network.js";

const test = useTestNetwork();
const holder = use(() => test.openHolder("holder@example.org", { sol: "10000000000" }));

describe("a node whose ledger begins after a transaction", () => {
  it("cannot expire a payment that was confirmed: it stays open, an alarm says so, and a node that knows it ends it", async () => {
    const bob = stranger();
    const request = await signedPayment(bob);
    const started = (await test.network.rpc.getSlot().send()) + 75n;
    const forgetful = behindShortLedger(() => started);

    const refusal = await errorOf(test.call(submitTransactions, { ...request, network: forgetful, needs: impatient }));
    expect(await balanceOf(bob)).toBe(payment);
    expect(refusal.code).toBe("submission_in_progress");
    const [row] = await openPayments();
    expect(row?.state).toBe("sent");
    expect(alarms()).toEqual([
      {
        level: "error",
        message: "transactions stay open: no node knows their outcome",
        fields: expect.objectContaining({
          event: "submissions_undecided",
          environment: "sandbox",
          count: 1,
          submissions: [expect.objectContaining({ submission: row?.id })],
        }),
      },
    ]);

    // One alarm for each hour that it stays so, however often it is read.
    for (let pass = 0; pass < 5; pass += 1) await recoverSubmissions(test.needs, forgetful, 0);
    await errorOf(test.call(submitTransactions, { ...request, network: forgetful, needs: impatient }));
    expect(alarms()).toHaveLength(1);
    await test.network.sandbox?.advanceClock(3_600);
    await recoverSubmissions(test.needs, forgetful, 0);
    await recoverSubmissions(test.needs, forgetful, 0);
    expect(alarms()).toHaveLength(2);
    expect(await openPayments()).toEqual([{ id: row?.id, state: "sent" }]);

    const { transaction_signature: signature } = await test.call<{ transaction_signature: string }>(
      submitTransactions,
      request,
    );
    expect(signature).toBeDefined();
    expect(await balanceOf(bob)).toBe(payment);
    expect(await openPayments()).toEqual([]);
  });

  it("reports that one has expired which was recorded within its ledger", async () => {
    const bob = stranger();
    const request = await signedPayment(bob);
    const started = await test.network.rpc.getSlot().send();
    const swallowing = behindShortLedger(() => started);
    const { rpc } = swallowing;
    const deaf = {
      ...swallowing,
      rpc: new Proxy(rpc, {
        get: (target, name, receiver) =>
          name === "sendTransaction"
            ? () => ({ send: async () => "1".repeat(64) })
            : Reflect.get(target, name, receiver),
      }),
    };
    const refusal = await errorOf(test.call(submitTransactions, { ...request, network: deaf, needs: impatient }));
    expect(refusal.code).toBe("blockhash_expired");
    expect(await balanceOf(bob)).toBe(0n);
  });

  it("causes no second account in place of one that was confirmed", async () => {
    const started = (await test.network.rpc.getSlot().send()) + 75n;
    const forgetful: Network = { ...behindShortLedger(() => started), landsInOrder: false };
    const body = { type: "signers", signers: [stranger()], threshold: 1 };
    const made = () => test.needs.db.selectFrom("account").select("address").execute();
    const before = (await made()).length;
    const refusal = await errorOf(test.call(createAccount, { body, network: forgetful, needs: impatient }));
    expect(refusal.code).toBe("submission_in_progress");
    await resumePendingCreations({ ...test.needs, ...impatient }, forgetful, 0);
    expect(await made()).toHaveLength(before);

    await resumePendingCreations(test.needs, test.network, 0);
    expect(await made()).toHaveLength(before + 1);
    const carried = await test.needs.db
      .selectFrom("submission")
      .select("state")
      .where("purpose", "=", "account_creation")
      .where("state", "!=", "landed")
      .execute();
    expect(carried).toEqual([]);
  });
});

const payment = 5_000_000n;
/** So long waits one who asks again: everything is past its time soon. */
const impatient = { pause: async () => void (await test.network.sandbox?.advanceClock(30)) };

interface Prepared {
  readonly transaction: string;
  readonly kms_payloads: readonly { readonly payload: string }[];
}

/** The chain behind an honest node whose ledger begins where `startsAt` says; it knows of no transaction before that. */
function behindShortLedger(startsAt: () => bigint): Network {
  const rpc = createSolanaRpcFromTransport(async <Response>({ payload }: { payload: unknown }) => {
    const { method } = payload as { method: string };
    const answer = (await test.network.sandbox?.handleRpc(payload)) as {
      result: { value: ({ slot: number } | null)[] };
    };
    if (method === "getFirstAvailableBlock") return { ...answer, result: Number(startsAt()) } as Response;
    if (method !== "getSignatureStatuses") return answer as Response;
    const value = answer.result.value.map((status) =>
      status !== null && BigInt(status.slot) >= startsAt() ? status : null,
    );
    return { ...answer, result: { ...answer.result, value } } as Response;
  }) as Rpc<SolanaRpcApi>;
  return { ...test.network, rpc, judgeUnseen: judgeByOneNode(rpc, test.network.clock) };
}

const stranger = () => addressOfBytes(generateEd25519KeyPair().publicKey);

const balanceOf = async (address: Address) => (await test.network.rpc.getBalance(address).send()).value;

/** A payment, and how it is submitted. */
async function signedPayment(to: Address) {
  const { address } = holder.verified;
  const prepared = await test.call<Prepared>(preparePayment, {
    params: { address },
    body: {
      amount: payment.toString(),
      source: { account: address, currency: "sol" },
      destination: { address: to, currency: "sol" },
    },
  });
  const signature = stampKmsA(prepared.kms_payloads[0]?.payload ?? "", holder.authorizationKey);
  const entries = [{ provider: "kms_a", kms_signed_payload: { signature } }];
  return { params: { address }, body: { transaction: prepared.transaction, kms_payloads: entries } };
}

const openPayments = () =>
  test.needs.db
    .selectFrom("submission")
    .select(["id", "state"])
    .where("purpose", "=", "transaction")
    .where("state", "in", ["signed", "sent"])
    .execute();

const alarms = () => test.logLines.filter(({ level }) => level === "error");
