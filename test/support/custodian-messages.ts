import { AccountRole, type Address, type Instruction, type ReadonlyUint8Array } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import {
  getCreateAssociatedTokenIdempotentInstruction,
  getTransferCheckedInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from "@solana-program/token";
import {
  addressOfBytes,
  compileWrappedMessage,
  createProposalInstruction,
  createTransactionInstruction,
  deriveSettingsAddress,
  deriveSmartAccountAddress,
  executeSettingsTransactionSyncInstruction,
  executeTransactionSyncInstruction,
  type SettingsActionArgs,
  voteInstruction,
} from "@trellis/program-client";
import { asSigner } from "@trellis/program-client/plain-instruction.js";
import { compileMessage } from "@trellis/solana/compile-message.js";
import { deriveTokenAccount } from "@trellis/solana/token-address.js";
import type { Fact } from "../../src/custodian/policy/facts.js";

/** An address that is nothing on any chain. */
export const anAddress = (n: number): Address => addressOfBytes(new Uint8Array(32).fill(n));

export const wallet = anAddress(11);
export const otherMember = anAddress(12);
export const feePayer = anAddress(13);
export const payee = anAddress(14);
export const mint = anAddress(15);
export const recovery = anAddress(16);
export const settings = deriveSettingsAddress(1n);
export const smartAccount = deriveSmartAccountAddress(settings);
const source = deriveTokenAccount(smartAccount, mint, TOKEN_PROGRAM_ADDRESS);
export const tokenAccountOf = (owner: Address, ofMint = mint) =>
  deriveTokenAccount(owner, ofMint, TOKEN_PROGRAM_ADDRESS);

const blockhash = anAddress(99);
export const messageOf = (instructions: readonly Instruction[], { payer = feePayer, lifetime = blockhash } = {}) =>
  compileMessage(payer, lifetime, instructions).messageBytes;

export const sol = (amount: bigint, to: Address = payee): Instruction =>
  getTransferSolInstruction({ source: asSigner(smartAccount), destination: to, amount });

export const tokens = (amount: bigint, to: Address = tokenAccountOf(payee), of = mint): Instruction =>
  getTransferCheckedInstruction({
    source,
    mint: of,
    destination: to,
    authority: asSigner(smartAccount),
    amount,
    decimals: 6,
  });

export const opening = (owner: Address = payee, payer = feePayer): Instruction =>
  getCreateAssociatedTokenIdempotentInstruction({
    payer: asSigner(payer),
    ata: tokenAccountOf(owner),
    owner,
    mint,
  });

/** A payment by both members at once. */
export const payment = (...instructions: readonly Instruction[]): Instruction =>
  executeTransactionSyncInstruction({ settings, members: [otherMember, wallet], instructions });

export const settingsChange = (...actions: readonly SettingsActionArgs[]): Instruction =>
  executeSettingsTransactionSyncInstruction({ settings, members: [otherMember, wallet], rentPayer: feePayer, actions });

export const addSigner = (key: Address, permissions = 7): SettingsActionArgs => ({
  __kind: "AddSigner",
  newSigner: { key, permissions },
});

/** What a vote is opened on, and the wallet's approval. */
export function proposed(instructions: readonly Instruction[], transactionIndex = 1n): readonly Instruction[] {
  const common = { settings, transactionIndex, creator: wallet, rentPayer: feePayer };
  return [
    createTransactionInstruction({ ...common, message: compileWrappedMessage(smartAccount, instructions) }),
    createProposalInstruction(common),
    approval(transactionIndex),
  ];
}

export const approval = (transactionIndex = 1n): Instruction =>
  voteInstruction({ action: "approve", settings, transactionIndex, signer: wallet });

/** An instruction that nobody knows. */
export const unknownCall = (accounts: readonly Address[] = []): Instruction => ({
  programAddress: anAddress(77),
  accounts: accounts.map((address) => ({ address, role: AccountRole.READONLY_SIGNER })),
  data: Uint8Array.of(1, 2, 3),
});

export const withData = (instruction: Instruction, change: (data: Uint8Array) => ReadonlyUint8Array): Instruction => ({
  ...instruction,
  data: change(Uint8Array.from(instruction.data ?? [])),
});

export const opaqueOf = (facts: readonly Fact[]) =>
  facts.flatMap((fact) => (fact.kind === "opaque" ? [fact.reason] : []));

export const ofKind = <K extends Fact["kind"]>(facts: readonly Fact[], kind: K) =>
  facts.filter((fact): fact is Extract<Fact, { kind: K }> => fact.kind === kind);
