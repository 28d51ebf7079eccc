import type { Address } from "@solana/kit";
import { addressOfKey, proveSigner, type SignerKey } from "@trellis/sdk";
import { readPasskeys } from "@trellis/solana/read-passkeys.js";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { getAccount } from "../../src/accounts/get-account.js";
import { importAccount } from "../../src/accounts/import-account.js";
import { submitPasskeyCeremony } from "../../src/passkey-signers/submit-passkey-ceremony.js";
import { everything, may, newKey } from "../proposals/support.js";
import { createSoftPasskey } from "../support/authenticator.js";
import { importsOf, type OpenedElsewhere, type signedBy } from "../support/imported-accounts.js";
import {
  addressOfPasskey,
  answerOf,
  beginCeremony,
  createPasskeySigner,
  createSessionKey,
  openByClient,
  openSession,
  submission,
} from "../support/passkey-signers.js";
import { useTestNetwork, useTestService } from "../support/scene.js";
import { errorOf, type TestNetwork } from "../support/test-network.js";

/** Accounts that were made elsewhere and have passkeys among their signers: who may have them served here, and released. */
const test = useTestNetwork();
const { openElsewhere, release, proofOf, releaseProofOf } = importsOf(test);
const trellis = useTestService({ TRELLIS_PUBLIC_URL: "http://localhost:3000" });
const payee = "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2";

type Signer = Awaited<ReturnType<typeof createPasskeySigner>>;
/** The key that signs, and in whose name, where that is not its own. */
interface Signing {
  readonly key: SignerKey;
  readonly name?: string;
}

describe("the live session key of an account's only signer", () => {
  it.each(["session key", "passkey"])("has it served and released, with the %s named", async (who) => {
    const [one, account] = await openPasskeyAccount();
    const { key } = one.session;
    const by = who === "passkey" ? { key, name: one.address } : { key };
    const imported = await bring(account, named(by, await proofOf(key, account)));
    const signers = [{ address: one.address, provider: "passkey" }];
    expect(imported).toMatchObject({ status: "active", policies: { signers } });
    expect(await read(account)).toMatchObject({ policies: { signers } });
    const proof = named(by, await releaseProofOf(key, account));
    expect(await release(account, { proof })).toMatchObject({ status: "released" });
    const { rows } = await sql<{ body: string }>`select body from audit_entry
      where kind = 'account.released' and subject = ${`account/${account.address}`}`.execute(test.needs.db);
    expect(JSON.parse(rows[0]?.body ?? "")).toMatchObject({ details: { signer: one.address } });
  });

  it("is good for the very account alone, and beside other signers as well", async () => {
    const [one, account] = await openPasskeyAccount();
    const [other, elsewhere] = await openPasskeyAccount([may(newKey())]);
    await bring(elsewhere, await proofOf(other.session.key, elsewhere));
    const proof = await proofOf(one.session.key, account);
    expect(await errorOf(bring(elsewhere, proof))).toMatchObject({ code: "invalid_import_proof" });
    expect(await bring(account, proof)).toMatchObject({ status: "active" });
  });
});

describe("a passkey that is a signer", () => {
  const another = newKey();
  /** What becomes of the session, and who signs then: a key, in the passkey's name where it says so. */
  const cases: readonly (readonly [string, string, (one: Signer, other: Signer) => Promise<Signing>])[] = [
    [
      "whose session it has ended",
      "has ended",
      async ({ passkey, session, address }) => {
        await openSession(test, "auth", passkey, createSessionKey().address, { seconds: 0 });
        return { key: session.key, name: address };
      },
    ],
    [
      "whose session is over",
      "has ended",
      async ({ session }) => {
        test.needs.realClock.advance(901_000);
        return { key: session.key };
      },
    ],
    [
      "that has another session now",
      "nor the session key of a passkey",
      async ({ passkey, session }) => {
        await openSession(test, "auth", passkey, createSessionKey().address);
        return { key: session.key };
      },
    ],
    [
      "for which the session key of a stranger's passkey signs",
      "nor the session key of a passkey",
      async () => ({ key: (await createPasskeySigner(test)).session.key }),
    ],
    [
      "whose session key is one of the service",
      "does not count here",
      async ({ passkey, session, address }) => {
        const open = { ...test.network, serviceAddresses: new Set<Address>() };
        const begun = await beginCeremony(test, "auth", test.network.feePayer.address, { network: open });
        await test.call(submitPasskeyCeremony, { body: submission(begun, answerOf(passkey, begun)), network: open });
        return { key: session.key, name: address };
      },
    ],
    [
      "whose session key is another signer",
      "does not count here",
      async ({ passkey, address }) => {
        await openSession(test, "auth", passkey, addressOfKey(another));
        return { key: another, name: address };
      },
    ],
    [
      "whose session key is that of another signer's session",
      "nor the session key of a passkey",
      async ({ passkey }, { session }) => {
        await openSession(test, "auth", passkey, session.address);
        return { key: session.key };
      },
    ],
    [
      "in whose name another key has signed",
      "the session key of that passkey",
      async ({ address }) => ({ key: newKey(), name: address }),
    ],
  ];

  it.each(cases)("%s proves nothing, and the answer says why", async (_what, words, spoil) => {
    const other = await createPasskeySigner(test);
    const others = [{ address: other.address, permissions: everything }, may(another)];
    const [one, account] = await openPasskeyAccount(others);
    const [two, served] = await openPasskeyAccount(others);
    await bring(served, await proofOf(two.session.key, served));
    const imported = await spoil(one, other);
    const proof = named(imported, await proofOf(imported.key, account));
    const refused = await errorOf(bring(account, proof));
    expect(refused).toMatchObject({ status: 400, code: "invalid_import_proof" });
    expect(refused.message).toContain(words);

    const released = await spoil(two, other);
    const kept = await errorOf(release(served, { proof: named(released, await releaseProofOf(released.key, served)) }));
    expect(kept).toMatchObject({ status: 400, code: "invalid_release_proof" });
    expect(kept.message).toContain(words);
    expect(await read(served)).toMatchObject({ status: "active" });
  });
});

it("names passkeys of accounts that were imported before, once they are imported again", async () => {
  const own = newKey();
  const [one, account] = await openPasskeyAccount([may(own)]);
  await bring(account, await proofOf(own, account));
  const { db } = test.needs;
  await db
    .updateTable("account_signer")
    .set({ provider: "external" })
    .where("account_address", "=", account.address)
    .execute();
  const { settings_address } = account;
  for (const again of [() => test.call(importAccount, { body: { settings_address } }), () => read(account)]) {
    expect(await again()).toMatchObject({
      policies: {
        signers: expect.arrayContaining([
          expect.objectContaining({ address: one.address, provider: "passkey" }),
          expect.objectContaining({ address: addressOfKey(own), provider: "external" }),
        ]),
      },
    });
  }
});

it("finds a passkey behind more addresses than a node reads in one question", async () => {
  const { address } = await createPasskeySigner(test);
  const others = Array.from({ length: 200 }, () => addressOfPasskey(createSoftPasskey()));
  expect([...(await readPasskeys(test.network, [...others, address])).keys()]).toEqual([address]);
});

describe("the client library", () => {
  it("brings an account by a session, gives it a key of its owner's, and no session is needed from then on", async () => {
    const { client } = trellis;
    const passkey = createSoftPasskey();
    const session = await openByClient(client, passkey, newKey());
    const { passkeyAccount } = session;
    const wanted = { type: "signers", signers: [passkeyAccount], threshold: 1 } as const;
    const { address: account, settings_address } = await client.accounts.create(wanted);
    await importsOf({ needs: trellis.service } as unknown as TestNetwork).forget(account);
    await trellis.service.db.deleteFrom("account_creation").execute();
    await client.sandbox.airdrop({ address: account, currency: "sol", amount: "1000000000" });

    const { status, challenge } = await client.accounts.import({ settings_address });
    expect(status).toBe("unproven");
    if (challenge === undefined) throw new Error("there is no challenge");
    const consent = { purpose: "import", account, environment: "sandbox" } as const;
    const { message } = challenge;
    const tenant = /^For: (.*)$/m.exec(message)?.[1] ?? "";
    for (const [text, wanted] of [
      [message, { ...consent, account: addressOfKey(newKey()) }],
      [message, { ...consent, purpose: "release" }],
      [message, { ...consent, environment: "mainnet" }],
      [message, { ...consent, tenant: "another" }],
      [`${message}\nAnd everything else.`, consent],
      [message.replace("no money", "all money"), consent],
      [message.replace(/^Code: .*$/m, "Code: of another text"), consent],
    ] as const) {
      expect(() => proveSigner({ message: text }, wanted, session)).toThrow(
        expect.objectContaining({ name: "TransactionMismatchError", difference: "payload" }),
      );
    }
    const proof = proveSigner(challenge, { ...consent, tenant }, session);
    expect(await client.accounts.import({ settings_address, proof })).toMatchObject({
      status: "active",
      policies: { signers: [{ address: passkeyAccount, provider: "passkey" }] },
    });

    const own = newKey();
    const { policies } = await client.accounts.get(account);
    const added = { address: addressOfKey(own), permissions: policies.signers[0]?.permissions ?? [] };
    const changes = { signers: [...policies.signers, added] };
    await client.accounts.update({ account, passkeySessions: [session], changes });
    await openByClient(client, passkey, newKey(), { kind: "auth", seconds: 0 });
    const order = { currency: "sol", destination: payee, amount: 5_000_000n } as const;
    await client.transfers.send({ account, keys: [own], ...order });

    const leave = async (by: Parameters<typeof proveSigner>[2]) => {
      const released = await client.accounts.release(account);
      if (released.challenge === undefined) throw new Error("there is no challenge");
      return client.accounts.release(account, {
        proof: proveSigner(released.challenge, { ...consent, purpose: "release" }, by),
      });
    };
    await expect(leave(session)).rejects.toMatchObject({
      status: 400,
      code: "invalid_release_proof",
      message: expect.stringContaining("has ended"),
    });
    expect(await leave(own)).toMatchObject({ status: "released" });
  });
});

/** An account of a passkey with a session, and of others, that this service knows nothing of. */
async function openPasskeyAccount(others: readonly object[] = []): Promise<readonly [Signer, OpenedElsewhere]> {
  const one = await createPasskeySigner(test);
  const [, account] = await openElsewhere([], [{ address: one.address, permissions: everything }, ...others]);
  return [one, account];
}

const named = ({ name }: Signing, proof: ReturnType<typeof signedBy>) => ({
  ...proof,
  ...(name === undefined ? {} : { signer_address: name }),
});

const bring = ({ settings_address }: OpenedElsewhere, proof: object) =>
  test.call<{ readonly status: string }>(importAccount, { body: { settings_address, proof } });

const read = ({ address }: OpenedElsewhere) => test.call(getAccount, { params: { address } });
