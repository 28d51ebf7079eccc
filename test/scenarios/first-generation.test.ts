/** Accounts that the first generation of the program made: a shorter tail of the settings, another layout of what is stored. */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Address, getAddressEncoder } from "@solana/kit";
import { decodeSettings, deriveTransactionAddress } from "@trellis/program-client";
import { addressOfKey } from "@trellis/sdk";
import { readAccount } from "@trellis/solana/read-accounts.js";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeKey } from "../adversarial/support.js";
import { dataOf, may, newKey, type Opened, type Prepared, pays, proposalsOf, refusalOf } from "../proposals/support.js";
import { createTestLocation, type TestLocation } from "../support/test-database.js";
import { startTestService, type TestService } from "../support/test-service.js";

const sol = 1_000_000_000n;
const [a, b, c] = [newKey(), newKey(), newKey()];
let directory: string;
let place: TestLocation;
let variables: Record<string, string>;
let trellis: TestService;
let account: Opened;
let oldProposal: string;
let oldPayee: Address;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "trellis-test-"));
  place = await createTestLocation();
  variables = {
    TRELLIS_DATA_DIR: directory,
    ...(place.url === undefined
      ? {}
      : { DATABASE_URL: place.url, TRELLIS_MASTER_KEY: randomBytes(32).toString("base64") }),
  };
  trellis = await startTestService(variables);
  const at = proposalsOf(trellis);
  account = await at.open({ signers: [may(a), may(b)], threshold: 1 }, sol);
  oldPayee = makeKey().address;
  oldProposal = (await at.propose(account, a, pays(oldPayee, 5_000_000n))).proposalAddress;
  await age(account.settings, ageSettings);
  await age(deriveTransactionAddress(account.settings, 1n), ageTransaction);
  // Nothing is known of it but what the chain has.
  const { db } = trellis.service;
  await db.deleteFrom("proposal").where("settings_address", "=", account.settings).execute();
  await db.deleteFrom("proposal_watch").where("settings_address", "=", account.settings).execute();
  await trellis.service.close();
  trellis = await startTestService(variables);
});
afterAll(async () => {
  await trellis?.close();
  await place?.drop();
  await rm(directory, { recursive: true, force: true });
});

it("have what they stored listed and voted on; the present program refuses to execute it", async () => {
  const at = proposalsOf(trellis);
  const view = await at.get(account, oldProposal);
  expect(view).toMatchObject({
    kind: "transaction",
    status: "Active",
    summary: [{ type: "transfer", to: oldPayee, amount: "5000000" }],
  });
  await at.cast(account, oldProposal, "approve", [b]);
  expect((await at.get(account, oldProposal)).status).toBe("Approved");
  expect(refusalOf(await at.execute(account, oldProposal, a))).toEqual([400, "transaction_failed"]);
  await at.cast(account, oldProposal, "cancel", [a]);
});

it("are read, propose, vote, execute and change as others do", { timeout: 120_000 }, async () => {
  const at = proposalsOf(trellis);
  expect(await settingsOnChain()).toMatchObject({ size: 193, settings: { policySeed: null, threshold: 1 } });
  const { policies } = await trellis.client.accounts.get(account.address);
  expect(policies.signers.map(({ address }) => address).sort()).toEqual([addressOfKey(a), addressOfKey(b)].sort());

  const payee = makeKey().address;
  const made = await at.propose(account, a, pays(payee, 7_000_000n));
  await at.cast(account, made.proposalAddress, "approve", [b]);
  await at.run(account, made.proposalAddress, a);
  expect(await trellis.lamportsOf(payee)).toBe(7_000_000n);

  const change = dataOf<Prepared>(await at.request("PATCH", account, "", { signers: [may(a), may(b), may(c)] }));
  dataOf(await at.submit(account, change.transaction, [a]));
  expect((await settingsOnChain()).settings.signers).toHaveLength(3);
});

/** Rewrites an account of the sandbox's chain where it is kept; the next start finds it so. */
async function age(address: Address, rewrite: (data: Uint8Array) => Uint8Array): Promise<void> {
  const key = Buffer.from(getAddressEncoder().encode(address));
  const { db } = trellis.service;
  const row = await db.selectFrom("chain_account").select("data").where("address", "=", key).executeTakeFirstOrThrow();
  const data = Buffer.from(rewrite(Uint8Array.from(row.data)));
  await db.updateTable("chain_account").set({ data }).where("address", "=", key).execute();
}

/** No counter of policies: its tag says so, and its eight bytes are not there. */
function ageSettings(data: Uint8Array): Uint8Array {
  const aged = data.slice(0, 127 + 33 * 2);
  aged.fill(0, aged.length - 2);
  return aged;
}

/** Three bytes where others have the kind of their payload and which smart account acts; no spare ones at the end. */
function ageTransaction(data: Uint8Array): Uint8Array {
  return Uint8Array.from([...data.subarray(0, 112), 255, 0, 254, ...data.subarray(114, data.length - 2)]);
}

const settingsOnChain = async () => {
  const found = await readAccount(trellis.network, account.settings);
  if (found === undefined) throw new Error("the settings are gone");
  return { size: found.data.length, settings: decodeSettings(found.data) };
};
