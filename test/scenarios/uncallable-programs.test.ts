import type { Address, Instruction } from "@solana/kit";
import { executeTransactionSyncInstruction } from "@trellis/program-client";
import { describe, expect, it } from "vitest";
import { expectError, makeKey, type OwnKey, signWire } from "../adversarial/support.js";
import { use, useTestService } from "../support/scene.js";

/** What the chain lets no program call cannot be called by a smart account, and is refused with this reason. */
const member: OwnKey = makeKey();
const trellis = useTestService();
const account = use(openAccount);

describe("a call that no program may make", () => {
  it.each(calls)(
    "is refused with the reason, in a transaction of one's own and in a proposal: %s",
    async (_, ...call) => {
      const transaction = await own(callOf(...call));
      const path = `/accounts/${account.address}`;
      const proposal = { type: "custom", signer: member.address };
      for (const answered of [
        await trellis.post(`${path}/transactions`, { transaction }),
        await trellis.post(`${path}/proposals`, { ...proposal, transaction }),
      ]) {
        expectError(answered, 400, "invalid_transaction");
        const { message, details } = answered.body as { message: string; details: { program?: string }[] };
        expect(message).toContain(call[0]);
        expect(message).toMatch(/no program/);
        expect(details[0]).toMatchObject({ field: "transaction", program: call[0] });
      }
    },
  );

  it.each(calls)("is refused in what was built elsewhere, and would fail there: %s", async (_, ...call) => {
    const wrapped = executeTransactionSyncInstruction({
      settings: account.settings,
      members: [member.address],
      instructions: [callOf(...call)],
    });
    const transaction = signWire(await trellis.compose(member.address, [wrapped]), [member]);
    expectError(await trellis.submit(account.address, transaction, []), 400, "invalid_transaction");
    const { value } = await trellis.network.rpc
      .simulateTransaction(transaction as never, { encoding: "base64" })
      .send();
    expect(value.err, String(value.logs?.join("\n"))).not.toBeNull();
    expect(String(value.logs?.join("\n"))).toMatch(/not supported by inner instructions/);
  });
});

async function openAccount() {
  const opened = await trellis.client.accounts.create({ type: "signers", signers: [member.address], threshold: 1 });
  const account = { address: opened.address as Address, settings: opened.settings_address as Address };
  for (const address of [account.address, member.address]) {
    await trellis.client.sandbox.airdrop({ address, currency: "sol", amount: "1000000000" });
  }
  return account;
}

const ed25519 = "Ed25519SigVerify111111111111111111111111111";
const loader = "BPFLoaderUpgradeab1e11111111111111111111111";
const calls: [string, string, number[]][] = [
  ["Ed25519 signatures", ed25519, [0, 0]],
  ["secp256k1 signatures", "KeccakSecp256k11111111111111111111111111111", [0]],
  ["secp256r1 signatures", "Secp256r1SigVerify1111111111111111111111111", [0, 0]],
  ["the loader of loaders", "NativeLoader1111111111111111111111111111111", []],
  ["the first loader", "BPFLoader1111111111111111111111111111111111", [0]],
  ["the second loader", "BPFLoader2111111111111111111111111111111111", [0]],
  ["a new buffer for a program", loader, [0, 0, 0, 0]],
  ["a write to a program's buffer", loader, [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
  ["a deployment", loader, [2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
];

const callOf = (program: string, data: number[]): Instruction => ({
  programAddress: program as Address,
  accounts: [],
  data: Uint8Array.from(data),
});

/** An own transaction of the account. */
const own = (instruction: Instruction) => trellis.compose(account.address, [instruction]);
