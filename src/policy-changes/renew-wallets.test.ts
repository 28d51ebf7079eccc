import type { Address } from "@solana/kit";
import { addressOfKey, createTrellisClient, generateEncryptionKeyPair, openSession } from "@trellis/sdk";
import { expect, it } from "vitest";
import { newKey } from "../../test/proposals/support.js";
import { asOtherTenant, knownMasterKey } from "../../test/support/other-tenant.js";
import { publicKeyOf, type TestNetwork } from "../../test/support/test-network.js";
import { startTestService } from "../../test/support/test-service.js";
import { balanceOf, strike } from "../../test/support/thief-on-chain.js";
import { use } from "../../test/support/use.js";
import { keyringOf } from "../../test/tenant-archive/support.js";
import { createSeedReader } from "../adapters/kms/wallet-keys.js";
import { addRoot } from "../adapters/kms/wallet-roots.js";
import { systemRandom } from "../adapters/system.js";

const trellis = use(() => startTestService(knownMasterKey));

it("lets a plain account leave a root that was stolen: sessions go on, and the thief has no vote any more", async () => {
  const holder = await trellis.openHolder({ sol: "1000000000" });
  const account: string = holder.address;
  const { accounts, transfers } = trellis.client;
  const { policies: former } = await accounts.get(account);
  const needs = { ...(await rootNeeds()), now: Date.now };
  const stolen = await Promise.all(former.signers.map(({ address }) => seedOf(needs, address)));

  await expect(accounts.renewWallets(account)).rejects.toMatchObject({ code: "no_changes" });
  await addRoot(needs, "kms_a");
  const renewed = await accounts.renewWallets(account);
  const own = former.signers.find(({ provider }) => provider === "kms_a")?.address;
  expect(renewed).toMatchObject([{ replaces: own, provider: "kms_a" }]);
  expect(await accounts.renewWallets(account)).toMatchObject([{ address: renewed[0]?.address }]);
  await addRoot(needs, "kms_b");
  const both = await accounts.renewWallets(account);
  expect(both.map(({ replaces }) => replaces).sort()).toEqual(former.signers.map(({ address }) => address).sort());

  const signers = former.signers.map(({ address, permissions }) => ({
    address: both.find(({ replaces }) => replaces === address)?.address ?? address,
    permissions,
  }));
  await accounts.update({ account, session: holder.session, changes: { signers } });
  const { policies } = await accounts.get(account);
  expect(policies.signers.map(({ address }) => address).sort()).toEqual(both.map(({ address }) => address).sort());
  expect(policies.signers.map(({ provider }) => provider).sort()).toEqual(["kms_a", "kms_b"]);
  await expect(accounts.renewWallets(account)).rejects.toMatchObject({ code: "no_changes" });

  const payment = { account, currency: "sol", destination: publicKeyOf("a shop"), amount: 5_000_000n } as const;
  const session = await signIn(holder.email);
  expect(session.wallets.map(({ address }) => address)).toContain(renewed[0]?.address);
  await transfers.send({ ...payment, session });
  // One that was opened before commands the new wallet as well, once it knows of it.
  await transfers.send({ ...payment, amount: 6_000_000n, session: { ...holder.session, wallets: session.wallets } });

  const target = { address: account as Address, settings: holder.settingsAddress as Address };
  const before = await balanceOf(network(), target.address);
  const thief = newKey();
  await trellis.network.sandbox?.airdrop(addressOfKey(thief) as Address, 1_000_000_000n);
  await strike(network(), target, thief, stolen);
  expect(await balanceOf(network(), target.address)).toBe(before);
});

it("is not for accounts of another tenant", async () => {
  const { address } = await trellis.openHolder();
  const path = `/api/service/v1/accounts/${address}/wallets:renew`;
  const other = await trellis.request("POST", path, { wallet_nonce: "5e".repeat(32) }, await asOtherTenant(trellis));
  expect(other).toMatchObject({ status: 404 });
});

const network = () => ({ network: trellis.network }) as TestNetwork;

async function rootNeeds() {
  const { db } = trellis.service;
  const key = Buffer.from(knownMasterKey.TRELLIS_MASTER_KEY, "base64");
  return { db, keyring: await keyringOf({ db, key }), random: systemRandom };
}

/** What a thief has who has the root. */
async function seedOf(needs: Parameters<typeof createSeedReader>[0], address: string) {
  const wallets = needs.db.selectFrom("kms_wallet").selectAll().where("address", "=", address);
  return createSeedReader(needs)(await wallets.executeTakeFirstOrThrow());
}

async function signIn(email: string) {
  const { auth, sandbox } = createTrellisClient({
    baseUrl: trellis.url,
    apiKey: trellis.apiKey,
    environment: "sandbox",
  });
  await auth.start({ email, provider: "kms_a" });
  const [mail] = await sandbox.outbox(email);
  const keyPair = generateEncryptionKeyPair();
  const verified = await auth.verify({
    email,
    otp_code: mail?.otp_code ?? "",
    provider: "kms_a",
    kms_provider_config: { encryption_public_key: keyPair.publicKeySpkiBase64 },
  });
  return openSession(verified.authentication[0], keyPair);
}
