import { Buffer } from "node:buffer";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { secretIdMax } from "@trellis/kernel/crypto/macs.js";
import type { Trx } from "@trellis/kernel/ports/database.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { sql } from "kysely";
import { secretContext } from "../../adapters/derived-secrets.js";
import { leastStayMs, takeTurn } from "../../adapters/replace-secrets.js";
import { ArchiveError } from "./archive-error.js";

const purpose = "api-key";

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
 * when it is next used, and a carried secret is retired once no key needs it. The keys were stored under the numbers that their archive has;
 * they get those of here. No other command changes which secrets there are until the transaction has ended: so it is called near its end.
 */
export async function addKeySecrets(
  trx: Trx,
  { keyring, random, now }: { readonly keyring: Keyring; readonly random: Random; readonly now: number },
  { tenantId, carried }: { readonly tenantId: string; readonly carried: Readonly<Record<string, string>> },
): Promise<void> {
  const names = Object.keys(carried);
  if (names.length === 0) return;
  await takeTurn(trx);
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
  const numbers = names.map((name, index) => ({ there: numberBytes(Number(name)), here: numberBytes(first + index) }));
  await sql`update api_key set key_hash = decode(number.here, 'hex') || substring(key_hash from 3)
    from json_to_recordset(${JSON.stringify(numbers)}::text::json) as number (there text, here text)
    where tenant_id = ${tenantId}::text and substring(key_hash from 1 for 2) = decode(number.there, 'hex')`.execute(
    trx,
  );
}

const numberBytes = (id: number): string => id.toString(16).padStart(4, "0");

/** A hash as it is stored until its secret has its id here. Throws ArchiveError where that secret has not come along. */
export function hashAsCarried(carried: Readonly<Record<string, string>>, name: string, hash: Uint8Array): Uint8Array {
  const isKnown = Object.hasOwn(carried, name) && /^[0-9]{1,5}$/.test(name) && Number(name) <= secretIdMax;
  if (!isKnown) throw new ArchiveError("The archive has API keys without the secret that they are hashed with.");
  return new Uint8Array(Buffer.concat([Buffer.from(numberBytes(Number(name)), "hex"), hash]));
}
