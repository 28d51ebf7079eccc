import { randomBytes } from "node:crypto";
import type { Address, SignatureBytes } from "@solana/kit";
import { verifyEd25519 } from "@trellis/kernel/crypto/ed25519.js";
import { toUncompressedP256Point } from "@trellis/kernel/crypto/p256.js";
import { verifyReceipt } from "@trellis/kernel/custodian-receipt.js";
import {
  type AddedPasskey,
  type Custodian,
  type CustodianName,
  CustodyRefusal,
  type Wallet,
  type WalletRelyingParty,
} from "@trellis/kernel/ports/custodian.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import { addressBytes } from "@trellis/program-client";
import { readTransaction } from "@trellis/solana/transaction-bytes.js";
import { parsePasskeyDocument, parsePayload } from "../../custody/payload.js";
import type { OperationAnswer, OperationBody } from "../../custody/protocol/operations.js";
import { base64UrlOf, hexOf, toWireAuthorized } from "../../custody/protocol/wire.js";
import { walletProof } from "../../custody/wallet-proof.js";
import { type CustodianClient, failed } from "./custodian-client.js";
import type { KeyFolder } from "./key-folder.js";
import { createRemoteChanges } from "./remote-changes.js";
import { createRemotePolicies } from "./remote-policies.js";

/**
 * A custodian in a process of its own. What it answers is held against what was asked: a signature is verified before it is used, and
 * anything that is not what it has to be is CustodianUnavailable. The service keeps which wallets there are, and none of their keys.
 */
export function createRemoteCustodian(parts: {
  readonly provider: CustodianName;
  readonly client: CustodianClient;
  readonly keys: Pick<KeyFolder, "peer">;
  readonly db: Db;
  /** Its wallets are guarded ones. */
  readonly isGuardian: boolean;
}): Custodian {
  const { provider, client, keys, db, isGuardian } = parts;

  return {
    provider,
    ...(isGuardian && { isGuardian }),
    keepsKeys: true,

    async check() {
      await client.ask("getIdentity", {}, undefined);
    },

    async ensureWallet({ ownerId, environment, now, relyingParty, number = 1 }) {
      const known = await findKnownWallet(db, provider, ownerId, number);
      if (known !== undefined) return known;
      const nonce = randomBytes(32).toString("hex");
      const terms = isGuardian ? guardedTerms(relyingParty) : { kind: "session" as const };
      const asked = { owner: number === 1 ? ownerId : `${ownerId}/${number}`, environment, ...terms, nonce, now };
      const { wallet, proof } = await client.ask("ensureWallet", {}, asked);
      requireAsked(wallet, asked, keys);
      requireProof(wallet, nonce, proof);
      return { id: wallet.wallet_id, provider, ownerId, address: wallet.address as Address, createdAt: now };
    },

    async proveWallet({ walletId, nonce }) {
      if (!/^[0-9a-f]{64}$/.test(nonce))
        throw new CustodyRefusal("invalid_payload", "A nonce has 64 small hex digits.");
      const wallet = await getKnownWallet(db, provider, walletId);
      const proof = await client.ask("proveWallet", { wallet_id: walletId }, { nonce });
      return { message: proof.message, signature: requireProof(wallet, nonce, proof) };
    },

    async registerAuthorizationKey({ walletId, publicKey, now, expiresAt, grant }) {
      await getKnownWallet(db, provider, walletId);
      const point = Uint8Array.from(toUncompressedP256Point(publicKey));
      const { authorization_id: id } = await client.ask(
        "registerAuthorization",
        { wallet_id: walletId },
        {
          public_key: hexOf(point),
          expires_at: expiresAt,
          now,
          ...(grant === undefined ? {} : { grant: toWireAuthorized(grant) }),
        },
      );
      return { id };
    },

    async revokeAuthorizationKey({ id, now }) {
      await client.ask("revokeAuthorization", { authorization_id: id }, { now });
    },

    async sign(request) {
      const wallet = await getKnownWallet(db, provider, request.walletId);
      const messageBytes = messageIn(request.payload);
      const asked = { ...toWireAuthorized(request), now: request.now };
      const { signature } = await client.ask("sign", { wallet_id: wallet.id }, asked);
      return requireSignature(wallet.address, messageBytes, signature);
    },

    async checkAuthority(request) {
      const asked = { ...toWireAuthorized(request), now: request.now };
      await client.ask("checkAuthority", { wallet_id: request.walletId }, asked);
    },

    async beginPasskey({ walletId, rpId, now }) {
      const begun = await client.ask("beginPasskey", { wallet_id: walletId }, { rp_id: rpId, now });
      const challenge = Uint8Array.from(Buffer.from(begun.challenge, "base64url"));
      if (challenge.length !== 32 || begun.rp_id !== rpId) throw failed("its ceremony is another one");
      return { ceremonyId: begun.ceremony_id, challenge, expiresAt: begun.expires_at };
    },

    async addPasskey({ ceremonyId, registration, origins, ...request }) {
      const wallet = await getKnownWallet(db, provider, request.walletId);
      const document = parsePasskeyDocument(request.payload);
      if (document === undefined) throw new CustodyRefusal("invalid_payload", "The document is not well formed.");
      const asked = {
        ceremony_id: ceremonyId,
        registration: {
          authenticator_data: base64UrlOf(registration.authenticatorData),
          client_data_json: base64UrlOf(registration.clientDataJson),
        },
        origins: [...origins],
        ...(request.authority === undefined ? {} : { authorization: toWireAuthorized(request) }),
        now: request.now,
      };
      const { passkey, receipt } = await client.ask("addPasskey", { wallet_id: wallet.id }, asked);
      const { credential_id, public_key } = document.params;
      const isAsked = passkey.credential_id === credential_id && passkey.public_key === public_key;
      const listed = readReceipt(receipt, wallet, keys).passkeys;
      if (!isAsked || !listed.some((each) => each.credential_id === credential_id && each.public_key === public_key)) {
        throw failed("it has added another passkey");
      }
      return { ...toAdded(passkey), receipt };
    },

    async listPasskeys({ walletId }) {
      const { passkeys } = await client.ask("listPasskeys", { wallet_id: walletId }, undefined);
      return passkeys.map((each) => ({ ...toAdded(each), rpId: each.rp_id, createdAt: each.created_at }));
    },

    async takesFirstPasskey({ walletId }) {
      const listed = await client.ask("listPasskeys", { wallet_id: walletId }, undefined);
      return listed.passkeys.length === 0 && listed.takes_first_passkey !== false;
    },

    async removePasskey({ passkeyId, ...request }) {
      const wallet = await getKnownWallet(db, provider, request.walletId);
      const params = { wallet_id: wallet.id, passkey_id: passkeyId };
      const asked = { authorization: toWireAuthorized(request), now: request.now };
      const { receipt } = await client.ask("removePasskey", params, asked);
      readReceipt(receipt, wallet, keys);
    },

    ...createRemotePolicies({ client, keys, getWallet: (walletId) => getKnownWallet(db, provider, walletId) }),
    ...createRemoteChanges({ client, keys, getWallet: (walletId) => getKnownWallet(db, provider, walletId) }),

    beginWalletExport: refuseExport,
    cancelWalletExport: refuseExport,
    exportWallet: refuseExport,
    beginWalletImport: refuseImport,
    importWallet: refuseImport,
  };
}

async function refuseExport(): Promise<never> {
  throw new CustodyRefusal(
    "export_not_offered",
    "Keys of a custodian in a process of its own are not exported through the service.",
  );
}

async function refuseImport(): Promise<never> {
  throw new CustodyRefusal("import_not_offered", "A custodian in a process of its own takes no key that others had.");
}

/** What the service has recorded of a wallet; undefined: nothing yet. */
async function findKnownWallet(
  db: Db,
  provider: CustodianName,
  ownerId: string,
  number: number,
): Promise<Wallet | undefined> {
  const row = await db
    .selectFrom("wallet")
    .select(["id", "address", "created_at"])
    .where("owner_id", "=", ownerId)
    .where("provider", "=", provider)
    .where("number", "=", number)
    .executeTakeFirst();
  return row && { id: row.id, provider, ownerId, address: row.address as Address, createdAt: Number(row.created_at) };
}

/** Throws CustodyRefusal for a wallet that is not there. */
async function getKnownWallet(db: Db, provider: CustodianName, walletId: string) {
  const row = await db
    .selectFrom("wallet")
    .select(["id", "address", "environment"])
    .where("id", "=", walletId)
    .where("provider", "=", provider)
    .executeTakeFirst();
  if (row === undefined) throw new CustodyRefusal("wallet_not_found", "There is no such wallet.");
  return row;
}

/** Where the passkeys of a guarded wallet belong, for good. */
function guardedTerms(
  relyingParty: WalletRelyingParty | undefined,
): Pick<OperationBody<"ensureWallet">, "kind" | "rp"> {
  if (relyingParty === undefined) throw new Error("a guarded wallet is asked for without a relying party");
  return { kind: "guarded", rp: { id: relyingParty.id, origins: [...relyingParty.origins] } };
}

function toAdded(passkey: OperationAnswer<"addPasskey">["passkey"]): AddedPasskey {
  return {
    id: passkey.id,
    credentialId: passkey.credential_id,
    publicKey: Uint8Array.from(Buffer.from(passkey.public_key, "hex")),
    aaguid: passkey.aaguid,
    isSynced: passkey.is_synced,
  };
}

type WireWallet = OperationAnswer<"getWallet">["wallet"];
type WireProof = OperationAnswer<"proveWallet">;

/** A wallet as far as it is proven. */
interface ProvenWallet {
  readonly address: string;
  readonly environment: string;
}

function requireAsked(
  wallet: WireWallet,
  asked: { readonly owner: string; readonly environment: EnvironmentName; readonly kind: string },
  keys: Pick<KeyFolder, "peer">,
): void {
  const isAsked =
    wallet.owner === asked.owner && wallet.environment === asked.environment && wallet.kind === asked.kind;
  if (!isAsked) throw failed("its wallet is another one");
  const { policy } = readReceipt(wallet.receipt, { id: wallet.wallet_id, address: wallet.address }, keys);
  if (policy.kind !== asked.kind) throw failed("its receipt is about a wallet of another kind");
}

function readReceipt(
  receipt: WireWallet["receipt"],
  { id, address }: { readonly id: string; readonly address: string },
  { peer }: Pick<KeyFolder, "peer">,
) {
  const read = verifyReceipt(peer, receipt);
  if (read?.wallet !== id || read.address !== address) throw failed("its receipt is not one of this wallet");
  return read;
}

/** The signature over the one text that proves a wallet, by the wallet's key. */
function requireProof(wallet: ProvenWallet, nonce: string, { message, signature }: WireProof): SignatureBytes {
  if (message !== walletProof(wallet, nonce)) throw failed("its proof is another text");
  return requireSignature(wallet.address, Buffer.from(message, "utf8"), signature);
}

function requireSignature(address: string, message: Uint8Array, text: string): SignatureBytes {
  const signature = Uint8Array.from(Buffer.from(text, "base64url"));
  if (!verifyEd25519(addressBytes(address as Address), message, signature)) {
    throw failed("its signature is not one of the wallet's key over what was asked");
  }
  return signature as SignatureBytes;
}

/** The message of the transaction inside a payload. Throws CustodyRefusal where there is none. */
function messageIn(payload: string): Uint8Array {
  const document = parsePayload(payload);
  const read = document && readTransaction(Buffer.from(document.params.transaction, "base64"));
  if (read === undefined) throw new CustodyRefusal("invalid_payload", "The payload does not hold a transaction.");
  return Uint8Array.from(read.transaction.messageBytes);
}
