import { AccountRole, type Address, type Instruction } from "@solana/kit";
import * as token from "@solana/spl-token";
import * as web3 from "@solana/web3.js";
import { memoInstruction } from "@trellis/solana/memo.js";
import { describe, expect, it } from "vitest";
import {
  anAddress,
  feePayer,
  mint,
  ofKind,
  opaqueOf,
  payee,
  payment,
  smartAccount,
  sol,
  tokenAccountOf,
  wallet,
} from "../../../test/support/custodian-messages.js";
import { classify } from "./classify.js";

const key = (address: string) => new web3.PublicKey(address);

const toTheirs = ({ programAddress, accounts = [], data = new Uint8Array(0) }: Instruction) =>
  new web3.TransactionInstruction({
    programId: key(programAddress),
    keys: accounts.map(({ address, role }) => ({
      pubkey: key(address),
      isSigner: role >= AccountRole.READONLY_SIGNER,
      isWritable: role === AccountRole.WRITABLE || role === AccountRole.WRITABLE_SIGNER,
    })),
    data: Buffer.from(data),
  });

const toOurs = ({ programId, keys, data }: web3.TransactionInstruction): Instruction => ({
  programAddress: programId.toBase58() as Address,
  accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({
    address: pubkey.toBase58() as Address,
    role: (isSigner ? 2 : 0) + (isWritable ? 1 : 0),
  })),
  data: Uint8Array.from(data),
});

const to = tokenAccountOf(payee);
const transfer = toOurs(
  token.createTransferCheckedInstruction(
    key(tokenAccountOf(smartAccount)),
    key(mint),
    key(to),
    key(smartAccount),
    7n,
    6,
  ),
);
const open = toOurs(
  token.createAssociatedTokenAccountIdempotentInstruction(key(feePayer), key(to), key(payee), key(mint)),
);

const compose = (instructions: readonly Instruction[]) =>
  new web3.TransactionMessage({
    payerKey: key(feePayer),
    recentBlockhash: anAddress(99),
    instructions: [web3.ComputeBudgetProgram.setComputeUnitLimit({ units: 200_000 }), ...instructions.map(toTheirs)],
  });

describe("a message that other libraries compose", () => {
  it.each(["legacy", "v0"])("is read in %s form", (form) => {
    const composed = compose([payment(open, transfer), memoInstruction("rent")]);
    const bytes = form === "v0" ? composed.compileToV0Message() : composed.compileToLegacyMessage();
    const facts = classify(bytes.serialize(), wallet);
    expect(facts.map(({ kind }) => kind)).toEqual(["harmless", "harmless", "transfer", "harmless"]);
    expect(ofKind(facts, "transfer")).toMatchObject([{ amountBaseUnits: 7n, destination: { owner: payee } }]);
  });

  it("is opaque with a lookup table", () => {
    const table = new web3.AddressLookupTableAccount({
      key: key(anAddress(60)),
      state: {
        deactivationSlot: 2n ** 64n - 1n,
        lastExtendedSlot: 0,
        lastExtendedSlotStartIndex: 0,
        addresses: [key(payee)],
      },
    });
    const bytes = compose([payment(sol(5n))])
      .compileToV0Message([table])
      .serialize();
    expect(opaqueOf(classify(bytes, wallet))).toEqual(["lookup_table"]);
  });
});
