/** Policies as the public program stores and removes them. */
import type { Address } from "@solana/kit";
import {
  decodePolicy,
  deriveEarlyPolicyAddress,
  executeSettingsTransactionSyncInstruction,
  readProgramInstruction,
  SmartAccountProgramInstruction,
} from "@trellis/program-client";
import { expect, it } from "vitest";
import { readVectors, type Vector } from "../../program/test/support/conformance.js";
import { instructionsOf } from "./recorded-transaction.js";

it("a policy that was recorded is read, with its address of the form it was made in", () => {
  const { post } = recorded("create a policy (internal transfers)").expect;
  const [address, account] = Object.entries(post).find(([, held]) => held?.data.startsWith("3ocHo")) ?? [];
  const data = Uint8Array.from(Buffer.from(account?.data ?? "", "base64"));
  const policy = decodePolicy(address as Address, data);
  expect(policy).toMatchObject({ kind: "internalFundTransfer", seed: 1n, threshold: 1, rentCollector: null });
  expect(address).toBe(deriveEarlyPolicyAddress(policy.settings, 1n));
});

it("the removal that was recorded is the one this client builds, byte by byte and account by account", () => {
  const vector = recorded("remove the policy");
  const [instruction] = instructionsOf(vector);
  const parsed = instruction && readProgramInstruction(instruction);
  if (parsed?.instructionType !== SmartAccountProgramInstruction.ExecuteSettingsTransactionSync) {
    throw new Error("another instruction was recorded");
  }
  const { accounts, data } = parsed;
  const members = (instruction?.accounts ?? []).slice(4, 4 + data.numSigners).map(({ address }) => address);
  const rentPayer = accounts.rentPayer?.address;
  if (rentPayer === undefined) throw new Error("nobody pays");
  const settings = accounts.consensusAccount.address;
  const own = executeSettingsTransactionSyncInstruction({ settings, members, rentPayer, actions: data.actions });
  expect(data.actions).toMatchObject([{ __kind: "PolicyRemove" }]);
  expect(Buffer.from(own.data).toString("hex")).toBe(Buffer.from(instruction?.data ?? []).toString("hex"));
  expect(own.accounts).toEqual(instruction?.accounts);
  // Of this form the rent is paid to the payer of the change.
  const [policy] = data.actions.flatMap((action) => (action.__kind === "PolicyRemove" ? [action.policy] : []));
  expect(vector.expect.post[policy ?? ""]).toBeNull();
  const lamportsOf = (account: { lamports: string } | null | undefined) => BigInt(account?.lamports ?? 0);
  const fees = 5_000n * 3n;
  expect(lamportsOf(vector.expect.post[rentPayer])).toBe(
    lamportsOf(vector.accounts[rentPayer]) + lamportsOf(vector.accounts[policy ?? ""]) - fees,
  );
});

function recorded(title: string): Vector {
  const found = readVectors().find(({ name }) => name.includes(title));
  if (found === undefined) throw new Error(`nothing recorded: ${title}`);
  return found;
}
