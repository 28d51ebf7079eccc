import { generateEd25519KeyPair } from "@trellis/kernel/crypto/ed25519.js";
import type { CustodianName } from "@trellis/kernel/ports/custodian.js";
import { addressOfBytes } from "@trellis/program-client";
import { describe, expect, it } from "vitest";
import { use, useTestNetwork } from "../../test/support/scene.js";
import { errorOf, stampKmsA } from "../../test/support/test-network.js";
import { preparePayment } from "../payments/prepare-payment.js";
import { submitTransactions } from "./submit-transactions.js";

const test = useTestNetwork();
const holder = use(() => test.openHolder("copies@example.org", { sol: "1000000000" }));

/** A stranger: what is paid twice is held twice. */
const payee = addressOfBytes(generateEd25519KeyPair().publicKey);

describe("copies of one submit", () => {
  it("that were refused because another one was faster answer with its outcome", async () => {
    const payment = await signedPayment();
    let faster: Submitted | undefined;
    const { rpc } = test.network;
    const slow = {
      ...test.network,
      rpc: new Proxy(rpc, {
        get: (target, method, receiver) => {
          const call = Reflect.get(target, method, receiver);
          if (method !== "simulateTransaction") return call;
          return (...parameters: unknown[]) => ({
            send: async () => {
              faster = await test.call<Submitted>(submitTransactions, payment);
              return (call as (...given: unknown[]) => { send(): Promise<unknown> })(...parameters).send();
            },
          });
        },
      }),
    };
    const answer = await test.call<Submitted>(submitTransactions, { ...payment, network: slow });
    expect(faster?.transaction_signature).toBeDefined();
    expect(answer).toEqual(faster);
    expect(await held()).toBe(5_000_000n);
  });

  it("are never recorded once one was refused because its time is over", async () => {
    const payment = await signedPayment();
    const before = await held();
    let refused: string | undefined;
    const answer = errorOf(
      test.call(submitTransactions, {
        ...payment,
        needs: {
          custodians: custodiansAfter(async () => {
            await test.network.sandbox?.advanceClock(61);
            refused = (await errorOf(test.call(submitTransactions, payment))).code;
          }),
        },
      }),
    );
    expect((await answer).code).toBe("blockhash_expired");
    expect(await held()).toBe(before);
    expect(refused).toBe("payload_expired");
    const { count } = await test.needs.db
      .selectFrom("submission")
      .select(({ fn }) => fn.countAll().as("count"))
      .where("purpose", "=", "transaction")
      .where("state", "!=", "landed")
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBe(0);
  });
});

describe("a submit of several", () => {
  it("answers the first fault in their order, whichever is found first, and pays nothing", async () => {
    const payments = await Promise.all([signedPayment(), signedPayment(), signedPayment()]);
    const [good, ofAnother] = payments.map(({ body }) => body);
    const before = await held();
    const error = await errorOf(
      test.call(submitTransactions, {
        params: { address: holder.verified.address },
        body: {
          // That the last one is no transaction is plain at once; the second one's signature is held against the database.
          transactions: [good?.transaction ?? "", ofAnother?.transaction ?? "", "AAAA"],
          kms_payloads: [good?.kms_payloads ?? [], good?.kms_payloads ?? [], []],
        },
      }),
    );
    expect(error.details).toMatchObject([{ field: "kms_payloads.1.0" }]);
    expect(await held()).toBe(before);
  });

  it("pays all of them in their order", async () => {
    const payments = await Promise.all(Array.from({ length: 12 }, () => signedPayment()));
    const before = await held();
    const { results } = await test.call<{ results: readonly (Submitted & { index: number })[] }>(submitTransactions, {
      params: { address: holder.verified.address },
      body: {
        transactions: payments.map(({ body }) => body.transaction),
        kms_payloads: payments.map(({ body }) => body.kms_payloads),
      },
    });
    expect(results.map(({ index }) => index)).toEqual(payments.map((_, index) => index));
    expect(await held()).toBe(before + 60_000_000n);
    const { value } = await test.network.rpc
      .getSignatureStatuses(results.map(({ transaction_signature }) => transaction_signature as never))
      .send();
    const slots = value.map((status) => Number(status?.slot));
    expect(slots).toEqual(slots.toSorted((one, other) => one - other));
  });
});

interface Prepared {
  readonly transaction: string;
  readonly kms_payloads: readonly { readonly payload: string }[];
}

interface Submitted {
  readonly transaction_signature: string;
}

const held = async () => (await test.network.rpc.getBalance(payee).send()).value;

/** A signed payment as a client submits it, any number of times. */
async function signedPayment() {
  const { address } = holder.verified;
  const prepared = await test.call<Prepared>(preparePayment, {
    params: { address },
    body: {
      amount: "5000000",
      source: { account: address, currency: "sol" },
      destination: { address: payee, currency: "sol" },
    },
  });
  const signature = stampKmsA(prepared.kms_payloads[0]?.payload ?? "", holder.authorizationKey);
  return {
    params: { address },
    body: {
      transaction: prepared.transaction,
      kms_payloads: [{ provider: "kms_a", kms_signed_payload: { signature } }],
    },
  };
}

/** Custodians that do something else first. */
function custodiansAfter(first: () => Promise<unknown>) {
  return new Map(
    [...test.needs.custodians].map(([name, custodian]): [CustodianName, typeof custodian] => [
      name,
      {
        ...custodian,
        sign: async (request) => {
          await first();
          return custodian.sign(request);
        },
      },
    ]),
  );
}
