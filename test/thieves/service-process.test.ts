import { createHash, randomBytes } from "node:crypto";
import { request as httpsRequest } from "node:https";
import { AccountRole, type Address, type Instruction } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { ed25519PublicKeyOf, signEd25519 } from "@trellis/kernel/crypto/ed25519.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { CustodyRefusal } from "@trellis/kernel/ports/custodian.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import {
  executeSettingsTransactionSyncInstruction,
  executeTransactionSyncInstruction,
  voteInstruction,
} from "@trellis/program-client";
import { asSigner } from "@trellis/program-client/plain-instruction.js";
import { compileMessage } from "@trellis/solana/compile-message.js";
import { readTransaction, writeTransaction } from "@trellis/solana/transaction-bytes.js";
import { toBase64 } from "@trellis/solana/wire-transaction.js";
import { describe, expect, it } from "vitest";
import { openKeyring } from "../../src/adapters/keyring.js";
import { noKeyStores } from "../../src/config/key-stores.js";
import { createWalletPolicies } from "../../src/custodian/policy/create-policy.js";
import { defaultPolicies } from "../../src/custodian/policy/wallet-policy.js";
import { encodePayload, type PayloadDocument } from "../../src/custody/payload.js";
import { frame, requestToSign } from "../../src/custody/protocol/frame.js";
import { preparePayment } from "../../src/payments/prepare-payment.js";
import { submitTransactions } from "../../src/transactions/submit-transactions.js";
import { createSoftPasskey, type SoftPasskey } from "../support/authenticator.js";
import { launchCustodian } from "../support/custodian-process.js";
import { payloadOf, pointOf, wireStampOf } from "../support/custody-payloads.js";
import { byPasskey, bySessionKey, page, toPayload } from "../support/passkeys.js";
import { createP256Key, publicKeyOf, stampKmsB } from "../support/test-network.js";
import { attempt, balanceOf, strike } from "../support/thief-on-chain.js";
import { lamportsHeld, openWallets, type Prepared, useThievesScene, type Victim } from "../support/thieves-scene.js";
import { plays } from "../support/thieves-table.js";

/** A guarded account of somebody's, with what passes through the service when its holder pays a shop. */
interface Robbed {
  readonly victim: Victim;
  readonly passkey: SoftPasskey;
  readonly passkeyId: string;
  readonly walletId: string;
  readonly owner: string;
  readonly wallet: Address;
  readonly prepared: Prepared;
  /** What the holder has approved, and the stamp. */
  readonly approved: string;
  readonly stamp: Stamp;
  /** What the thief wants signed. */
  readonly wanted: string;
}

type Stamp = ReturnType<typeof wireStampOf>;
type Attempt = () => Promise<unknown>;

const amount = 7_000_000n;

/** Everything that a service can say to have something signed that its user has not approved. */
const lies: Readonly<Record<string, (robbed: Robbed) => Promise<readonly Attempt[]>>> = {
  "registers an authorization key of its own, with no grant, its own, or another approval for one": async (robbed) => {
    const { walletId, wallet, stamp, approved } = robbed;
    const key = createP256Key();
    const now = time();
    const asked = { public_key: hex(pointOf(key)), expires_at: now + 3_600_000, now };
    const grant = toPayload({
      version: 1,
      method: "authorizeKey",
      environment: "sandbox",
      wallet,
      params: { public_key: asked.public_key, expires_at: new Date(asked.expires_at).toISOString() },
      nonce: "n",
      expires_at: new Date(now + 600_000).toISOString(),
    });
    const own = createSoftPasskey();
    const register = (given?: { payload: string; stamp: Stamp }) =>
      client().ask(
        "registerAuthorization",
        { wallet_id: walletId },
        { ...asked, ...(given && { grant: { ...given, authority: authorityOf(robbed) } }) },
      );
    const session = { owner: robbed.owner, environment: "sandbox", kind: "session" } as const;
    return [
      () => register(),
      () => register({ payload: grant, stamp: wireStampOf(own, grant) }),
      () => register({ payload: grant, stamp }),
      () => register({ payload: approved, stamp }),
      () => client().ask("ensureWallet", {}, { ...session, nonce: "0".repeat(64), now }),
      () => {
        const { public_key, signature, timestamp_ms } = stampKmsB(robbed.wanted, key, Date.now());
        const bySession = { form: "kms_b" as const, public_key, signature, timestamp_ms };
        const authority = { kind: "session" as const, authorization_id: "any" };
        return client().ask(
          "sign",
          { wallet_id: walletId },
          { payload: robbed.wanted, stamp: bySession, authority, now },
        );
      },
    ];
  },

  "sends a passkey of its own: as the first, as the second, in place of the holder's": async (robbed) => {
    const own = createSoftPasskey();
    const { walletId, wallet, stamp, approved, wanted, passkey } = robbed;
    const enrol = async (authorization?: (document: string) => { payload: string; stamp: Stamp }) => {
      const begun = await client().ask("beginPasskey", { wallet_id: walletId }, { now: time() });
      const made = own.register({ ...page, challenge: Buffer.from(begun.challenge, "base64url") });
      const document = toPayload({
        version: 1,
        method: "addPasskey",
        environment: "sandbox",
        wallet,
        params: { credential_id: text(own.credentialId), public_key: hex(own.point) },
        nonce: begun.challenge,
      });
      const given = authorization?.(document);
      return client().ask(
        "addPasskey",
        { wallet_id: walletId },
        {
          ceremony_id: begun.ceremony_id,
          registration: { authenticator_data: made.authenticatorData, client_data_json: made.clientDataJSON },
          now: time(),
          ...(given && { authorization: { ...given, authority: authorityOf(robbed) } }),
        },
      );
    };
    const asIfHolder = { ...wireStampOf(own, wanted), credential_id: text(passkey.credentialId) };
    return [
      () => enrol(),
      () => enrol((payload) => ({ payload, stamp: wireStampOf(own, payload) })),
      () => enrol((payload) => ({ payload, stamp })),
      () => enrol(() => ({ payload: approved, stamp })),
      () => sign(robbed, { payload: wanted, stamp: wireStampOf(own, wanted) }),
      () => sign(robbed, { payload: wanted, stamp: asIfHolder }),
    ];
  },

  "carries the holder's stamp to another payment, or says in a summary that it is the same": async (robbed) => {
    const { approved, wanted } = robbed;
    const honest = documentOf(approved);
    const { params } = documentOf(wanted);
    return [
      { ...honest, params },
      { ...honest, summary: [{ type: "transfer", to: publicKeyOf("a shop") }], params },
      { ...honest, summary: [] },
      { ...honest, nonce: "another" },
      { ...honest, expires_at: new Date(time() + 86_400_000).toISOString() },
    ].map((document) => () => sign(robbed, { payload: toPayload(document) }));
  },

  "alters a byte of what the holder has approved": async (robbed) => {
    const bytes = Buffer.from(robbed.approved, "base64");
    const places = Array.from({ length: 60 }, (_, i) => Math.floor((i * bytes.length) / 60));
    return places.map((at) => () => {
      const changed = Buffer.from(Uint8Array.from(bytes).with(at, (bytes[at] ?? 0) ^ 1));
      return sign(robbed, { payload: changed.toString("base64") });
    });
  },

  "asks other wallets, or for the wallet of another holder": async (robbed) => {
    const other = await robbedOf(await scene.open("guarded"));
    const document = { ...documentOf(robbed.approved), wallet: other.wallet };
    return [
      () => sign({ ...robbed, walletId: other.walletId }, {}),
      () => sign({ ...robbed, walletId: other.walletId, passkeyId: other.passkeyId }, {}),
      () => sign({ ...robbed, walletId: other.walletId }, { payload: toPayload(document) }),
      () => sign({ ...other, passkeyId: robbed.passkeyId }, { stamp: robbed.stamp }),
    ];
  },

  "has the holder's passkey stamp on another page, and names its origin or its domain as right": async (robbed) => {
    const origin = "https://evil.example";
    const { wanted, passkey, victim, walletId } = robbed;
    const stampFrom = (rpId: string) => {
      const { kms_signed_payload } = byPasskey(passkey, wanted, { origin, rpId }, "kms_c");
      return { form: "passkey" as const, ...kms_signed_payload };
    };
    const authority = { ...authorityOf(robbed), origins: [origin] };
    const rp = { id: "evil.example", origins: [origin] };
    const now = time();
    return [
      () => sign(robbed, { payload: wanted, stamp: stampFrom(page.rpId), authority }),
      () => sign(robbed, { payload: wanted, stamp: stampFrom(rp.id), authority }),
      () =>
        client().ask(
          "ensureWallet",
          {},
          { owner: robbed.owner, environment: "sandbox", kind: "guarded", rp, nonce: "0".repeat(64), now },
        ),
      () => scene.enrol(victim.address, (document) => bySessionKey(victim.authorizationKey, document)),
      () =>
        client().ask(
          "removePasskey",
          { wallet_id: walletId, passkey_id: robbed.passkeyId },
          { authorization: { payload: wanted, stamp: robbed.stamp, authority }, now },
        ),
    ];
  },

  "has the holder approve what nobody can read, or a change of signers at once": async (robbed) => {
    const { wallet, victim, prepared } = robbed;
    const members = prepared.kms_payloads.map(({ payload }) => documentOf(payload).wallet as Address);
    const { settings, address } = victim;
    const rentPayer = test.network.feePayer.address;
    const unknown: Instruction = {
      programAddress: publicKeyOf("a program of the thief's"),
      accounts: [{ address, role: AccountRole.WRITABLE_SIGNER }],
      data: Uint8Array.of(1),
    };
    const key = scene.thiefAddress;
    const messages: readonly Instruction[] = [
      executeTransactionSyncInstruction({ settings, members, instructions: [unknown] }),
      getTransferSolInstruction({ source: asSigner(wallet), destination: key, amount: 1n }),
      voteInstruction({ action: "approve", settings, transactionIndex: 1n, signer: wallet }),
      executeSettingsTransactionSyncInstruction({
        settings,
        members,
        rentPayer,
        actions: [{ __kind: "AddSigner", newSigner: { key, permissions: 7 } }],
      }),
    ];
    return messages.map((instruction) => () => {
      const payload = payloadOver(robbed, instruction);
      return sign(robbed, { payload, stamp: wireStampOf(robbed.passkey, payload) });
    });
  },

  "rolls its clock: of the connection, forwards, and back to where an approval was good": async (robbed) => {
    const offMs = [61_000, -61_000];
    const late = time() + 86_400_000;
    const { approved, stamp } = robbed;
    const past = await onDevnet();
    return [
      ...offMs.map(
        (off) => () =>
          guardian
            .clientWith({ now: () => Date.now() + off })
            .ask("sign", { wallet_id: robbed.walletId }, requestOf(robbed, {})),
      ),
      () => sign(robbed, { now: late }),
      () => sign(robbed, { now: time(), payload: approved, stamp }),
      // Another network's wallets go by the guardian's own clock.
      ...[Date.now(), Date.now() - 3_600_000, Date.now() - 7_200_000].map((now) => () => past(now)),
    ];
  },
};

/**
 * The service's process in the hands of a thief, against `trellis custodian` as a process of its own: with the keys of the connection, the
 * master key, the database, and every stamp that passes by.
 */
const scene = useThievesScene({ launch: launchCustodian });
const { test, guardian } = scene;

plays(scene, "The service's process", async (victim) => {
  const { db, keyring } = test.needs;
  if (victim.kind === "guarded") {
    const robbed = await robbedOf(victim);
    for (const lie of Object.values(lies)) await tell(lie, robbed);
  }
  await strike(test, victim, scene.thief, await openWallets(db, keyring, victim));
});

describe("the guardian signs nothing for a service that", () => {
  it.each(Object.entries(lies))("%s", async (_, lie) => {
    const robbed = await robbedOf(await scene.open("guarded"));
    await tell(lie, robbed);
    expect(await balanceOf(test, robbed.victim.address)).toBe(lamportsHeld);
  });

  it("asks twice with what the holder has approved: the chain pays once", async () => {
    const robbed = await robbedOf(await scene.open("guarded"), { isApproved: true });
    expect(await sign(robbed, {})).toEqual(await sign(robbed, {}));
    await submitApproved(robbed);
    await attempt(() => submitApproved(robbed));
    expect(await balanceOf(test, robbed.victim.address)).toBe(lamportsHeld - amount);
  });

  it("sends a request again that was carried out, also after the guardian was started again", async () => {
    const robbed = await robbedOf(await scene.open("guarded"), { isApproved: true });
    const again = signedRequest(`/v1/wallets/${robbed.walletId}/sign`, requestOf(robbed, {}));
    expect(await again()).toBe(200);
    expect(await again()).toBe(409);
    await guardian.stop();
    await guardian.start();
    scene.connect();
    expect(await again()).toBe(409);
  });

  it("splits a payment into many that are below the limits", async () => {
    const robbed = await robbedOf(await scene.open("guarded"));
    await limitTo(robbed, 2n * amount);
    for (let i = 0; i < 4; i += 1) {
      // The page has the finger each time.
      const payload = payloadOfGuardian(await pay(robbed.victim, amount + BigInt(i), scene.thiefAddress));
      const asked = sign(robbed, { payload, stamp: wireStampOf(robbed.passkey, payload) });
      if (i > 0) await expect(asked).rejects.toMatchObject({ reason: "policy" });
      else {
        await asked;
        approvals.get(robbed.walletId)?.add(hashOf(payload));
      }
    }
  });

  it("has tried all of that: its store has the approved messages, no key, and each holder's own passkey", async () => {
    await guardian.stop();
    await guardian.inDatabase(async (db) => {
      expect(await db.selectFrom("kms_authorization_key").select("id").execute()).toEqual([]);
      for (const [walletId, hashes] of approvals) {
        const counted = await db
          .selectFrom("custodian_counted")
          .select("message_hash")
          .where("wallet_id", "=", walletId)
          .execute();
        expect(new Set(counted.map(({ message_hash }) => hex(message_hash)))).toEqual(hashes);
        const passkeys = await db.selectFrom("kms_passkey").select("id").where("wallet_id", "=", walletId).execute();
        expect(passkeys).toHaveLength(1);
      }
    });
    await guardian.start();
    scene.connect();
    expect(approvals.size).toBeGreaterThan(10);
  });
});

/** By wallet: hashes of the messages that its holder has approved, and the service has asked for. */
const approvals = new Map<string, Set<string>>();

const client = () => guardian.clientWith();
const time = () => test.network.clock.now();
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
const documentOf = (payload: string) => JSON.parse(Buffer.from(payload, "base64").toString("utf8")) as PayloadDocument;

function hashOf(payload: string): string {
  const read = readTransaction(Buffer.from(documentOf(payload).params.transaction, "base64"));
  return createHash("sha256")
    .update(Uint8Array.from(read?.transaction.messageBytes ?? []))
    .digest("hex");
}

async function robbedOf(victim: Victim, { isApproved = false } = {}): Promise<Robbed> {
  const { passkey } = victim;
  const wallet = victim.verified.policies.signers[1]?.address as Address;
  const row = await test.needs.db
    .selectFrom("wallet")
    .select(["id", "owner_id"])
    .where("address", "=", wallet)
    .executeTakeFirstOrThrow();
  const { passkeys } = await client().ask("listPasskeys", { wallet_id: row.id }, undefined);
  const prepared = await pay(victim, amount, publicKeyOf("a shop"));
  const approved = payloadOfGuardian(prepared);
  if (passkey === undefined) throw new Error("a guarded account has a passkey");
  approvals.set(row.id, new Set(isApproved ? [hashOf(approved)] : []));
  return {
    victim,
    passkey,
    passkeyId: passkeys[0]?.id ?? "",
    walletId: row.id,
    owner: row.owner_id,
    wallet,
    prepared,
    approved,
    stamp: wireStampOf(passkey, approved),
    wanted: payloadOfGuardian(await pay(victim, lamportsHeld, scene.thiefAddress)),
  };
}

const payloadOfGuardian = ({ kms_payloads }: Prepared) =>
  kms_payloads.find(({ provider }) => provider === "kms_c")?.payload ?? "";

const authorityOf = ({ passkeyId }: Robbed) => ({ kind: "passkey" as const, passkey_id: passkeyId });

const requestOf = (robbed: Robbed, more: object) => ({
  payload: robbed.approved,
  stamp: robbed.stamp,
  authority: authorityOf(robbed),
  now: time(),
  ...more,
});

const sign = (robbed: Robbed, more: object) =>
  client().ask("sign", { wallet_id: robbed.walletId }, requestOf(robbed, more));

async function tell(lie: (robbed: Robbed) => Promise<readonly Attempt[]>, robbed: Robbed): Promise<void> {
  for (const one of await lie(robbed)) {
    const error: unknown = await one().then(
      () => new Error("it was carried out"),
      (refusal: unknown) => refusal,
    );
    // Refused for good, by the guardian or before it; of a clock that is off the guardian hears nothing.
    if (error instanceof CustodyRefusal || error instanceof TrellisError) continue;
    expect(error).toMatchObject({ name: "CustodianUnavailable", message: expect.stringContaining("unauthenticated") });
  }
}

const pay = ({ address }: Victim, lamports: bigint, to: string) =>
  test.call<Prepared>(preparePayment, {
    params: { address },
    body: {
      amount: String(lamports),
      source: { account: address, currency: "sol" },
      destination: { address: to, currency: "sol" },
    },
  });

const submitApproved = ({ victim, passkey, prepared: { transaction, kms_payloads } }: Robbed) =>
  test.call(submitTransactions, {
    params: { address: victim.address },
    body: {
      transaction,
      kms_payloads: kms_payloads.map(({ payload, provider }) =>
        provider === "kms_c"
          ? byPasskey(passkey, payload, {}, provider)
          : bySessionKey(victim.authorizationKey, documentOf(payload)),
      ),
    },
  });

/** A payload that holds a transaction of the service's own making. */
function payloadOver({ wallet, victim }: Robbed, instruction: Instruction): string {
  const { messageBytes, signers } = compileMessage(test.network.feePayer.address, publicKeyOf("a block"), [
    instruction,
  ]);
  return encodePayload({
    version: 1,
    method: "signTransaction",
    environment: "sandbox",
    account: victim.address,
    wallet,
    params: {
      transaction: toBase64(
        writeTransaction(
          signers.map(() => null),
          messageBytes,
        ),
      ),
      encoding: "base64",
    },
    nonce: "n",
    expires_at: new Date(time() + 60_000).toISOString(),
  });
}

/** A request to sign for a wallet of devnet what was approved there and has expired an hour ago. */
async function onDevnet() {
  const passkey = createSoftPasskey();
  const rp = { id: page.rpId, origins: [page.origin] };
  const owner = `devnet-${randomBytes(8).toString("hex")}`;
  const environment = "devnet" as const;
  const ensured = { owner, environment, kind: "guarded" as const, rp, nonce: "0".repeat(64), now: time() };
  const { wallet } = await client().ask("ensureWallet", {}, ensured);
  const params = { wallet_id: wallet.wallet_id };
  const begun = await client().ask("beginPasskey", params, { now: time() });
  const made = passkey.register({ ...page, challenge: Buffer.from(begun.challenge, "base64url") });
  const added = await client().ask("addPasskey", params, {
    ceremony_id: begun.ceremony_id,
    registration: { authenticator_data: made.authenticatorData, client_data_json: made.clientDataJSON },
    now: time(),
  });
  const payload = payloadOf(wallet.address as Address, Date.now() - 3_660_000, { environment });
  const authority = { kind: "passkey" as const, passkey_id: added.passkey.id };
  return (now: number) =>
    client().ask("sign", params, { payload, stamp: wireStampOf(passkey, payload), authority, now });
}

/** A request as the service signs it, to be sent as often as one likes. Gives the status. */
function signedRequest(path: string, content: object): () => Promise<number> {
  const { keys } = guardian;
  const body = Buffer.from(JSON.stringify(content));
  const [time, nonce] = [String(Date.now()), randomBytes(frame.nonceBytes).toString("base64url")];
  const recipient = ed25519PublicKeyOf(keys.peer);
  const signed = requestToSign({ method: "POST", path, time, nonce, body, recipient });
  const headers = {
    [frame.timeHeader]: time,
    [frame.nonceHeader]: nonce,
    [frame.signatureHeader]: text(signEd25519(keys.identity, signed)),
  };
  const { key, certificate: cert, peerCertificate: ca } = keys;
  const tls = { key, cert, ca, checkServerIdentity: () => undefined };
  return () =>
    new Promise((resolve, reject) => {
      const sent = httpsRequest(
        new URL(path, guardian.url),
        { method: "POST", headers, agent: false, ...tls },
        (answer) => {
          answer.resume();
          resolve(answer.statusCode ?? 0);
        },
      );
      sent.on("error", reject);
      sent.end(body);
    });
}

/** The holder's policy at the guardian: so much SOL a day. */
async function limitTo({ walletId, wallet }: Robbed, lamports: bigint): Promise<void> {
  await guardian.stop();
  await guardian.inDatabase(async (db) => {
    const keyring = await openKeyring({ ...guardian.config, keyStores: noKeyStores }, db as unknown as Db);
    const policies = createWalletPolicies({ db, secret: keyring.deriveSecret("custodian/policy") });
    const { guarded } = defaultPolicies;
    const day = { type: "calendar", unit: "day" } as const;
    const limit = { mint: null, per_period: [{ amount: String(lamports), period: day }] };
    const policy = { ...guarded, transfers: { ...guarded.transfers, limits: [limit] } };
    const held = await policies.setPolicy({
      wallet: { id: walletId, address: wallet, environment: "sandbox", kind: "guarded" },
      now: time(),
      order: { policy, replaces: 0, expiresAt: time() + 60_000, documentHash: "0".repeat(64) },
    });
    expect(held).toMatchObject({ policy, version: 1, next: null });
  });
  await guardian.start();
  scene.connect();
}
