import { randomUUID } from "node:crypto";
import {
  appendTransactionMessageInstructions,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  type Signature,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { createTrellisClient } from "@trellis/sdk";
import { beforeAll, describe, expect, it } from "vitest";
import {
  type Answered,
  apiPath,
  dataOf,
  expectError,
  type Holder,
  makeKey,
  stamp,
} from "../../test/adversarial/support.js";
import { useTestService } from "../../test/support/scene.js";
import { actionsOf } from "../../test/support/service-actions.js";

/** What goes wrong in the sandbox on purpose, and that the service comes to the true outcome all the same (gap 126). */
let ada: Holder;
const trellis = useTestService({ TRELLIS_SANDBOX_FAULTS: "drop=1, blockhash_not_found=1" });
beforeAll(async () => {
  // Every attempt is under the same key: what the node does not know yet is asked again, as clients do.
  const patient: typeof fetch = async (url, init) => {
    for (let tries = 1; ; tries += 1) {
      const response = await fetch(url, init);
      if (response.status !== 502 || tries === 20) return response;
    }
  };
  const client = createTrellisClient({
    baseUrl: trellis.url,
    apiKey: trellis.apiKey,
    environment: "sandbox",
    fetch: patient,
  });
  ada = await actionsOf({ ...trellis, client }).openHolder({ sol: "1000000000" });
}, 120_000);

describe("a sandbox with faults", () => {
  it("reports them to every caller that asks for its state", async () => {
    const { body } = await trellis.request("GET", "/readyz");
    expect(JSON.stringify(body)).toContain("TRELLIS_SANDBOX_FAULTS");
  });

  it("pays once what was first sent in vain, under any number of repetitions by any caller", async () => {
    const payee = makeKey().address;
    const path = `${apiPath}/accounts/${ada.address}/submit`;
    const prepared = await trellis.preparePayment(ada, { amount: "10000000", currency: "sol", to: payee });
    const signed = { transaction: prepared.transaction, kms_payloads: stamp(prepared, ada.session) };
    const headers = { "x-idempotency-key": randomUUID() };
    const { last, before } = await insist(() => trellis.request("POST", path, signed, headers));
    expect(before).toEqual(before.map(() => "chain_unavailable"));
    const { transaction_signature } = dataOf<{ transaction_signature: Signature }>(last);
    expect(await trellis.lamportsOf(payee)).toBe(10_000_000n);
    const again = await trellis.request("POST", path, signed, headers);
    expect(again.body).toEqual(last.body);
    const { transaction_signature: known } = dataOf<{ transaction_signature: Signature }>(
      await trellis.request("POST", path, signed, { "x-idempotency-key": randomUUID() }),
    );
    expect(known).toBe(transaction_signature);
    expect(await trellis.lamportsOf(payee)).toBe(10_000_000n);
    const landed = await trellis.network.rpc.getSignaturesForAddress(payee).send();
    expect(landed.map(({ signature }) => signature)).toEqual([transaction_signature]);
  }, 60_000);

  it("never sends what was refused because the blockhash was not known", async () => {
    const payee = makeKey().address;
    // A slot of its own, so that nobody has asked about its blockhash.
    await trellis.client.sandbox.advanceClock(1);
    const prepared = await trellis.preparePayment(ada, { amount: "10000000", currency: "sol", to: payee });
    const signed = { transaction: prepared.transaction, kms_payloads: stamp(prepared, ada.session) };
    const path = `${apiPath}/accounts/${ada.address}/submit`;
    expectError(await trellis.request("POST", path, signed), 502, "chain_unavailable");
    const rows = await trellis.service.db
      .selectFrom("submission")
      .select("signature")
      .where("state", "in", ["signed", "sent"])
      .execute();
    expect(rows).toEqual([]);
    expect(await trellis.lamportsOf(payee)).toBe(0n);
  });
});

describe("an application that talks to the chain itself", () => {
  it("meets both faults, once each, and is confirmed by sending the same bytes again", async () => {
    const { rpc } = trellis.network;
    const payer = await generateKeyPairSigner();
    const to = makeKey().address;
    await trellis.client.sandbox.airdrop({ address: payer.address, currency: "sol", amount: "1000000000" });
    // A slot of its own, so that nobody has asked about its blockhash.
    await trellis.client.sandbox.advanceClock(1);
    const { value: lifetime } = await rpc.getLatestBlockhash().send();
    const transfer = getTransferSolInstruction({ source: payer, destination: to, amount: 5_000_000n });
    const message = appendTransactionMessageInstructions(
      [transfer],
      setTransactionMessageLifetimeUsingBlockhash(
        lifetime,
        setTransactionMessageFeePayerSigner(payer, createTransactionMessage({ version: 0 })),
      ),
    );
    const transaction = await signTransactionMessageWithSigners(message);
    const wire = getBase64EncodedWireTransaction(transaction);
    const send = () => rpc.sendTransaction(wire, { encoding: "base64" }).send();
    const statusOf = async (signature: Signature) => (await rpc.getSignatureStatuses([signature]).send()).value[0];

    const params = [wire, { encoding: "base64" }];
    const first = await trellis.network.sandbox?.handleRpc({
      jsonrpc: "2.0",
      id: 1,
      method: "sendTransaction",
      params,
    });
    expect(first).toMatchObject({ error: { code: -32002, data: { err: "BlockhashNotFound" } } });
    const signature = await send();
    expect(await statusOf(signature)).toBeNull();
    expect(await trellis.lamportsOf(to)).toBe(0n);
    expect(await send()).toBe(signature);
    expect(await statusOf(signature)).toMatchObject({ err: null });
    expect(await trellis.lamportsOf(to)).toBe(5_000_000n);
  });
});

/** Asks until the node knows the blockhash; what it was told before that, in order. */
async function insist(ask: () => Promise<Answered>): Promise<{ last: Answered; before: string[] }> {
  const before: string[] = [];
  for (let tries = 0; tries < 20; tries += 1) {
    const last = await ask();
    if (last.status !== 502) return { last, before };
    before.push((last.body as { code: string }).code);
  }
  throw new Error("it never went well");
}
