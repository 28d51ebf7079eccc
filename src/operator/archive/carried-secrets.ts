import { Buffer } from "node:buffer";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { secretIdMax } from "@trellis/kernel/crypto/macs.js";
import type { Trx } from "@trellis/kernel/ports/database.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { sql } from "kysely";
import { secretContext } from "../../adapters/derived-secrets.js";
import { ArchiveError } from "./archive-error.js";

const purpose = "api-key";
/** Former secrets stay so long at least, for processes that were stopped for a while. */
const leastStayMs = 3_600_000;

/** What the hashes of a tenant's API keys were made with: base64, by the ids of the secrets here. */
export async function readKeySecrets(trx: Trx, keyring: Keyring, tenantId: string): Promise<Record<string, string>> {
  // As in `secret-uses.ts`: two bytes in front name a secret with an id.
  const { rows } = await sql<{ id: number; sealed: Uint8Array | null }>`
    select used.id, derived_secret.sealed from (
      select distinct case when octet_length(key_hash) = 34 then get_byte(key_hash, 0) * 256 + get_byte(key_hash, 1) else 0 end as id
      from api_key where tenant_id = ${tenantId} and origin <> 'configured') as used
    left join derived_secret on derived_secret.purpose = ${purpose} and derived_secret.id = used.id`.execute(trx);
  const secrets = rows.map(({ id, sealed }): [string, string] => {
    if (id === 0) return ["0", Buffer.from(keyring.deriveSecret(purpose)).toString("base64")];
    if (sealed === null) throw new ArchiveError(`The secret ${id} of API keys is not there any more.`);
    return [String(id), Buffer.from(keyring.unwrap(sealed, secretContext(purpose, id))).toString("base64")];
  });
  return Object.fromEntries(secrets);
}

/**
 * Has the secrets of another installation recognise its API keys here, and a fresh one make what is made from now on: a key is hashed again
 * when it is next used, and a carried secret is retired once no key needs it. Gives the ids that they have here.
 */
export async function addKeySecrets(
  trx: Trx,
  { keyring, random, now }: { readonly keyring: Keyring; readonly random: Random; readonly now: number },
  carried: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, number>> {
  const names = Object.keys(carried);
  if (names.length === 0) return new Map();
  // One at a time changes which secrets there are: see `adapters/replace-secrets.ts`.
  await sql`select value from meta where key = 'derivation_check' for update`.execute(trx);
  const known = await trx.selectFrom("derived_secret").select("id").where("purpose", "=", purpose).execute();
  const first = Math.max(0, ...known.map(({ id }) => id)) + 1;
  if (first + names.length > secretIdMax) throw new ArchiveError("API keys have had as many secrets as there are ids.");
  const row = (id: number, secret: Uint8Array) => ({
    purpose,
    id,
    sealed: keyring.wrap(secret, secretContext(purpose, id)),
    created_at: BigInt(now),
    activated_at: BigInt(now),
    ends_at: null,
    retired_at: null,
  });
  const root = { purpose, id: 0, sealed: null, created_at: 0n, activated_at: 0n, ends_at: null, retired_at: null };
  const added = names.map((name, index) => row(first + index, Buffer.from(carried[name] ?? "", "base64")));
  const fresh = row(first + names.length, random.bytes(32));
  await trx
    .insertInto("derived_secret")
    .values([...(known.length === 0 ? [root] : []), ...added, fresh])
    .execute();
  await sql`update derived_secret set ends_at = ${now + leastStayMs}::int8
    where purpose = ${purpose} and ends_at is null and activated_at is not null and id < ${fresh.id}::int4`.execute(
    trx,
  );
  return new Map(names.map((name, index) => [name, first + index]));
}

/** A hash as it is stored here: under the id of its secret. */
export function hashUnder(id: number, hash: Uint8Array): Uint8Array {
  const front = Buffer.alloc(2);
  front.writeUInt16BE(id);
  return new Uint8Array(Buffer.concat([front, hash]));
}
