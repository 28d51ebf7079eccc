import {
  AccountRole,
  type Address,
  getAddressDecoder,
  getBase64Decoder,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
} from "@solana/kit";
import { executeTransactionSyncInstruction } from "@trellis/program-client";
import type { PreparedTransfer } from "@trellis/sdk";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { use, useTestService } from "../support/scene.js";
import { type Answered, dataOf, expectError, expectErrorBody, makeKey, signWire, stamp } from "./support.js";

let prepared: PreparedTransfer;
let entries: readonly unknown[];
let sentBefore: number;
const payee = makeKey().address;
const trellis = useTestService();
const ada = use(() => trellis.openHolder({ sol: "1000000000" }));
beforeAll(async () => {
  await trellis.client.sandbox.airdrop({ address: payee, currency: "sol", amount: "1000000000" });
  sentBefore = await trellis.countTransactions(ada.address);
});
afterAll(async () => {
  // Whatever was tried above: not one of these transactions reached the chain.
  const sentAfter = trellis ? await trellis.countTransactions(ada.address) : 0;
  expect(sentAfter).toBe(sentBefore);
});

describe("a prepared transaction with something changed", () => {
  it("in any field of its message is one that was not prepared", async () => {
    await fresh();
    const message = messageOf(prepared.transaction);
    const call = message.instructions.at(-1);
    if (!call?.data) throw new Error("the call has no data");
    const replaced = (index: number, address: Address) => ({
      ...message,
      staticAccounts: message.staticAccounts.map((each, i) => (i === index ? address : each)),
    });
    const withCall = (change: object) => ({
      ...message,
      instructions: [...message.instructions.slice(0, -1), { ...call, ...change }],
    });
    // The amount is the last eight bytes of the inner transfer, which ends the payload.
    const dearer = Uint8Array.from(call.data);
    const amountAt = findAmount(dearer, 1_000_000n);
    dearer[amountAt + 2] = 0xff;
    const destination = message.staticAccounts.indexOf(payee);
    const limit = message.instructions[0];
    const altered: [string, unknown][] = [
      ["amount", withCall({ data: dearer })],
      ["destination", replaced(destination, someAddress())],
      ["fee payer", replaced(0, someAddress())],
      ["member", replaced(1, someAddress())],
      ["blockhash", { ...message, lifetimeToken: someAddress() }],
      ["order of instructions", { ...message, instructions: [...message.instructions].reverse() }],
      ["order of accounts", withCall({ accountIndices: [...(call.accountIndices ?? [])].reverse() })],
      ["extra instruction", { ...message, instructions: [...message.instructions, call] }],
      ["missing instruction", { ...message, instructions: [call] }],
      ["compute limit", { ...message, instructions: [{ ...limit, data: Uint8Array.from([2, 0, 0, 16, 0]) }, call] }],
      [
        "extra signer",
        {
          ...message,
          staticAccounts: [...message.staticAccounts.slice(0, 2), someAddress(), ...message.staticAccounts.slice(2)],
          header: { ...message.header, numSignerAccounts: message.header.numSignerAccounts + 1 },
        },
      ],
      [
        "writable flag",
        {
          ...message,
          header: {
            ...message.header,
            numReadonlyNonSignerAccounts: message.header.numReadonlyNonSignerAccounts - 1,
          },
        },
      ],
      ["legacy form", { ...message, version: "legacy" }],
      [
        "unused account",
        {
          ...message,
          staticAccounts: [...message.staticAccounts, someAddress()],
          header: {
            ...message.header,
            numReadonlyNonSignerAccounts: message.header.numReadonlyNonSignerAccounts + 1,
          },
        },
      ],
    ];
    for (const [what, changed] of altered) {
      const answered = await submitAltered(toWire(changed));
      expect([what, answered.status, (answered.body as { code: string }).code]).toEqual([
        what,
        400,
        "transaction_not_prepared",
      ]);
    }
    const lookup = {
      ...message,
      addressTableLookups: [{ lookupTableAddress: someAddress(), writableIndexes: [0], readonlyIndexes: [] }],
    };
    const answered = await submitAltered(toWire(lookup));
    expect(["transaction_not_prepared", "invalid_transaction"]).toContain((answered.body as { code: string }).code);
  });

  it("in any single byte is refused, and never a fault of ours", async () => {
    await fresh();
    const bytes = bytesOf(prepared.transaction);
    const { messageBytes } = getTransactionDecoder().decode(bytes);
    const messageAt = bytes.length - messageBytes.length;
    await fc.assert(
      fc.asyncProperty(fc.nat(messageBytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, mask) => {
        const changed = Uint8Array.from(bytes);
        changed[messageAt + at] = (changed[messageAt + at] ?? 0) ^ mask;
        const answered = await submitAltered(getBase64Decoder().decode(changed));
        expect(answered.status, JSON.stringify(answered.body)).toBe(400);
        expectErrorBody(answered);
      }),
      { numRuns: 80 },
    );
  });
});

/** Where eight little-endian bytes of this number stand. */
function findAmount(data: Uint8Array, amount: bigint): number {
  const wanted = new Uint8Array(8);
  new DataView(wanted.buffer).setBigUint64(0, amount, true);
  const at = Buffer.from(data).indexOf(Buffer.from(wanted));
  if (at < 0) throw new Error("the amount is not in the data");
  return at;
}

describe("bytes that are not one transaction", () => {
  it("are refused as invalid", async () => {
    await fresh();
    const bytes = bytesOf(prepared.transaction);
    const base64 = (part: Uint8Array) => Buffer.from(part).toString("base64");
    const standard = base64(bytes);
    const invalid = [
      base64(Uint8Array.from([...bytes, 0])),
      base64(Uint8Array.from([0, ...bytes])),
      base64(bytes.subarray(0, -1)),
      base64(bytes.subarray(0, 65)),
      base64(new Uint8Array(1_232)),
      base64(new Uint8Array(1_232).fill(255)),
      base64(Uint8Array.from([0x80, 0x00, ...bytes.subarray(1)])),
      `${standard} `,
      ` ${standard}`,
      `${standard}\n`,
      `${standard.slice(0, 8)}\n${standard.slice(8)}`,
      `${standard}====`,
      `data:;base64,${standard}`,
      "",
      "A",
      "====",
      "not base64!",
      Buffer.from(bytes).toString("hex"),
    ];
    for (const transaction of invalid) expectError(await submitAltered(transaction), 400, "invalid_transaction");
    const urlSafe = standard.replaceAll("+", "-").replaceAll("/", "_");
    if (urlSafe !== standard) expectError(await submitAltered(urlSafe), 400, "invalid_transaction");
  });

  it("non-canonical base64 of the same bytes never counts as other bytes", async () => {
    await fresh();
    const standard = prepared.transaction;
    const padding = standard.endsWith("==") ? 2 : standard.endsWith("=") ? 1 : 0;
    if (padding === 0) {
      // The bytes fill the last group: there is one spelling only.
      expect(Buffer.from(standard, "base64").toString("base64")).toBe(standard);
      return;
    }
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const at = standard.length - padding - 1;
    const last = alphabet.indexOf(standard.charAt(at));
    const spelled = `${standard.slice(0, at)}${alphabet.charAt(last + 1)}${"=".repeat(padding)}`;
    expect(Buffer.from(spelled, "base64")).toEqual(Buffer.from(standard, "base64"));
    expectError(await submitAltered(spelled), 400, "invalid_transaction");
  });

  it("a transaction of 1,233 bytes is refused with the limit", async () => {
    await fresh();
    const large = Buffer.from(new Uint8Array(1_233)).toString("base64");
    expectError(await submitAltered(large), 400, "transaction_too_large");
    expectError(
      await trellis.post(`/accounts/${ada.address}/transactions`, { transaction: large }),
      400,
      "transaction_too_large",
    );
  });

  it("a version 1 transaction is refused, to submit and to wrap", async () => {
    await fresh();
    const bytes = bytesOf(prepared.transaction);
    const { messageBytes } = getTransactionDecoder().decode(bytes);
    const versionOne = Uint8Array.from(messageBytes);
    versionOne[0] = 0x81;
    const wire = getBase64Decoder().decode(
      Uint8Array.from([...bytes.subarray(0, bytes.length - messageBytes.length), ...versionOne]),
    );
    expectError(await submitAltered(wire), 400, "invalid_transaction");
    expectError(
      await trellis.post(`/accounts/${ada.address}/transactions`, { transaction: wire }),
      400,
      "invalid_transaction",
    );
  });

  it("random bytes handed in to be wrapped are refused, and never a fault of ours", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 1_300 }), async (bytes) => {
        const transaction = Buffer.from(bytes).toString("base64");
        const answered = await trellis.post(`/accounts/${ada.address}/transactions`, { transaction });
        expect(answered.status, JSON.stringify(answered.body)).toBe(400);
        expectErrorBody(answered);
      }),
      { numRuns: 40 },
    );
  });

  it("an instruction that points at an account the message does not list is refused", async () => {
    const own = await trellis.compose(ada.address, [
      {
        programAddress: payee,
        accounts: [{ address: ada.address, role: AccountRole.WRITABLE }],
        data: new Uint8Array(9),
      },
    ]);
    const message = messageOf(own);
    const astray = [{ accountIndices: [2] }, { accountIndices: [0, 255] }, { programAddressIndex: 9 }].map((change) =>
      toWire({ ...message, instructions: message.instructions.map((each) => ({ ...each, ...change })) }),
    );
    for (const transaction of astray) {
      const answered = await trellis.post(`/accounts/${ada.address}/transactions`, { transaction });
      expectError(answered, 400, "invalid_transaction");
      expectError(await submitAltered(transaction), 400, "invalid_transaction");
    }
  });

  it("a message whose header no node accepts is the caller's fault, not the chain's", async () => {
    const key = makeKey();
    const account = await trellis.client.accounts.create({ type: "signers", signers: [key.address], threshold: 1 });
    const call = executeTransactionSyncInstruction({
      settings: account.settings_address as Address,
      members: [key.address],
      instructions: [],
    });
    const message = messageOf(await trellis.compose(key.address, [call]));
    const unpaid = toWire({ ...message, header: { ...message.header, numReadonlySignerAccounts: 1 } });
    const answered = await trellis.submit(account.address, signWire(unpaid, [key]), []);
    expectError(answered, 400, "invalid_transaction");
  });

  it("a changed message handed in to be wrapped is answered, whatever it says", async () => {
    const own = await trellis.compose(ada.address, [
      {
        programAddress: payee,
        accounts: [{ address: ada.address, role: AccountRole.WRITABLE }],
        data: new Uint8Array(9),
      },
    ]);
    const bytes = bytesOf(own);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 66), fc.integer({ min: 1, max: 255 }), async (at, mask) => {
        const changed = Uint8Array.from(bytes);
        changed[65 + at] = (changed[65 + at] ?? 0) ^ mask;
        const transaction = getBase64Decoder().decode(changed);
        const answered = await trellis.post(`/accounts/${ada.address}/transactions`, { transaction });
        expect(answered.status, `${transaction} ${JSON.stringify(answered.body)}`).toBeLessThan(500);
      }),
      { numRuns: 80 },
    );
  });
});

describe("signatures inside the transaction", () => {
  it("one that does not verify is refused, the fee payer's always", async () => {
    await fresh();
    const bytes = bytesOf(prepared.transaction);
    for (const slot of [0, 1]) {
      const forged = Uint8Array.from(bytes);
      forged.fill(7, 1 + 64 * slot, 1 + 64 * (slot + 1));
      expectError(await submitAltered(getBase64Decoder().decode(forged)), 400, "invalid_signature");
    }
  });

  it("of a signers account: too few, foreign, or over other bytes is refused", async () => {
    const [first, second, stranger] = [makeKey(), makeKey(), makeKey()];
    const account = await trellis.client.accounts.create({
      type: "signers",
      signers: [first.address, second.address],
      threshold: 2,
    });
    await trellis.client.sandbox.airdrop({ address: account.address, currency: "sol", amount: "100000000" });
    const own = { address: account.address as Address };
    const wanted = { amount: "1000000", currency: "sol", to: payee };
    const one = await trellis.preparePayment(own, wanted);
    const two = await trellis.preparePayment(own, wanted);
    expect(one.kms_payloads).toEqual([]);
    expectError(await trellis.submit(own.address, one.transaction, []), 400, "missing_signature");
    const half = signWire(one.transaction, [first]);
    expectError(await trellis.submit(own.address, half, []), 400, "missing_signature");
    const spliced = bytesOf(two.transaction);
    spliced.set(bytesOf(signWire(one.transaction, [first, second])).subarray(0, 1 + 64 * 3));
    expectError(await trellis.submit(own.address, getBase64Decoder().decode(spliced), []), 400, "invalid_signature");
    // A transaction that only one of two signed, built so that it needs no more signatures than it has.
    await trellis.network.sandbox?.airdrop(stranger.address, 1_000_000_000n as never);
    const alone = executeTransactionSyncInstruction({
      settings: account.settings_address as Address,
      members: [first.address],
      instructions: [],
    });
    const wire = signWire(await trellis.compose(stranger.address, [alone]), [stranger, first]);
    expectError(await trellis.submit(own.address, wire, []), 403, "insufficient_permissions");
    dataOf(await trellis.submit(own.address, signWire(two.transaction, [first, second]), []));
  });
});

type Message = ReturnType<ReturnType<typeof getCompiledTransactionMessageDecoder>["decode"]>;

type LegacyOrV0 = Extract<Message, { version: 0 | "legacy" }>;

async function fresh(): Promise<{ prepared: PreparedTransfer; entries: readonly unknown[] }> {
  prepared = await trellis.preparePayment(ada, { amount: "1000000", currency: "sol", to: payee });
  entries = stamp(prepared, ada.session);
  return { prepared, entries };
}

/** The message of a wire transaction. */
function messageOf(base64: string): LegacyOrV0 {
  const { messageBytes } = getTransactionDecoder().decode(bytesOf(base64));
  return getCompiledTransactionMessageDecoder().decode(messageBytes) as LegacyOrV0;
}

function bytesOf(base64: string): Uint8Array {
  return getBase64Encoder().encode(base64) as Uint8Array;
}

/** A message as a wire transaction without signatures. */
function toWire(message: unknown): string {
  const bytes = getCompiledTransactionMessageEncoder().encode(message as never);
  const { numSignerAccounts: count } = (message as LegacyOrV0).header;
  return getBase64Decoder().decode(Uint8Array.from([count, ...new Uint8Array(64 * count), ...bytes]));
}

function submitAltered(transaction: string): Promise<Answered> {
  return trellis.submit(ada.address, transaction, entries);
}

const someAddress = (): Address => getAddressDecoder().decode(Uint8Array.from({ length: 32 }, (_, i) => i + 1));
