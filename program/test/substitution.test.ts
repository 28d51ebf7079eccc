import { beforeEach, describe, test } from "vitest";
import { concat, counted, u8, u32, u64 } from "./support/bytes.js";
import { call } from "./support/calls.js";
import { activateProposal, executeTransaction } from "./support/instructions.js";
import { LOOKUP_TABLE_PROGRAM, named, SYSTEM } from "./support/keys.js";
import { FEE_PAYER } from "./support/ledger.js";
import { A, ALL, B, C, D } from "./support/members.js";
import { transferData, transferMessage, wrappedMessage } from "./support/messages.js";
import { r, s, w, ws } from "./support/metas.js";
import { expectError, expectSuccess } from "./support/outcomes.js";
import { pda } from "./support/pda.js";
import { action, executeSettings } from "./support/settings-instructions.js";
import { openAccount, type SmartAccount } from "./support/smart-account.js";
import { useSmartAccount } from "./support/use-smart-account.js";

// A stranger has an account of their own, where everything they want is agreed on, at the same index. Each test puts
// something of theirs in the place of what the members agreed on, signed by a member, as an executor could.

const { ledger, account: members } = useSmartAccount();
let strangers: SmartAccount;
beforeEach(async () => {
  strangers = await openAccount(ledger, { threshold: 1, members: [{ key: STRANGER, mask: ALL }] });
});

describe("those of another account, at the same index", () => {
  test("a transaction is not executed: 2006", async () => {
    const index = await members.approvedTransfer(D, 1_000_000n, [A, B]);
    expectSuccess(ledger.send(await strangers.createTransaction(STRANGER, theft())));
    const execution = executeTransaction({
      settings: members.settings,
      proposal: await members.proposalKey(index),
      transaction: await strangers.transactionKey(1),
      signer: A,
      accounts: [w(members.vault), w(WANTED), r(SYSTEM)],
    });
    expectError(ledger.send(execution), 2006);
    expectSuccess(ledger.send(await members.executeTransfer(A, index, D)));
  });

  test("a change of settings is not executed: 2006", async () => {
    const index = await members.approvedSettings([action.setTimeLock(60)], [A, B]);
    const change = [action.addSigner({ key: STRANGER, mask: ALL }), action.changeThreshold(1)];
    expectSuccess(ledger.send(await strangers.createSettings(STRANGER, change)));
    const execution = {
      settings: members.settings,
      signer: A,
      proposal: await members.proposalKey(index),
      payer: A,
    };
    const stolen = executeSettings({ ...execution, transaction: await strangers.transactionKey(1) });
    expectError(ledger.send(stolen), 2006);
    expectSuccess(ledger.send(executeSettings({ ...execution, transaction: await members.transactionKey(index) })));
  });

  test("a proposal does not stand for one's own: 2006", async () => {
    expectSuccess(ledger.send(await members.createTransaction(A, theft()), await members.propose(A, 1)));
    await strangers.approvedTransfer(D, 1n, [STRANGER]);
    const execution = executeTransaction({
      settings: members.settings,
      proposal: await strangers.proposalKey(1),
      transaction: await members.transactionKey(1),
      signer: A,
      accounts: [w(members.vault), w(WANTED), r(SYSTEM)],
    });
    expectError(ledger.send(execution), 2006);
  });

  test("a batch's message is not executed: 2006", async () => {
    const opened = async (account: SmartAccount, creator: Uint8Array, message: Uint8Array) => {
      const batch = await account.transactionKey(1);
      const proposal = await account.proposalKey(1);
      const item = (await pda.batchTransaction(account.settings, 1, 1)).key;
      const opening = [s(creator), ws(FEE_PAYER), r(SYSTEM)];
      expectSuccess(
        ledger.send(
          call("create_batch", [w(account.settings), w(batch), ...opening], u8(0), u8(0)),
          await account.propose(creator, 1, { draft: true }),
          call(
            "add_transaction_to_batch",
            [r(account.settings), r(proposal), w(batch), w(item), ...opening],
            ...[u8(0), counted(message)],
          ),
          activateProposal(account.settings, creator, proposal),
        ),
      );
      return { batch, proposal, item };
    };
    const own = await opened(members, A, wrappedMessage(transferMessage(members.vault, D, 1_000_000)));
    const theirs = await opened(strangers, STRANGER, wrappedMessage(theft()));
    for (const voter of [A, B]) expectSuccess(ledger.send(await members.vote("approve", voter, 1)));
    const fixed = [r(members.settings), s(A), w(own.proposal)];
    const stolen = [w(members.vault), w(WANTED), r(SYSTEM)];
    const run = (batch: Uint8Array, item: Uint8Array, accounts: ReturnType<typeof w>[]) =>
      ledger.send(call("execute_batch_transaction", [...fixed, w(batch), r(item), ...accounts]));
    expectError(run(own.batch, theirs.item, stolen), 2006);
    expectError(run(theirs.batch, theirs.item, stolen), 2006);
    expectSuccess(run(own.batch, own.item, [w(members.vault), w(D), r(SYSTEM)]));
  });
});

test("a lookup table of the executor's own, with other addresses, is not used: 6015", async () => {
  const makeTable = (name: string, address: Uint8Array): Uint8Array => {
    const header = concat(u32(1), u64(2n ** 64n - 1n), u64(0), u8(0), u8(0), new Uint8Array(34));
    ledger.set(named(name), { lamports: 10_000_000n, data: concat(header, address), owner: LOOKUP_TABLE_PROGRAM });
    return named(name);
  };
  const agreed = makeTable("agreed on", D);
  const rogue = makeTable("the executor's", WANTED);
  const message = {
    signers: 1,
    writableSigners: 1,
    writableNonSigners: 0,
    keys: [members.vault, SYSTEM],
    instructions: [{ program: 1, accounts: [0, 2], data: transferData(5_000_000_000) }],
    lookups: [{ table: agreed, writable: [0], readonly: [] }],
  };
  expectSuccess(ledger.send(await members.createTransaction(A, message), await members.propose(A, 1)));
  for (const voter of [A, B]) expectSuccess(ledger.send(await members.vote("approve", voter, 1)));
  const execution = {
    settings: members.settings,
    proposal: await members.proposalKey(1),
    transaction: await members.transactionKey(1),
    signer: A,
  };
  const run = (table: Uint8Array, payee: Uint8Array) =>
    ledger.send(executeTransaction({ ...execution, accounts: [r(table), w(members.vault), r(SYSTEM), w(payee)] }));
  expectError(run(rogue, WANTED), 6015);
  expectError(run(agreed, WANTED), 6015);
  expectSuccess(run(agreed, D));
});

const STRANGER = C;
const WANTED = named("where the stranger wants the money");

const theft = () => transferMessage(members.vault, WANTED, 50_000_000_000);
