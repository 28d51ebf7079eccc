import { AccountRole, type Instruction } from "@solana/kit";
import { Period, SMART_ACCOUNT_PROGRAM_ADDRESS, ZERO_ADDRESS } from "@trellis/program-client";
import * as client from "@trellis/program-client/generated/instructions/index.js";
import { asSigner as s } from "@trellis/program-client/plain-instruction.js";
import { describe, expect, it } from "vitest";
import {
  addSigner,
  anAddress,
  feePayer,
  messageOf,
  mint,
  opaqueOf,
  payee,
  payment,
  proposed,
  settings,
  settingsChange,
  smartAccount,
  sol,
  wallet,
  withData,
} from "../../../test/support/custodian-messages.js";
import { classify } from "./classify.js";

const memo = null;
const [proposal, transaction] = [anAddress(50), anAddress(51)];
const admin = { settings, settingsAuthority: s(wallet), rentPayer: s(feePayer), systemProgram: ZERO_ADDRESS, memo };
const vote = { consensusAccount: settings, signer: s(wallet), proposal, memo };
const stored = { settings, proposal, transaction };
const making = { creator: s(wallet), rentPayer: s(feePayer) };
const limit = { seed: anAddress(40), accountIndex: 0, mint, amount: 1n, period: Period.Day, expiration: 9n };
const collectors = { proposalRentCollector: feePayer, transactionRentCollector: feePayer };
const buffered = { consensusAccount: settings, transactionBuffer: anAddress(52), creator: s(wallet) };
const config = { programConfig: anAddress(53), authority: s(wallet) };
const batch = { settings, batch: anAddress(54), transaction, proposal };
const none = new Uint8Array(0);
const storedArgs = {
  __kind: "TransactionPayload",
  accountIndex: 0,
  ephemeralSigners: 0,
  transactionMessage: new Uint8Array(6),
  memo,
} as const;

type Row = readonly [name: string, instruction: Instruction, kinds: readonly string[]];

const read: readonly Row[] = [
  ["executeTransactionSyncV2", payment(sol(1n)), ["transfer"]],
  ["executeSettingsTransactionSync", settingsChange(addSigner(payee)), ["settings_change"]],
  [
    "useSpendingLimit",
    client.getUseSpendingLimitInstruction({
      settings,
      signer: s(wallet),
      spendingLimit: anAddress(55),
      smartAccount,
      destination: payee,
      systemProgram: ZERO_ADDRESS,
      amount: 1n,
      decimals: 9,
      memo,
    }),
    ["transfer"],
  ],
  ["createTransaction", proposed([sol(1n)])[0] as Instruction, ["step", "transfer"]],
  [
    "createSettingsTransaction",
    client.getCreateSettingsTransactionInstruction({
      settings,
      transaction,
      ...making,
      actions: [addSigner(payee)],
      memo,
    }),
    ["step", "settings_change"],
  ],
  ["createProposal", proposed([sol(1n)])[1] as Instruction, ["step"]],
  ["activateProposal", client.getActivateProposalInstruction({ settings, signer: s(wallet), proposal }), ["step"]],
  ["approveProposal", client.getApproveProposalInstruction(vote), ["step"]],
  ["rejectProposal", client.getRejectProposalInstruction(vote), ["step"]],
  ["cancelProposal", client.getCancelProposalInstruction(vote), ["step"]],
  [
    "closeTransaction",
    client.getCloseTransactionInstruction({ ...stored, consensusAccount: settings, ...collectors }),
    ["step"],
  ],
  ["closeSettingsTransaction", client.getCloseSettingsTransactionInstruction({ ...stored, ...collectors }), ["step"]],
  [
    "addSignerAsAuthority",
    client.getAddSignerAsAuthorityInstruction({ ...admin, newSigner: { key: payee, permissions: 7 } }),
    ["settings_change"],
  ],
  [
    "removeSignerAsAuthority",
    client.getRemoveSignerAsAuthorityInstruction({ ...admin, oldSigner: payee }),
    ["settings_change"],
  ],
  [
    "changeThresholdAsAuthority",
    client.getChangeThresholdAsAuthorityInstruction({ ...admin, newThreshold: 1 }),
    ["settings_change"],
  ],
  [
    "setTimeLockAsAuthority",
    client.getSetTimeLockAsAuthorityInstruction({ ...admin, timeLock: 1 }),
    ["settings_change"],
  ],
  [
    "setNewSettingsAuthorityAsAuthority",
    client.getSetNewSettingsAuthorityAsAuthorityInstruction({ ...admin, newSettingsAuthority: payee }),
    ["settings_change"],
  ],
  [
    "addSpendingLimitAsAuthority",
    client.getAddSpendingLimitAsAuthorityInstruction({
      ...admin,
      ...limit,
      spendingLimit: anAddress(55),
      signers: [payee],
      destinations: [payee],
    }),
    ["settings_change"],
  ],
  [
    "removeSpendingLimitAsAuthority",
    client.getRemoveSpendingLimitAsAuthorityInstruction({
      settings,
      settingsAuthority: s(wallet),
      spendingLimit: anAddress(55),
      rentCollector: feePayer,
      memo,
    }),
    ["settings_change"],
  ],
];

const notRead: readonly Row[] = [
  [
    "executeTransactionSync",
    client.getExecuteTransactionSyncInstruction({
      consensusAccount: settings,
      accountIndex: 0,
      numSigners: 1,
      instructions: Uint8Array.of(0),
      members: [s(wallet)],
    } as never),
    ["unknown_instruction"],
  ],
  [
    "setArchivalAuthorityAsAuthority",
    client.getSetArchivalAuthorityAsAuthorityInstruction({ ...admin, newArchivalAuthority: payee }),
    ["unknown_instruction"],
  ],
  [
    "executeTransaction",
    client.getExecuteTransactionInstruction({ ...stored, consensusAccount: settings, signer: s(wallet) }),
    ["stored_content"],
  ],
  [
    "executeSettingsTransaction",
    client.getExecuteSettingsTransactionInstruction({ ...stored, signer: s(wallet) }),
    ["stored_content"],
  ],
  [
    "executeBatchTransaction",
    client.getExecuteBatchTransactionInstruction({ ...batch, signer: s(wallet) }),
    ["stored_content"],
  ],
  ["createBatch", client.getCreateBatchInstruction({ ...batch, ...making, accountIndex: 0, memo }), ["batch"]],
  [
    "addTransactionToBatch",
    client.getAddTransactionToBatchInstruction({
      ...batch,
      signer: s(wallet),
      rentPayer: s(feePayer),
      ephemeralSigners: 0,
      transactionMessage: none,
    }),
    ["batch"],
  ],
  [
    "closeBatchTransaction",
    client.getCloseBatchTransactionInstruction({ ...batch, rentCollector: feePayer }),
    ["batch"],
  ],
  [
    "closeBatch",
    client.getCloseBatchInstruction({ ...batch, proposalRentCollector: feePayer, batchRentCollector: feePayer }),
    ["batch"],
  ],
  [
    "createTransactionBuffer",
    client.getCreateTransactionBufferInstruction({
      ...buffered,
      rentPayer: s(feePayer),
      bufferIndex: 0,
      accountIndex: 0,
      finalBufferHash: new Uint8Array(32),
      finalBufferSize: 1,
      buffer: none,
    }),
    ["buffer"],
  ],
  ["extendTransactionBuffer", client.getExtendTransactionBufferInstruction({ ...buffered, buffer: none }), ["buffer"]],
  ["closeTransactionBuffer", client.getCloseTransactionBufferInstruction(buffered), ["buffer"]],
  [
    "createTransactionFromBuffer",
    client.getCreateTransactionFromBufferInstruction({
      ...buffered,
      transaction,
      fromBufferCreator: s(wallet),
      rentPayer: s(feePayer),
      args: storedArgs,
    } as never),
    ["buffer"],
  ],
  [
    "createSmartAccount",
    client.getCreateSmartAccountInstruction({
      programConfig: anAddress(53),
      treasury: anAddress(56),
      creator: s(feePayer),
      settingsAuthority: null,
      threshold: 1,
      signers: [{ key: wallet, permissions: 7 }],
      timeLock: 0,
      rentCollector: null,
      memo,
      candidates: [settings],
    } as never),
    ["account_creation"],
  ],
  [
    "initializeProgramConfig",
    client.getInitializeProgramConfigInstruction({
      programConfig: anAddress(53),
      initializer: s(wallet),
      authority: wallet,
      smartAccountCreationFee: 0n,
      treasury: wallet,
    }),
    ["program_administration"],
  ],
  [
    "setProgramConfigAuthority",
    client.getSetProgramConfigAuthorityInstruction({ ...config, newAuthority: payee }),
    ["program_administration"],
  ],
  [
    "setProgramConfigSmartAccountCreationFee",
    client.getSetProgramConfigSmartAccountCreationFeeInstruction({ ...config, newSmartAccountCreationFee: 1n }),
    ["program_administration"],
  ],
  [
    "setProgramConfigTreasury",
    client.getSetProgramConfigTreasuryInstruction({ ...config, newTreasury: payee }),
    ["program_administration"],
  ],
  ["logEvent", client.getLogEventInstruction({ logAuthority: s(wallet), event: none }), ["program_administration"]],
];

describe("every instruction of the program", () => {
  // Behind each stands a payment, so that every message asks for the wallet.
  const factsOf = (instruction: Instruction) =>
    classify(messageOf([instruction, payment(sol(1n))]), wallet).slice(0, -1);

  it.each([...read, ...notRead])("%s", (_, instruction, kinds) => {
    expect(factsOf(instruction).map((fact) => (fact.kind === "opaque" ? fact.reason : fact.kind))).toEqual(kinds);
  });

  it("is in these tables", () => {
    const known = Object.keys(client).flatMap((name) => /^get(\w+)Instruction$/.exec(name)?.[1] ?? []);
    const named = new Set([...read, ...notRead].map(([name]) => name.toLowerCase()));
    expect(known.filter((name) => !named.has(name.toLowerCase()))).toEqual([]);
  });

  it.each(read)("%s is opaque with a byte or an account more, or with an account less", (_, instruction) => {
    const accounts = instruction.accounts ?? [];
    const more = [...accounts, { address: anAddress(70), role: AccountRole.WRITABLE }];
    const longer = withData(instruction, (data) => Uint8Array.from([...data, 0]));
    for (const changed of [
      longer,
      { ...instruction, accounts: more },
      { ...instruction, accounts: accounts.slice(0, -1) },
    ]) {
      expect(opaqueOf(factsOf(changed))).toEqual(["malformed"]);
    }
  });

  it("is opaque with the payload of a policy", () => {
    const instruction = client.getExecuteTransactionSyncV2Instruction({
      consensusAccount: settings,
      accountIndex: 0,
      numSigners: 1,
      payload: { __kind: "Policy", encoded: Uint8Array.of(1) } as never,
      members: [s(wallet)],
    });
    expect(opaqueOf(factsOf(instruction))).toHaveLength(1);
  });

  it("of a later release is opaque", () => {
    const later = { programAddress: SMART_ACCOUNT_PROGRAM_ADDRESS, accounts: [], data: new Uint8Array(40).fill(9) };
    expect(opaqueOf(factsOf(later))).toEqual(["unknown_instruction"]);
  });
});
