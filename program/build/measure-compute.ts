/**
 * Measures the compute units of every instruction on the real VM and writes program/COMPUTE.md.
 * Run with: npx tsx program/build/measure-compute.ts; with --check it only says whether the page is current.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { concat, counted, u8, u16, u32 } from "../test/support/bytes.js";
import { call } from "../test/support/calls.js";
import { activateProposal, close, createSmartAccount, executeSync } from "../test/support/instructions.js";
import { named, PROGRAM, SYSTEM } from "../test/support/keys.js";
import { createLedger, FEE_PAYER, type Instruction } from "../test/support/ledger.js";
import { syncPayload, transferData, transferMessage, wrappedMessage } from "../test/support/messages.js";
import { r, s, w, ws } from "../test/support/metas.js";
import { createPasskeyScene, innerOf } from "../test/support/passkeys.js";
import { pda } from "../test/support/pda.js";
import {
  action,
  addLimitAsAuthority,
  asAuthority,
  executeSettings,
  executeSettingsSync,
  type Member,
  removeLimitAsAuthority,
  useLimit,
} from "../test/support/settings-instructions.js";
import { openAccount } from "../test/support/smart-account.js";

const COUNTS = [1, 2, 3, 5, 10] as const;
const PAYEE = named("payee");
const AUTHORITY = named("authority");
const SERVICE = named("service");
const SEED = named("limit");
const LIMIT = { seed: SEED, amount: 1_000_000n, period: 1, signers: [SERVICE], destinations: [PAYEE] };

/** Members with every permission; all of them have to agree. */
const membersOf = (count: number): Member[] =>
  Array.from({ length: count }, (_, i) => ({ key: named(`member ${i}`), mask: 7 }));

/** Compute units by instruction for one number of members, every one of whom is needed. */
async function measure(count: number): Promise<Map<string, number>> {
  const ledger = await createLedger();
  const units = new Map<string, number>();
  const send = (name: string, instruction: Instruction): void => {
    const outcome = ledger.send(instruction);
    if (outcome.error !== undefined) throw new Error(`${name}: ${outcome.error.text}`);
    if (name !== "") units.set(name, outcome.computeUnits);
  };
  const members = membersOf(count);
  const keys = members.map((member) => member.key);
  const [first] = keys;
  if (first === undefined) throw new Error("no members");
  const config = { members, threshold: count };

  const candidates = [(await pda.settings(3)).key];
  const account = await openAccount(ledger, config);
  const controlled = await openAccount(ledger, { ...config, threshold: 1, authority: AUTHORITY });
  send("create_smart_account", await createSmartAccount({ ...config, candidates }));
  ledger.set(PAYEE, { lamports: 10_000_000n });

  const pay = { settings: account.settings, members: keys };
  const payload = (offset: number) =>
    syncPayload([{ program: offset + 2, accounts: [offset, offset + 1], data: transferData(1_000_000) }]);
  const accounts = [w(account.vault), w(PAYEE), r(SYSTEM)];
  send("execute_transaction_sync_v2, SOL transfer", executeSync({ ...pay, accounts, payload: payload(0) }));
  send(
    "execute_transaction_sync, SOL transfer",
    executeSync({ ...pay, accounts, payload: payload(count), legacy: true }),
  );

  send(
    "create_transaction, SOL transfer",
    await account.createTransaction(first, transferMessage(account.vault, PAYEE, 1_000_000)),
  );
  send("create_proposal", await account.propose(first, 1));
  for (const key of keys) send("approve_proposal, the last", await account.vote("approve", key, 1));
  send("execute_transaction, SOL transfer", await account.executeTransfer(first, 1, PAYEE));
  const closing = async (kind: Parameters<typeof close>[0]["kind"], index: number) =>
    close({
      kind,
      settings: account.settings,
      proposal: await account.proposalKey(index),
      transaction: await account.transactionKey(index),
    });
  send("close_transaction", await closing("close_transaction", 1));

  send("", await account.createTransaction(first, transferMessage(account.vault, PAYEE, 1_000_000)));
  send("", await account.propose(first, 2, { draft: true }));
  send("activate_proposal", activateProposal(account.settings, first, await account.proposalKey(2)));
  send("reject_proposal, the first", await account.vote("reject", first, 2));

  send("", await account.createTransaction(first, transferMessage(account.vault, PAYEE, 1_000_000)));
  send("", await account.propose(first, 3));
  for (const key of keys) send("", await account.vote("approve", key, 3));
  send("cancel_proposal, the first", await account.vote("cancel", first, 3));

  const limit = await account.limitKey(SEED);
  const newMember = action.addSigner({ key: named("new member"), mask: 2 });
  send("create_settings_transaction, add a member", await account.createSettings(first, [newMember]));
  send("", await account.propose(first, 4));
  for (const key of keys) send("", await account.vote("approve", key, 4));
  const execution = {
    settings: account.settings,
    signer: first,
    proposal: await account.proposalKey(4),
    transaction: await account.transactionKey(4),
    payer: FEE_PAYER,
  };
  send("execute_settings_transaction, add a member", executeSettings(execution));
  send("close_settings_transaction", await closing("close_settings_transaction", 4));
  const change = { settings: account.settings, members: keys, payer: FEE_PAYER };
  send(
    "execute_settings_transaction_sync, remove a member",
    executeSettingsSync({ ...change, actions: [action.removeSigner(named("new member"))] }),
  );
  send(
    "execute_settings_transaction_sync, add a spending limit",
    executeSettingsSync({ ...change, actions: [action.addSpendingLimit(LIMIT)], limits: [limit] }),
  );
  send(
    "use_spending_limit, SOL",
    useLimit({
      settings: account.settings,
      signer: SERVICE,
      limit,
      vault: account.vault,
      destination: PAYEE,
      amount: 1000n,
    }),
  );
  send(
    "execute_settings_transaction_sync, remove a spending limit",
    executeSettingsSync({ ...change, actions: [action.removeSpendingLimit(limit)], limits: [limit] }),
  );

  const transfer = wrappedMessage(transferMessage(account.vault, PAYEE, 1_000_000));
  const opening = [s(first), ws(FEE_PAYER), r(SYSTEM)];
  const batch = await account.transactionKey(5);
  const proposal = await account.proposalKey(5);
  const { key: item } = await pda.batchTransaction(account.settings, 5, 1);
  const { settings, vault } = account;
  send("create_batch", call("create_batch", [w(settings), w(batch), ...opening], u8(0), u8(0)));
  send("", await account.propose(first, 5, { draft: true }));
  send(
    "add_transaction_to_batch, SOL transfer",
    call(
      "add_transaction_to_batch",
      [r(settings), r(proposal), w(batch), w(item), ...opening],
      u8(0),
      counted(transfer),
    ),
  );
  send("", activateProposal(settings, first, proposal));
  for (const key of keys) send("", await account.vote("approve", key, 5));
  const batchAccounts = [r(settings), s(first), w(proposal), w(batch), r(item)];
  send(
    "execute_batch_transaction, SOL transfer",
    call("execute_batch_transaction", [...batchAccounts, w(vault), w(PAYEE), r(SYSTEM)]),
  );
  send(
    "close_batch_transaction",
    call("close_batch_transaction", [r(settings), r(proposal), w(batch), w(item), w(FEE_PAYER), r(SYSTEM)]),
  );
  const collectors = [w(FEE_PAYER), w(FEE_PAYER), r(SYSTEM), r(PROGRAM)];
  send("close_batch", call("close_batch", [r(settings), w(proposal), w(batch), ...collectors]));

  const { key: buffer } = await pda.transactionBuffer(settings, first, 0);
  const digest = new Uint8Array(createHash("sha256").update(transfer).digest());
  const parts = [transfer.slice(0, 60), transfer.slice(60)] as const;
  const open = call(
    "create_transaction_buffer",
    [r(settings), w(buffer), ...opening],
    ...[u8(0), u8(0), digest, u16(transfer.length), counted(parts[0])],
  );
  const extend = call("extend_transaction_buffer", [r(settings), w(buffer), s(first)], counted(parts[1]));
  send("create_transaction_buffer", open);
  send("extend_transaction_buffer", extend);
  const creation = [w(settings), w(await account.transactionKey(6)), ...opening, r(PROGRAM), w(buffer), ws(first)];
  send(
    "create_transaction_from_buffer, SOL transfer",
    call("create_transaction_from_buffer", creation, u8(0), u8(0), u8(0), counted(new Uint8Array(6)), u8(0)),
  );
  send("", open);
  send("close_transaction_buffer", call("close_transaction_buffer", [r(settings), w(buffer), ws(first)]));

  const of = { settings: controlled.settings, authority: AUTHORITY, payer: FEE_PAYER };
  const added = named("new member");
  send("add_signer_as_authority", asAuthority("add_signer_as_authority", { ...of, argument: concat(added, u8(7)) }));
  send("remove_signer_as_authority", asAuthority("remove_signer_as_authority", { ...of, argument: added }));
  send("change_threshold_as_authority", asAuthority("change_threshold_as_authority", { ...of, argument: u16(1) }));
  send("set_time_lock_as_authority", asAuthority("set_time_lock_as_authority", { ...of, argument: u32(60) }));
  const controlledLimit = { settings: of.settings, authority: AUTHORITY, limit: await controlled.limitKey(SEED) };
  send("add_spending_limit_as_authority", addLimitAsAuthority({ ...controlledLimit, terms: LIMIT }));
  send("remove_spending_limit_as_authority", removeLimitAsAuthority({ ...controlledLimit, collector: FEE_PAYER }));
  send(
    "set_new_settings_authority_as_authority",
    asAuthority("set_new_settings_authority_as_authority", { ...of, argument: named("next authority") }),
  );
  return units;
}

/** Compute units of the signature program's instructions, without what they call. */
async function measurePasskey(): Promise<Map<string, number>> {
  // Always the same key: what its addresses cost to find is part of the figures.
  const scene = await createPasskeyScene("wallet.example.com", named("passkey"));
  const units = new Map<string, number>();
  const send = (name: string, instructions: readonly Instruction[]): void => {
    const outcome = scene.ledger.send(...instructions);
    if (outcome.error !== undefined) throw new Error(`${name}: ${outcome.error.text}`);
    units.set(name, outcome.computeUnits);
    scene.moveTo(scene.slot + 1n);
  };
  send("initialize", scene.initialized({ key: scene.session, expiration: 1_700_000_900n }));
  send("refresh", scene.refreshed({ key: scene.session, expiration: 900n }));
  const { executionAccount } = scene.passkey;
  scene.ledger.fund(executionAccount);
  const transfer = { program: SYSTEM, accounts: [ws(executionAccount), w(PAYEE)], data: transferData(1_000_000) };
  const inner = innerOf([transfer], [executionAccount]);
  send("execute, SOL transfer", scene.executed(inner, 0));
  send("execute by session, SOL transfer", [scene.executeBySession(inner, 0)]);
  return units;
}

const measured = await Promise.all(COUNTS.map(measure));
const names = [...(measured[0]?.keys() ?? [])];
const rows = names.map((name) => {
  const cells = measured.map((units) => units.get(name)?.toLocaleString("en-US") ?? "");
  return `| ${name} | ${cells.join(" | ")} |`;
});

const passkeyRows = [...(await measurePasskey())].map(
  ([name, units]) => `| ${name} | ${units.toLocaleString("en-US")} |`,
);

const page = `# Compute units

Written by \`npx tsx program/build/measure-compute.ts\`; do not edit. Measured in the LiteSVM virtual machine with the
committed artefacts. Each column is a smart account with so many members who all have every permission; all of them have
to agree, so for the synchronous instructions it is the number of signers as well.

## Smart account program

| Instruction | ${COUNTS.map((count) => `${count} member${count === 1 ? "" : "s"}`).join(" | ")} |
|---|${COUNTS.map(() => "--:").join("|")}|
${rows.join("\n")}

## Signature program

The runtime's check of a passkey's signature costs no units, and 5,000 lamports. The figures are those of one passkey, whose
addresses are searched as said below, so others cost more or less.

| Instruction | Units |
|---|--:|
${passkeyRows.join("\n")}

## What to know when budgeting

- A search for a derived address costs 1,500 units per attempt, that is \`(256 - bump) * 1,500\`. Where an account stores
  its bump the program checks the address in one attempt; it searches when it creates an account, for the smart account's
  own address, for the transaction in execute_transaction, and when it closes. So costs differ between accounts:
  simulate, then add a margin.
- Instructions of a wrapped message come on top, with what their programs use.
- Every event is a call of the program to itself: about 1,300 units and a little more with its length.
- The public program searches the settings address again in every instruction, so it needs more. Limits that are set from these
  figures are too low for it.
`;
const target = new URL("../COMPUTE.md", import.meta.url);
if (!process.argv.includes("--check")) {
  writeFileSync(target, page);
} else if (readFileSync(target, "utf8") !== page) {
  process.stderr.write("program/COMPUTE.md is out of date: npm run generate\n");
  process.exitCode = 1;
}
