import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { Macs } from "@trellis/kernel/crypto/macs.js";
import { type NewPasskey, readRegistration } from "@trellis/kernel/crypto/webauthn.js";
import { limits } from "@trellis/kernel/limits.js";
import {
  type AddedPasskey,
  type Authorized,
  type Custodian,
  CustodyRefusal,
  type ListedPasskey,
} from "@trellis/kernel/ports/custodian.js";
import type {
  DatabaseSchema,
  Db,
  KmsCeremonyTable,
  KmsPasskeyTable,
  KmsWalletTable,
} from "@trellis/kernel/ports/database.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { relyingPartyOf } from "@trellis/kernel/relying-party.js";
import { sql, type Transaction } from "kysely";
import { passkeyParts, verifyPasskeyStamp } from "../../custody/passkey/passkey-stamp.js";
import { isTimely, type PasskeyDocument, parsePasskeyDocument } from "../../custody/payload.js";
import { ceremonyText, passkeyPurpose, passkeyText } from "./bindings.js";
import type { CounterEntry } from "./counter-entries.js";

/** Registrations of a wallet that may be open at once; the oldest make room. */
const ceremoniesOpen = 20;

/** A wallet as far as passkeys command it. */
type CommandedWallet = Pick<KmsWalletTable, "id" | "address" | "environment">;

/** The passkeys of a built-in custodian. */
export interface BuiltInPasskeys {
  begin(wallet: CommandedWallet, rpId: string, now: number): ReturnType<Custodian["beginPasskey"]>;
  /** `authorize`: requires that a live authority of the wallet signed the request. */
  add(wallet: CommandedWallet, request: AddRequest, authorize: () => Promise<void>): Promise<AddedPasskey>;
  /** The same without an authorization: `claim` throws where the wallet is not to get one so. */
  addFirst(wallet: CommandedWallet, request: FirstRequest, claim: PasskeyClaim): Promise<AddedPasskey>;
  /** Those that are live, oldest first; none that others have written. */
  list(walletId: string): Promise<readonly ListedPasskey[]>;
  remove(wallet: CommandedWallet, request: RemoveRequest, authorize: () => Promise<void>): Promise<void>;
  /** Requires that a live passkey of the wallet made the stamp, and counted on. Throws CustodyRefusal. */
  require(wallet: CommandedWallet, request: Pick<Authorized, "payload" | "stamp"> & PasskeyAuthority): Promise<void>;
  /** Whether a live one commands the wallet. */
  hasAny(walletId: string): Promise<boolean>;
}

type AddRequest = Parameters<Custodian["addPasskey"]>[0];
type FirstRequest = Pick<AddRequest, "walletId" | "ceremonyId" | "registration" | "origins" | "now">;

/** Runs in the transaction that adds a passkey, behind the insert: what it throws undoes that. */
export type PasskeyClaim = (trx: Transaction<DatabaseSchema>) => Promise<void>;
type RemoveRequest = Parameters<Custodian["removePasskey"]>[0] & {
  /** Whether the last one of the wallet stays. */
  readonly keepsLast: boolean;
};
type PasskeyAuthority = Pick<Extract<Authorized["authority"], { kind: "passkey" }>, "passkeyId" | "origins">;

/** Keeps them in the service's own database, each row bound to what it says by a secret outside of it. */
export function createBuiltInPasskeys(parts: {
  readonly db: Db;
  readonly keyring: Keyring;
  readonly random: Random;
  /** SQL that enters into a log that a passkey has counted less than before. */
  readonly counterEntry: CounterEntry;
}): BuiltInPasskeys {
  const { db, random, counterEntry } = parts;
  const bindings = parts.keyring.macs(passkeyPurpose);

  /** Undefined where there is none. Throws CustodyRefusal for a row that was written by others. */
  const find = async (walletId: string, id: string): Promise<KmsPasskeyTable | undefined> => {
    const row = await db
      .selectFrom("kms_passkey")
      .selectAll()
      .where("id", "=", id)
      .where("wallet_id", "=", walletId)
      .executeTakeFirst();
    if (row !== undefined && !(await bindings.verify(passkeyText(row), row.binding))) throw noSuchPasskey();
    return row;
  };

  /** Notes how far it has counted; what it had, where that is as far. Of several at once each is held against what the one before has left. */
  const count = (id: string, counter: number, lastStamp: Uint8Array): Promise<bigint | undefined> =>
    db.transaction().execute(async (trx) => {
      const row = await trx.selectFrom("kms_passkey").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();
      if (row === undefined || !bindings.holds(passkeyText(row), row.binding)) throw noSuchPasskey();
      // What was asked and is asked again, because the response was lost, counts once.
      if (row.last_stamp !== null && Buffer.compare(row.last_stamp, lastStamp) === 0) return undefined;
      if (BigInt(counter) <= row.counter) return row.counter;
      const counted = { ...row, counter: BigInt(counter), last_stamp: lastStamp };
      await trx
        .updateTable("kms_passkey")
        .set({ counter: counted.counter, last_stamp: lastStamp, binding: bindings.make(passkeyText(counted)) })
        .where("id", "=", id)
        .execute();
      return undefined;
    });

  /** The open ceremony that a registration answers, with its passkey. */
  const answer = async (wallet: CommandedWallet, request: FirstRequest) => {
    const ceremony = await db
      .selectFrom("kms_ceremony")
      .selectAll()
      .where("id", "=", request.ceremonyId)
      .where("wallet_id", "=", wallet.id)
      .executeTakeFirst();
    if (ceremony === undefined || !(await bindings.verify(ceremonyText(ceremony), ceremony.binding))) {
      throw new CustodyRefusal("invalid_registration", "There is no such ceremony.");
    }
    const passkey = readNew(ceremony, request);
    if (ceremony.passkey_id === null && Number(ceremony.expires_at) <= request.now) {
      throw new CustodyRefusal("payload_expired", "The ceremony has expired.");
    }
    return { ceremony, passkey };
  };

  return {
    async begin(wallet, rpId, now) {
      const id = random.uuid();
      const challenge = random.bytes(32);
      const expiresAt = now + limits.passkeyCeremonyMs;
      const ceremony = { id, wallet_id: wallet.id, rp_id: rpId, challenge, expires_at: BigInt(expiresAt) };
      const binding = bindings.make(ceremonyText(ceremony));
      await db
        .with("outnumbered", (cte) =>
          cte.deleteFrom("kms_ceremony").where("id", "in", (query) =>
            query
              .selectFrom("kms_ceremony")
              .select("id")
              .where("wallet_id", "=", wallet.id)
              .where("passkey_id", "is", null)
              .orderBy("created_at", "desc")
              .offset(ceremoniesOpen - 1),
          ),
        )
        .insertInto("kms_ceremony")
        .values({ ...ceremony, created_at: BigInt(now), passkey_id: null, binding })
        .execute();
      return { ceremonyId: id, challenge, expiresAt };
    },

    async add(wallet, request, authorize) {
      const { ceremony, passkey } = await answer(wallet, request);
      requireDocument(wallet, request, {
        method: "addPasskey",
        params: { credential_id: textOf(passkey.credentialId), public_key: hexOf(passkey.publicKey.point) },
        nonce: textOf(ceremony.challenge),
      });
      await authorize();
      const added = await insert(db, bindings, { id: random.uuid(), wallet, ceremony, passkey, now: request.now });
      return added ?? toAdded(await findAdded(db, bindings, ceremony, passkey));
    },

    async addFirst(wallet, request, claim) {
      const { ceremony, passkey } = await answer(wallet, request);
      const made = { id: random.uuid(), wallet, ceremony, passkey, now: request.now };
      const added = await insert(db, bindings, made, claim);
      return added ?? toAdded(await findAdded(db, bindings, ceremony, passkey));
    },

    async list(walletId) {
      const rows = await db
        .selectFrom("kms_passkey")
        .selectAll()
        .where("wallet_id", "=", walletId)
        .where("removed_at", "is", null)
        .orderBy("created_at")
        .orderBy("id")
        .execute();
      const listed: ListedPasskey[] = [];
      for (const row of rows) {
        if (!(await bindings.verify(passkeyText(row), row.binding))) continue;
        listed.push({ ...toAdded(row), rpId: row.rp_id, createdAt: Number(row.created_at) });
      }
      return listed;
    },

    async remove(wallet, request, authorize) {
      const row = await find(wallet.id, request.passkeyId);
      // Removed, and perhaps so long ago that nothing is kept of it.
      if (row === undefined || row.removed_at !== null) return;
      const document = requireDocument(wallet, request, {
        method: "removePasskey",
        params: { credential_id: row.credential_id, passkey_id: row.id },
      });
      // One that was signed long ago and kept back would remove what its holder has decided to keep.
      if (!isTimely({ expires_at: document.expires_at ?? "" }, request.now)) {
        throw new CustodyRefusal("payload_expired", "The document has expired, or ends more than an hour ahead.");
      }
      await authorize();
      await db.transaction().execute(async (trx) => {
        // Of two that are removed at once the second one sees what the first has left.
        await trx.selectFrom("kms_wallet").select("id").where("id", "=", wallet.id).forNoKeyUpdate().execute();
        const live = await trx
          .selectFrom("kms_passkey")
          .selectAll()
          .where("wallet_id", "=", wallet.id)
          .where("removed_at", "is", null)
          .forUpdate()
          .execute();
        const held = live.find(({ id }) => id === row.id);
        if (held === undefined) return;
        if (request.keepsLast && live.length === 1) {
          throw new CustodyRefusal("not_granted", "The wallet obeys no one else: add another passkey first.");
        }
        const removed = { ...held, removed_at: BigInt(request.now) };
        await trx
          .updateTable("kms_passkey")
          .set({ removed_at: removed.removed_at, binding: bindings.make(passkeyText(removed)) })
          .where("id", "=", row.id)
          .execute();
      });
    },

    async hasAny(walletId) {
      const rows = await db.selectFrom("kms_passkey").selectAll().where("wallet_id", "=", walletId).execute();
      // That one was removed is believed of what was written here alone.
      for (const row of rows) {
        if (row.removed_at === null || !(await bindings.verify(passkeyText(row), row.binding))) return true;
      }
      return false;
    },

    async require(wallet, { payload, stamp, passkeyId, origins }) {
      if (stamp.form !== "passkey")
        throw new CustodyRefusal("invalid_signature", "An assertion of a passkey is needed.");
      const row = await find(wallet.id, passkeyId);
      if (row === undefined || row.credential_id !== stamp.credentialId) throw noSuchPasskey();
      const verdict = verifyPasskeyStamp(payload, stamp, {
        publicKey: row.public_key,
        relyingParty: relyingPartyOf(row.rp_id, origins),
        counter: undefined,
      });
      if (!verdict.ok) throw new CustodyRefusal("invalid_signature", refusal(verdict.fault));
      if (row.removed_at !== null) throw new CustodyRefusal("authorization_expired", "The passkey was removed.");
      // A synchronised passkey never counts.
      if (verdict.counter === 0 && row.counter === 0n) return;
      const counted = await count(
        row.id,
        verdict.counter,
        createHash("sha256")
          .update(JSON.stringify(passkeyParts(stamp)))
          .digest(),
      );
      if (counted === undefined) return;
      await counterEntry({ id: row.id, walletId: wallet.id, counter: counted, reported: verdict.counter }).execute(db);
      throw new CustodyRefusal("invalid_signature", refusal("counter"));
    },
  };
}

const refusal = (fault: string): string => `The passkey's assertion is refused: ${fault}.`;
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const noSuchPasskey = () => new CustodyRefusal("invalid_signature", "The wallet has no such passkey.");

function readNew(ceremony: KmsCeremonyTable, { registration, origins }: FirstRequest): NewPasskey {
  const read = readRegistration(registration, {
    challenge: ceremony.challenge,
    relyingParty: relyingPartyOf(ceremony.rp_id, origins),
  });
  if (read.ok) return read.passkey;
  throw new CustodyRefusal("invalid_registration", `The registration is refused: ${read.fault}.`);
}

/** Requires that what was signed is a document of exactly this content about this wallet. */
function requireDocument(
  wallet: CommandedWallet,
  { payload }: Pick<Authorized, "payload">,
  expected: Partial<PasskeyDocument>,
): PasskeyDocument {
  const document = parsePasskeyDocument(payload);
  if (document === undefined) throw new CustodyRefusal("invalid_payload", "The document is not well formed.");
  const wanted = { ...expected, wallet: wallet.address, environment: wallet.environment };
  for (const [name, value] of Object.entries(wanted)) {
    if (JSON.stringify(document[name as keyof PasskeyDocument]) === JSON.stringify(value)) continue;
    throw new CustodyRefusal("invalid_payload", `The document has another ${name}.`);
  }
  return document;
}

/** Undefined where the ceremony was answered before, the passkey is there, or there are too many. */
async function insert(
  db: Db,
  bindings: Macs,
  made: {
    readonly id: string;
    readonly wallet: CommandedWallet;
    readonly ceremony: KmsCeremonyTable;
    readonly passkey: NewPasskey;
    readonly now: number;
  },
  claim?: PasskeyClaim,
): Promise<AddedPasskey | undefined> {
  const { id, wallet, ceremony, passkey, now } = made;
  const row = {
    id,
    wallet_id: wallet.id,
    credential_id: textOf(passkey.credentialId),
    public_key: passkey.publicKey.point,
    rp_id: ceremony.rp_id,
    counter: BigInt(passkey.counter),
    last_stamp: null,
    removed_at: null,
    aaguid: passkey.aaguid,
    is_synced: passkey.isSynced,
  };
  const binding = bindings.make(passkeyText(row));
  const insertion = sql<{ id: string }>`
    with claimed as (
      update kms_ceremony set passkey_id = ${id}
      where id = ${ceremony.id} and passkey_id is null
        and (select count(*) from kms_passkey where wallet_id = ${wallet.id} and removed_at is null)
          < ${limits.passkeysPerWallet}
        and not exists (select from kms_passkey where wallet_id = ${wallet.id} and credential_id = ${row.credential_id}
          and removed_at is null)
      returning id
    )
    insert into kms_passkey (id, wallet_id, credential_id, public_key, rp_id, counter, aaguid, is_synced, created_at, binding)
    select ${id}, ${row.wallet_id}, ${row.credential_id}, ${row.public_key}::bytea, ${row.rp_id}, ${row.counter}::int8,
      ${row.aaguid}, ${row.is_synced}::boolean, ${now}::int8, ${binding}::bytea
    from claimed on conflict do nothing returning id`;
  return db.transaction().execute(async (trx) => {
    // Two that are added at once are counted one after the other: a statement sees what was there when it began.
    await trx.selectFrom("kms_wallet").select("id").where("id", "=", wallet.id).forNoKeyUpdate().execute();
    const { rows } = await insertion.execute(trx);
    if (rows[0] === undefined) return undefined;
    await claim?.(trx);
    return toAdded(row);
  });
}

/** The passkey that an earlier call has added for the same ceremony. Throws CustodyRefusal where something else is in the way. */
async function findAdded(
  db: Db,
  bindings: Macs,
  { id }: KmsCeremonyTable,
  passkey: NewPasskey,
): Promise<KmsPasskeyTable> {
  const ceremony = await db.selectFrom("kms_ceremony").selectAll().where("id", "=", id).executeTakeFirst();
  const known = await db
    .selectFrom("kms_passkey")
    .selectAll()
    .where("wallet_id", "=", ceremony?.wallet_id ?? "")
    .where("credential_id", "=", textOf(passkey.credentialId))
    .where("removed_at", "is", null)
    .executeTakeFirst();
  const isOfThisCeremony = known !== undefined && known.id === ceremony?.passkey_id;
  if (isOfThisCeremony && (await bindings.verify(passkeyText(known), known.binding))) return known;
  if (known !== undefined) throw new CustodyRefusal("passkey_exists", "The passkey commands the wallet already.");
  if (ceremony?.passkey_id !== null) throw new CustodyRefusal("invalid_registration", "The ceremony is over.");
  throw new CustodyRefusal("passkey_limit", "The wallet has as many passkeys as it can have.");
}

function toAdded(
  row: Pick<KmsPasskeyTable, "id" | "credential_id" | "public_key" | "aaguid" | "is_synced">,
): AddedPasskey {
  const { id, credential_id: credentialId, public_key: publicKey, aaguid, is_synced: isSynced } = row;
  return { id, credentialId, publicKey, aaguid, isSynced };
}
