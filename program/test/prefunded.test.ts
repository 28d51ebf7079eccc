import { beforeEach, describe, expect, test } from "vitest";
import { u64 } from "./support/bytes.js";
import { call } from "./support/calls.js";
import { createSmartAccount } from "./support/instructions.js";
import { CONFIG_INITIALIZER, named, PROGRAM, SYSTEM } from "./support/keys.js";
import { CONFIG_AUTHORITY, createLedger, type Instruction, type Ledger, TREASURY } from "./support/ledger.js";
import { A, ALL, B, D, TWO_OF_TWO } from "./support/members.js";
import { transferMessage } from "./support/messages.js";
import { r, w, ws } from "./support/metas.js";
import { expectError, expectSuccess } from "./support/outcomes.js";
import { pda } from "./support/pda.js";
import { action, addLimitAsAuthority, executeSettings, executeSettingsSync } from "./support/settings-instructions.js";
import { openAccount } from "./support/smart-account.js";

const SEED = named("limit");
const PAYER = named("rent payer");
const TERMS = { seed: SEED, amount: 5n, signers: [D] };
let ledger: Ledger;

beforeEach(async () => {
  ledger = await createLedger();
  ledger.fund(PAYER);
});

const creations: [string, () => Promise<Creation>][] = [
  [
    "the program config",
    async () => {
      const config = (await pda.programConfig()).key;
      ledger.set(config, { lamports: 0n });
      ledger.fund(CONFIG_INITIALIZER);
      const accounts = [w(config), ws(CONFIG_INITIALIZER), r(SYSTEM)];
      const instruction = call("initialize_program_config", accounts, CONFIG_AUTHORITY, u64(0), TREASURY);
      return { address: config, payer: CONFIG_INITIALIZER, instruction };
    },
  ],
  [
    "settings",
    async () => {
      const address = (await pda.settings(1)).key;
      const members = [{ key: A, mask: ALL }];
      const instruction = await createSmartAccount({ threshold: 1, members, candidates: [address], creator: PAYER });
      return { address, payer: PAYER, instruction };
    },
  ],
  [
    "a transaction",
    async () => {
      const account = await openAccount(ledger, TWO_OF_TWO);
      const message = transferMessage(account.vault, D, 1_000_000);
      const instruction = await account.createTransaction(A, message, { payer: PAYER });
      return { address: await account.transactionKey(1), payer: PAYER, instruction };
    },
  ],
  [
    "a settings transaction",
    async () => {
      const account = await openAccount(ledger, TWO_OF_TWO);
      const instruction = await account.createSettings(A, [action.changeThreshold(1)], { payer: PAYER });
      return { address: await account.transactionKey(1), payer: PAYER, instruction };
    },
  ],
  [
    "a proposal",
    async () => {
      const account = await openAccount(ledger, TWO_OF_TWO);
      expectSuccess(ledger.send(await account.createSettings(A, [action.changeThreshold(1)])));
      const instruction = await account.propose(A, 1, { payer: PAYER });
      return { address: await account.proposalKey(1), payer: PAYER, instruction };
    },
  ],
  [
    "a spending limit, voted",
    async () => {
      const account = await openAccount(ledger, TWO_OF_TWO);
      const address = await account.limitKey(SEED);
      const index = await account.approvedSettings([action.addSpendingLimit(TERMS)], [A, B]);
      const instruction = executeSettings({
        settings: account.settings,
        signer: A,
        proposal: await account.proposalKey(index),
        transaction: await account.transactionKey(index),
        payer: PAYER,
        limits: [address],
      });
      return { address, payer: PAYER, instruction };
    },
  ],
  [
    "a spending limit, synchronously",
    async () => {
      const account = await openAccount(ledger, TWO_OF_TWO);
      const address = await account.limitKey(SEED);
      const instruction = executeSettingsSync({
        settings: account.settings,
        members: [A, B],
        actions: [action.addSpendingLimit(TERMS)],
        payer: PAYER,
        limits: [address],
      });
      return { address, payer: PAYER, instruction };
    },
  ],
  [
    "a spending limit, by the authority",
    async () => {
      const account = await openAccount(ledger, { ...TWO_OF_TWO, authority: named("authority") });
      const limit = await account.limitKey(SEED);
      const instruction = addLimitAsAuthority({
        settings: account.settings,
        authority: named("authority"),
        limit,
        terms: TERMS,
        payer: PAYER,
      });
      return { address: limit, payer: PAYER, instruction };
    },
  ],
];

describe.each(creations)("creating %s", (_, prepare) => {
  test.each<[string, (rent: bigint) => bigint]>([
    ["nothing", () => 0n],
    ["a single lamport", () => 1n],
    ["the rent of an empty account", () => ledger.rent(0)],
    ["exactly its rent", (rent) => rent],
    ["more than its rent", (rent) => rent + 12_345n],
  ])("at an address holding %s costs the payer only what is missing", async (_name, gift) => {
    const creation = await prepare();
    const before = ledger.balance(creation.payer);
    const present = gift(await rentOf(prepare));
    ledger.set(creation.address, { lamports: present });
    expectSuccess(ledger.send(creation.instruction));
    const account = ledger.account(creation.address);
    if (account === undefined) throw new Error("not created");
    const rent = ledger.rent(account.data.length);
    expect(account.owner).toEqual(PROGRAM);
    const missing = rent > present ? rent - present : 0n;
    expect(account.lamports).toBe(present + missing);
    expect(before - ledger.balance(creation.payer)).toBe(missing);
  });

  test("at an address in use fails with the system program's error 0", async () => {
    const creation = await prepare();
    ledger.set(creation.address, { lamports: 50_000_000n, data: new Uint8Array(3), owner: SYSTEM });
    const outcome = ledger.send(creation.instruction);
    // Candidate settings addresses are checked before: AccountNotEmpty.
    expectError(outcome, creation.instruction.data[0] === 0xc5 ? 6000 : 0);
  });
});

/** The rent of what the creation makes, measured on a ledger of its own. */
async function rentOf(prepare: () => Promise<Creation>): Promise<bigint> {
  const kept = ledger;
  ledger = await createLedger();
  ledger.fund(PAYER);
  const creation = await prepare();
  expectSuccess(ledger.send(creation.instruction));
  const rent = ledger.balance(creation.address);
  ledger = kept;
  return rent;
}

test("the rent sysvar decides, whatever its price and factor", async () => {
  const rent = ledger.svm.getRent();
  rent.lamportsPerByteYear = 6333n;
  rent.exemptionThreshold = 1.0;
  ledger.svm.setRent(rent);
  const account = await openAccount(ledger, TWO_OF_TWO);
  expect(ledger.balance(account.settings)).toBe(6333n * (128n + 201n));
  rent.exemptionThreshold = 1.5;
  ledger.svm.setRent(rent);
  const second = await openAccount(ledger, TWO_OF_TWO);
  expect(ledger.balance(second.settings)).toBe((6333n * (128n + 201n) * 3n) / 2n);
});

/** An account about to be created, and who pays for it. */
interface Creation {
  readonly address: Uint8Array;
  readonly payer: Uint8Array;
  readonly instruction: Instruction;
}
