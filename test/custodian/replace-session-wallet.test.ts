import type { Address } from "@solana/kit";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { addressOfKey, createTrellisClient, generateEncryptionKeyPair, openSession } from "@trellis/sdk";
import { readAccounts } from "@trellis/solana/read-accounts.js";
import { expect, it } from "vitest";
import { createSeedReader } from "../../src/adapters/kms/wallet-keys.js";
import { addRoot } from "../../src/adapters/kms/wallet-roots.js";
import { systemRandom } from "../../src/adapters/system.js";
import { newKey } from "../proposals/support.js";
import { browserWith, createSoftPasskey } from "../support/authenticator.js";
import { startTestCustodian } from "../support/custodian.js";
import { knownMasterKey } from "../support/other-tenant.js";
import { publicKeyOf, type TestNetwork } from "../support/test-network.js";
import { startTestService } from "../support/test-service.js";
import { balanceOf, strike } from "../support/thief-on-chain.js";
import { use } from "../support/use.js";
import { keyringOf } from "../tenant-archive/support.js";

const guardian = use(() => startTestCustodian({ variables: { TRELLIS_CUSTODIAN_NAME: "kms_c" } }));
const trellis = use(() =>
  startTestService({
    ...knownMasterKey,
    TRELLIS_GUARDIAN: "kms_c",
    TRELLIS_CUSTODIAN_KMS_C_URL: guardian.url,
    TRELLIS_CUSTODIAN_KMS_C_KEYS: guardian.folders.service,
  }),
);
const drawer = newKey();
const recovery = { address: addressOfKey(drawer) };
const aDay = { seconds: 86_400 };

it("replaces a guarded account's signer of the service after its root was stolen, with sessions and passkey as they were", async () => {
  const { account, settings, session, email, wallet, credentials, passkey } = await openGuarded();
  const keyring = await keyringOf({ db: trellis.service.db, key: masterKey });
  const { db } = trellis.service;
  const stolen = await seedOf(keyring, wallet);
  const lost = { ...pinned(account), enrolled: passkey, serviceSigner: session, replaceSessionWallet: true } as const;
  const signers = { passkeys: { passkeys: [passkey], credentials }, keys: [drawer] };

  // Without another root there is nothing to go to.
  const tooEarly = client().accounts.protect({ ...lost, ...signers });
  await expect(tooEarly).rejects.toMatchObject({ code: "no_changes", details: [{ field: "replace_session_wallet" }] });
  await addRoot({ db, keyring, random: systemRandom, now: Date.now }, "kms_a");

  // The guardian signs a change of settings a day later.
  const first = client().accounts.protect({ ...lost, ...signers });
  await expect(first).rejects.toMatchObject({ code: "guardian_refused" });
  await trellis.request("POST", "/api/service/v1/sandbox/clock/advance", aDay);
  await client().accounts.protect({ ...lost, ...signers });
  const again = client().accounts.protect({ ...lost, ...signers });
  await expect(again).rejects.toMatchObject({ code: "no_changes" });

  const { policies } = await client().accounts.get(account);
  const own = policies.signers.find(({ provider }) => provider === "kms_a");
  expect(policies).toMatchObject({ threshold: 2 });
  expect(policies.signers).toHaveLength(3);
  expect(own?.address).not.toBe(wallet);
  const row = await db
    .selectFrom("kms_wallet")
    .selectAll()
    .where("address", "=", own?.address ?? "")
    .executeTakeFirst();
  expect(row).toMatchObject({ number: 2, generation: 2 });

  // A session of the former wallet's commands the new one: refreshed or new, it lists both.
  const renewed = await signIn(email);
  expect(renewed.wallets.map(({ address }) => address)).toEqual([wallet, own?.address]);
  const order = { account, currency: "sol", destination: publicKeyOf("a shop"), amount: 5_000_000n } as const;
  const passkeys = { passkeys: [passkey], credentials };
  await client().transfers.send({ ...order, session: renewed, passkeys });
  const former = { ...session, wallets: renewed.wallets };
  await expect(client().transfers.send({ ...order, session: former })).rejects.toMatchObject({
    code: "proposal_required",
  });
  expect(
    await client().accounts.compareProtection(account, {
      guardian: passkey.signer,
      recovery: recovery.address,
      service: own?.address ?? "",
    }),
  ).toMatchObject({ isGuarded: true });

  // The recovery key is replaced afterwards without the former wallet coming back.
  const prepared = await trellis.request("POST", `/api/service/v1/accounts/${account}/protection`, {
    recovery: { address: publicKeyOf("a safe") },
    guardian: passkey.signer,
  });
  expect(prepared.body).toMatchObject({ data: { session_wallet: { address: own?.address, provider: "kms_a" } } });

  // A database that was put back has lost the wallet, and takes it for a stranger's key: the same call finds it again.
  const known = db.updateTable("account_signer").where("signer_address", "=", own?.address ?? "");
  await known.set({ provider: "external", wallet_id: null }).execute();
  await db
    .deleteFrom("wallet")
    .where("address", "=", own?.address ?? "")
    .execute();
  await db
    .deleteFrom("kms_wallet")
    .where("address", "=", own?.address ?? "")
    .execute();
  const found = client().accounts.protect({ ...lost, ...signers });
  await expect(found).rejects.toMatchObject({ code: "no_changes" });
  await client().transfers.send({ ...order, amount: 6_000_000n, session: renewed, passkeys });

  // The stolen seed and the recovery key were two of three.
  const target = { address: account as Address, settings: settings as Address };
  const before = await balance(account);
  const thief = newKey();
  await trellis.network.sandbox?.airdrop(addressOfKey(thief) as Address, 1_000_000_000n);
  await strike({ network: trellis.network } as TestNetwork, target, thief, [stolen, drawer]);
  expect(await balance(account)).toBe(before);
});

const masterKey = Buffer.from(knownMasterKey.TRELLIS_MASTER_KEY, "base64");
const balance = (address: string) => balanceOf({ network: trellis.network } as TestNetwork, address as Address);

/** What a thief has who has the root. */
async function seedOf(keyring: Keyring, address: string) {
  const { db } = trellis.service;
  const row = await db.selectFrom("kms_wallet").selectAll().where("address", "=", address).executeTakeFirstOrThrow();
  const seed = await createSeedReader({ db, keyring, random: systemRandom, now: Date.now })(row);
  expect(addressOfKey(seed)).toBe(address);
  return seed;
}

const pinned = (account: string) => ({ account, recovery, guardian: { identity: guardian.identity } });

const client = () =>
  createTrellisClient({
    baseUrl: trellis.url,
    apiKey: trellis.apiKey,
    environment: "sandbox",
    readAccounts: async (addresses) =>
      (await readAccounts(trellis.network, addresses)).map((found) => (found ? Uint8Array.from(found.data) : null)),
  });

async function openGuarded() {
  const { email, address, session, settingsAddress: settings } = await trellis.openHolder({ sol: "1000000000" });
  const account: string = address;
  const credentials = browserWith(createSoftPasskey());
  const { passkey } = await client().accounts.protect({ ...pinned(account), session, name: "Phone", credentials });
  return { account, settings, session, email, wallet: session.wallets[0]?.address ?? "", credentials, passkey };
}

async function signIn(email: string) {
  const sdk = client();
  await sdk.auth.start({ email, provider: "kms_a" });
  const [mail] = await sdk.sandbox.outbox(email);
  const keyPair = generateEncryptionKeyPair();
  const verified = await sdk.auth.verify({
    email,
    otp_code: mail?.otp_code ?? "",
    provider: "kms_a",
    kms_provider_config: { encryption_public_key: keyPair.publicKeySpkiBase64 },
  });
  return openSession(verified.authentication[0], keyPair);
}
