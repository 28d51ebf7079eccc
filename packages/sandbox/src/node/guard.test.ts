import {
  address,
  appendTransactionMessageInstruction,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getTransactionEncoder,
  pipe,
  setTransactionMessageConfig,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit";
import { describe, expect, it } from "vitest";
import { addressOf } from "./address-bytes.js";
import { checkMessage, checkTransaction } from "./guard.js";

describe("the gate before the VM", () => {
  it("lets the three versions through and names what they hold", () => {
    for (const version of ["legacy", 0, 1] as const) {
      const { message, signature, signatures } = checkTransaction(build(version));
      expect(message).toMatchObject({ version, signerCount: 1, staticAddresses: [payer, program], blockhash });
      expect(message.instructions).toEqual([{ programIndex: 1, accountIndexes: [], data: new Uint8Array(3) }]);
      expect(message.priorityFeeLamports).toBe(version === 1 ? 7n : 0n);
      expect(signatures).toEqual([signature]);
      expect(signature).toBe("1".repeat(64));
    }
  });

  it("refuses bytes that are cut, extended, or not the canonical encoding", () => {
    const wire = build("legacy");
    expect(() => checkTransaction(wire.subarray(0, -1))).toThrow(refused);
    expect(() => checkTransaction(Uint8Array.of(...wire, 0))).toThrow(refused);
    expect(() => checkTransaction(new Uint8Array())).toThrow(refused);
    // The same count of signatures in two bytes instead of one.
    expect(() => checkTransaction(Uint8Array.of(0x81, 0x00, ...wire.subarray(1)))).toThrow(refused);
    expect(() => checkMessage(wire.subarray(messageStart, -1))).toThrow(refused);
  });

  it("refuses what does not fit into a packet, unless it is version 1", () => {
    const overhead = build(0, 200).length - 200;
    expect(() => checkTransaction(build(0, 1_232 - overhead))).not.toThrow();
    expect(() => checkTransaction(build(0, 1_233 - overhead))).toThrow(refused);
    expect(() => checkTransaction(build(1, 3_000))).not.toThrow();
    expect(() => checkTransaction(new Uint8Array(4_097))).toThrow(refused);
  });

  it("refuses indexes and headers that point outside the accounts", () => {
    const wire = build("legacy");
    expect(wire[programIndexAt]).toBe(1);
    for (const programIndex of [0, 2, 255]) {
      expect(() => checkTransaction(changed(wire, programIndexAt, programIndex))).toThrow(refused);
    }
    const headers = [
      [0, 0, 1],
      [1, 1, 0],
      [1, 0, 2],
      [2, 0, 1],
      [255, 255, 255],
    ];
    for (const header of headers) {
      const forged = Uint8Array.from(wire);
      forged.set(header, messageStart);
      expect(() => checkTransaction(forged), header.join()).toThrow(refused);
    }
  });

  it("refuses version 1 configurations that the VM cannot read", () => {
    const wire = build(1);
    const maskAt = 4;
    expect(wire[maskAt]).toBe(0b11);
    for (const mask of [0b01, 0b10, 0b100011, 0b10000011]) {
      expect(() => checkTransaction(changed(wire, maskAt, mask)), String(mask)).toThrow(refused);
    }
  });
});

const payer = addressOf(new Uint8Array(32).fill(1));
const blockhash = addressOf(new Uint8Array(32).fill(2)) as string as Blockhash;
const program = address("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr");
const signatureCountLength = 1;
const messageStart = signatureCountLength + 64;
// Of a legacy message with two accounts: header, count, accounts, blockhash, count, then the program's position.
const programIndexAt = messageStart + 3 + 1 + 2 * 32 + 32 + 1;

const refused = expect.objectContaining({ code: -32602 });

function build(version: "legacy" | 0 | 1, dataLength = 3): Uint8Array {
  const message = pipe(
    createTransactionMessage({ version: version as 0 }),
    (empty) => setTransactionMessageFeePayer(payer, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash({ blockhash, lastValidBlockHeight: 0n }, paid),
    (timed) =>
      appendTransactionMessageInstruction({ programAddress: program, data: new Uint8Array(dataLength) }, timed),
    (full) => (version === 1 ? setTransactionMessageConfig({ priorityFeeLamports: 7n }, full as never) : full),
  );
  return new Uint8Array(getTransactionEncoder().encode(compileTransaction(message as typeof message & { version: 0 })));
}

const changed = (wire: Uint8Array, at: number, value: number): Uint8Array => {
  const copy = Uint8Array.from(wire);
  copy[at] = value;
  return copy;
};
