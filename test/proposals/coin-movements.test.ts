import { type Address, createNoopSigner, type Instruction } from "@solana/kit";
import {
  getApproveInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getTransferInstruction,
} from "@solana-program/token";
import { addressOfKey, TransactionMismatchError } from "@trellis/sdk";
import { deriveTokenAccount } from "@trellis/solana/token-address.js";
import { beforeAll, describe, expect, it } from "vitest";
import { usdcMint as mint, tokenProgram } from "../adversarial/support.js";
import { use, useTestService } from "../support/scene.js";
import { may, newKey, proposalsOf } from "./support.js";

const [owner, payee] = [newKey(), addressOfKey(newKey())];
const trellis = useTestService();
const account = use(() => proposalsOf(trellis).open({ signers: [may(owner)], threshold: 1 }, 10_000_000_000n));
const holder = use(async () => ({ account: account.address, keys: [owner] }));
beforeAll(() => trellis.client.sandbox.airdrop({ address: account.address, currency: "usdc", amount: "9000000" }));

describe("coins that move without their mint in the bytes", () => {
  it("are a transfer in the summary of a transaction of one's own", async () => {
    const transaction = await trellis.compose(vault(), [opening(), plainTransfer()]);
    const { summary } = await trellis.client.transactions.prepare(account.address, { transaction });
    expect(summary).toMatchObject([
      { type: "create_token_account" },
      { type: "transfer", from: vault(), to: payee, mint, amount: "4000000" },
    ]);
  });

  it("are one in a proposal, beside a delegate that is warned of, and are what the client agrees to", async () => {
    const { proposals } = trellis.client;
    const transaction = await trellis.compose(vault(), [opening(), plainTransfer(), approval()]);
    const content = { type: "custom", transaction } as const;
    const { proposalAddress: proposal } = await proposals.create({ ...holder, content });
    const { summary, warnings } = await proposals.get(account.address, proposal);
    expect(summary).toMatchObject([
      { type: "create_token_account" },
      { type: "transfer", mint, amount: "4000000" },
      { type: "approve_delegate", delegate: payee, mint, amount: "5000000" },
    ]);
    expect(warnings.map(({ code }) => code)).toContain("grants_delegate");
    const other = {
      type: "custom",
      transaction: await trellis.compose(vault(), [opening(), plainTransfer()]),
    } as const;
    await expect(proposals.vote({ ...holder, proposal, action: "approve", content: other })).rejects.toThrow(
      TransactionMismatchError,
    );
    await proposals.voteAndExecute({ ...holder, proposal, content });
  });
});

const vault = () => account.address as Address;

const tokensOf = (who: Address) => deriveTokenAccount(who, mint, tokenProgram);

const opening = () =>
  getCreateAssociatedTokenIdempotentInstruction({
    payer: createNoopSigner(vault()),
    ata: tokensOf(payee),
    owner: payee,
    mint,
    tokenProgram,
  });

/** As most scripts write it: without the mint and its decimals. */
const plainTransfer = (): Instruction =>
  getTransferInstruction({
    source: tokensOf(vault()),
    destination: tokensOf(payee),
    authority: createNoopSigner(vault()),
    amount: 4_000_000n,
  });

const approval = (): Instruction =>
  getApproveInstruction({
    source: tokensOf(vault()),
    delegate: payee,
    owner: createNoopSigner(vault()),
    amount: 5_000_000n,
  });
