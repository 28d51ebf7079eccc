import { createHash } from "node:crypto";
import { type SignedReceipt, signReceipt } from "@trellis/kernel/custodian-receipt.js";
import { type AddedPasskey, CustodyRefusal, type Wallet } from "@trellis/kernel/ports/custodian.js";
import type { BuiltInCustodian } from "../adapters/kms/built-in-custodian.js";
import { identityText } from "../adapters/kms/key-folder.js";
import { challengeFor } from "../custody/passkey/passkey-stamp.js";
import { isTimely, parseGrant } from "../custody/payload.js";
import type { OperationAnswer, OperationBody, OperationName } from "../custody/protocol/operations.js";
import type { WireAuthorized } from "../custody/protocol/schemas.js";
import { base64UrlOf, hexOf } from "../custody/protocol/wire.js";
import { requireGrantable } from "./after-restore.js";
import { cancelChange, readChanges } from "./change-handlers.js";
import { authorizedOf, type CustodianContext, getWallet, requirePasskeyOf, termsOf, timeOf } from "./context.js";
import { asCustodianTrx } from "./custodian-db.js";
import { logHandlers } from "./log-handlers.js";
import { enterRefusal } from "./own-log.js";
import { documentExpired, readPolicy, setPolicy } from "./policy-handlers.js";
import { ProtocolError } from "./refusals.js";
import { requireParty } from "./relying-parties.js";
import type { WalletTerms } from "./wallet-terms.js";

/** A request that was checked against its operation. */
interface Asked<Name extends OperationName> {
  readonly params: Readonly<Record<string, string>>;
  readonly body: OperationBody<Name>;
}

export type Handlers = {
  readonly [Name in OperationName]: (context: CustodianContext, asked: Asked<Name>) => Promise<OperationAnswer<Name>>;
};

/** What carries out each operation. Throws CustodyRefusal and ProtocolError. */
export const handlers: Handlers = {
  async ensureWallet(context, { body }) {
    const { owner, environment, kind, nonce } = body;
    if (!context.environments.includes(environment)) {
      throw new CustodyRefusal("invalid_payload", "The custodian holds no wallets of this environment.");
    }
    if (kind === "session" && body.rp !== undefined) {
      throw new ProtocolError(
        "invalid_request",
        "The domain of a session wallet's passkeys is not fixed: leave out rp.",
      );
    }
    const rp = kind === "guarded" ? requireParty(body.rp, environment, context.relyingParties) : null;
    // A guarded wallet that is lost stays lost: see `planOf`.
    const walletId = kind === "guarded" ? context.random.uuid() : context.sessionWalletId(environment, owner);
    const terms = await context.terms.ensure({ walletId, ownerId: owner, environment, kind, rp });
    const now = await timeOf(context, terms, body.now);
    const wallet = await context.custodian.ensureWallet({ ownerId: owner, environment, now });
    const proof = await context.custodian.proveWallet({ walletId: wallet.id, nonce });
    return {
      wallet: await toWireWallet(context, terms, wallet),
      proof: { message: proof.message, signature: base64UrlOf(proof.signature) },
    };
  },

  async getWallet(context, { params }) {
    const terms = await termsOf(context, params);
    return { wallet: await toWireWallet(context, terms, await getWallet(context, terms)) };
  },

  async proveWallet(context, { params, body }) {
    const { walletId } = await termsOf(context, params);
    const { message, signature } = await context.custodian.proveWallet({ walletId, nonce: body.nonce });
    return { message, signature: base64UrlOf(signature) };
  },

  async registerAuthorization(context, { params, body }) {
    const terms = await termsOf(context, params);
    const now = await timeOf(context, terms, body.now);
    const publicKey = Buffer.from(body.public_key, "hex");
    const { walletId } = terms;
    if (terms.kind === "guarded") return { authorization_id: await registerGranted(context, terms, body, now) };
    const grant = body.grant === undefined ? {} : { grant: authorizedOf(context, terms, body.grant, now) };
    const expiresAt = body.expires_at;
    const { id } = await context.custodian.registerAuthorizationKey({ walletId, publicKey, now, expiresAt, ...grant });
    return { authorization_id: id };
  },

  async revokeAuthorization(context, { params, body }) {
    const id = params.authorization_id ?? "";
    const key = await context.db
      .selectFrom("kms_authorization_key")
      .select("wallet_id")
      .where("id", "=", id)
      .executeTakeFirst();
    if (key === undefined) return {};
    const now = await timeOf(context, await context.terms.get(key.wallet_id), body.now);
    await context.custodian.revokeAuthorizationKey({ id, now });
    return {};
  },

  async sign(context, { params, body }) {
    const terms = await termsOf(context, params);
    const now = await timeOf(context, terms, body.now);
    const { walletId } = terms;
    const signature = await enterRefusal(context.ownLog, { walletId, payload: body.payload }, () =>
      context.custodian.sign(authorizedOf(context, terms, body, now)),
    );
    return { signature: base64UrlOf(signature) };
  },

  async checkAuthority(context, { params, body }) {
    const terms = await termsOf(context, params);
    const now = await timeOf(context, terms, body.now);
    await context.custodian.checkAuthority(authorizedOf(context, terms, body, now));
    return {};
  },

  async listPasskeys(context, { params }) {
    const { walletId, kind, hadPasskey } = await termsOf(context, params);
    const passkeys = await context.custodian.listPasskeys({ walletId });
    return {
      takes_first_passkey: kind === "guarded" && !hadPasskey,
      passkeys: passkeys.map(({ rpId, createdAt, ...passkey }) => ({
        ...toWirePasskey(passkey),
        rp_id: rpId,
        created_at: createdAt,
      })),
    };
  },

  async beginPasskey(context, { params, body }) {
    const terms = await termsOf(context, params);
    const now = await timeOf(context, terms, body.now);
    const rpId = terms.rp?.id ?? body.rp_id;
    if (rpId === undefined) throw new ProtocolError("invalid_request", "Name the domain of the passkey: rp_id.");
    const begun = await context.custodian.beginPasskey({ walletId: terms.walletId, rpId, now });
    return {
      ceremony_id: begun.ceremonyId,
      challenge: base64UrlOf(begun.challenge),
      rp_id: rpId,
      expires_at: begun.expiresAt,
    };
  },

  async addPasskey(context, { params, body }) {
    const terms = await termsOf(context, params);
    const now = await timeOf(context, terms, body.now);
    const asked = {
      walletId: terms.walletId,
      ceremonyId: body.ceremony_id,
      registration: {
        authenticatorData: Buffer.from(body.registration.authenticator_data, "base64url"),
        clientDataJson: Buffer.from(body.registration.client_data_json, "base64url"),
      },
      origins: terms.rp?.origins ?? body.origins ?? [],
      now,
    };
    const added = await addPasskey(context, terms, asked, body.authorization);
    return { passkey: toWirePasskey(added), receipt: await receiptOf(context, terms) };
  },

  async removePasskey(context, { params, body }) {
    const terms = await termsOf(context, params);
    const now = await timeOf(context, terms, body.now);
    const authorized = authorizedOf(context, terms, requirePasskeyOf(terms, body.authorization), now);
    await context.custodian.removePasskey({ ...authorized, passkeyId: params.passkey_id ?? "" });
    return { receipt: await receiptOf(context, terms) };
  },

  ...logHandlers,
  readPolicy,
  setPolicy,
  readChanges,
  cancelChange,

  async getIdentity({ db, name, identity, environments, clock }) {
    await db.selectFrom("meta").select("key").limit(1).execute();
    return { name, identity: identityText(identity), environments: [...environments], time: clock.now() };
  },
};

async function addPasskey(
  context: CustodianContext,
  terms: WalletTerms,
  asked: Parameters<BuiltInCustodian["addFirstPasskey"]>[0],
  authorization: WireAuthorized | undefined,
): Promise<AddedPasskey> {
  if (authorization !== undefined) {
    const authorized = authorizedOf(context, terms, requirePasskeyOf(terms, authorization), asked.now);
    return context.custodian.addPasskey({ ...authorized, ...asked });
  }
  if (terms.kind !== "guarded") {
    throw new CustodyRefusal("not_granted", "A live authority of the wallet has to authorize a passkey.");
  }
  return context.custodian.addFirstPasskey(asked, (trx) =>
    context.terms.claimFirstPasskey(asCustodianTrx(trx), terms.walletId),
  );
}

/** Registers a key that a passkey has granted: exactly this one, until exactly then. */
async function registerGranted(
  context: CustodianContext,
  terms: WalletTerms,
  body: OperationBody<"registerAuthorization">,
  now: number,
): Promise<string> {
  const { grant, public_key, expires_at: expiresAt } = body;
  if (grant === undefined) {
    throw new CustodyRefusal("not_granted", "A guarded wallet takes a key that a passkey of its own has granted.");
  }
  requireGrantable(context, expiresAt, now);
  const { address } = await getWallet(context, terms);
  const document = parseGrant(grant.payload);
  const challenge = challengeFor(grant.payload);
  const isThis =
    document?.wallet === address &&
    document.environment === terms.environment &&
    document.params.public_key === public_key &&
    Date.parse(document.params.expires_at) === expiresAt;
  if (!isThis || challenge === undefined) {
    throw new CustodyRefusal("invalid_payload", "The grant is not one of this key for this wallet.");
  }
  if (expiresAt <= now) throw new CustodyRefusal("payload_expired", "The grant has expired.");
  // Named by what was granted: the same grant again finds this key, be it revoked or not.
  const id = createHash("sha256").update("trellis-custodian/1 grant\n").update(challenge).digest("base64url");
  const known = context.db.selectFrom("kms_authorization_key").select("id").where("id", "=", id).executeTakeFirst();
  if (!isTimely(document, now) && (await known) === undefined) throw documentExpired();
  await context.custodian.requirePasskey(authorizedOf(context, terms, grant, now));
  const publicKey = Buffer.from(public_key, "hex");
  await context.custodian.registerNamedKey({ id, walletId: terms.walletId, publicKey, now, expiresAt });
  return id;
}

async function receiptOf(context: CustodianContext, terms: WalletTerms): Promise<SignedReceipt> {
  const wallet = await getWallet(context, terms);
  const passkeys = [...(await context.custodian.listPasskeys(terms))].sort((one, other) =>
    one.credentialId < other.credentialId ? -1 : 1,
  );
  return signReceipt(context.identity, {
    wallet: wallet.id,
    address: wallet.address,
    passkeys: passkeys.map(({ credentialId, publicKey }) => ({
      credential_id: credentialId,
      public_key: hexOf(publicKey),
    })),
    policy: { kind: terms.kind, rp: terms.rp },
  });
}

async function toWireWallet(context: CustodianContext, terms: WalletTerms, wallet: Wallet) {
  return {
    wallet_id: wallet.id,
    owner: wallet.ownerId,
    environment: terms.environment,
    kind: terms.kind,
    address: wallet.address,
    created_at: wallet.createdAt,
    receipt: await receiptOf(context, terms),
  };
}

function toWirePasskey({ id, credentialId, publicKey, aaguid, isSynced }: AddedPasskey) {
  return { id, credential_id: credentialId, public_key: hexOf(publicKey), aaguid, is_synced: isSynced };
}
