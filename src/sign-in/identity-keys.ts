import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { assertOurs } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db, DbOrTrx, IdentityKeyTable } from "@trellis/kernel/ports/database.js";
import { type Selectable, sql } from "kysely";

type KeyRow = Selectable<IdentityKeyTable>;

/** What signs identity tokens (gap 124). */
export interface IdentityKey {
  readonly id: string;
  readonly privateKey: KeyObject;
}

/** The public half of one, as a JSON Web Key (RFC 7517). */
export interface PublicIdentityKey {
  readonly kty: "EC";
  readonly crv: "P-256";
  readonly x: string;
  readonly y: string;
  readonly kid: string;
  readonly use: "sig";
  readonly alg: "ES256";
}

/** What a stored private half is bound to. */
export const identityKeyContext = (id: string): string => `identity_key/${id}`;

/**
 * The key to sign with. One that has signed for long gets a successor, which is published at once and signs a day later,
 * when everybody who remembers the key set has seen it; the former one stays published for a day after that. Several
 * processes at once may make two: both are published, and one signs. `now` is real time in Unix milliseconds, as below.
 */
export async function getSigningKey(
  { db, keyring }: { readonly db: Db; readonly keyring: Keyring },
  now: number,
): Promise<IdentityKey> {
  let known = await findPublished(db, now);
  const [newest] = known;
  if (newest === undefined || Number(newest.signs_from) + limits.identityKeySignsMs <= now) {
    await addKey(db, keyring, newest, now);
    known = await findPublished(db, now);
  }
  const signing = known.find((key) => Number(key.signs_from) <= now);
  assertOurs(signing, "some key signs");
  const der = keyring.unwrap(signing.private_key, identityKeyContext(signing.id));
  return {
    id: signing.id,
    privateKey: createPrivateKey({ key: Buffer.from(der), format: "der", type: "pkcs8" }),
  };
}

const toPublicKey = ({ id, x, y }: KeyRow): PublicIdentityKey => ({
  kty: "EC",
  crv: "P-256",
  x,
  y,
  kid: id,
  use: "sig",
  alg: "ES256",
});

/** What is answered again without asking the database: as long as no caller can miss a key that signs by then. */
const keySetGoodForMs = 10_000;
const keySetSettledMs = 5 * 60_000;

/** The key set, for however many ask: read from the database once in a while. */
export interface PublishedKeys {
  list(): Promise<readonly PublicIdentityKey[]>;
}

/**
 * Remembers the key set for seconds. A key that is to sign is published a day before; only the very first signs at once, so
 * that nothing is remembered while there is none, or a young one. A caller that asks meanwhile shares the next question, which
 * begins after the one that runs has ended: no caller is answered from before it asked.
 */
export function createPublishedKeys({ db, clock }: { readonly db: Db; readonly clock: Clock }): PublishedKeys {
  let reported: { readonly keys: readonly PublicIdentityKey[]; readonly at: number } | undefined;
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<readonly PublicIdentityKey[]> | undefined;

  async function ask(): Promise<readonly PublicIdentityKey[]> {
    const at = clock.now();
    const rows = await findPublished(db, at);
    const keys = rows.map(toPublicKey);
    const isSettled = rows.some(({ signs_from }) => Number(signs_from) + keySetSettledMs <= at);
    reported = isSettled ? { keys, at } : undefined;
    return keys;
  }

  async function askAfter(earlier: Promise<unknown>): Promise<readonly PublicIdentityKey[]> {
    await earlier;
    next = undefined;
    const asked = ask();
    running = asked.catch(() => undefined);
    return asked;
  }

  return {
    list: async () => {
      const age = clock.now() - (reported?.at ?? 0);
      if (reported && age >= 0 && age < keySetGoodForMs) return reported.keys;
      next ??= askAfter(running);
      return next;
    },
  };
}

/** The last to sign first. */
function findPublished(db: DbOrTrx, now: number): Promise<readonly KeyRow[]> {
  return db
    .selectFrom("identity_key")
    .selectAll()
    .where((eb) => eb.or([eb("retires_at", "is", null), eb("retires_at", ">", BigInt(now))]))
    .orderBy("signs_from", "desc")
    .orderBy("id")
    .execute();
}

/** Makes a key and has the others retire, unless another process has made one meanwhile. */
async function addKey(db: Db, keyring: Keyring, newest: KeyRow | undefined, now: number): Promise<void> {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x, y } = publicKey.export({ format: "jwk" });
  assertOurs(x !== undefined && y !== undefined, "a P-256 key has two coordinates");
  const id = thumbprintOf(x, y);
  const der = privateKey.export({ format: "der", type: "pkcs8" });
  const sealed = keyring.wrap(new Uint8Array(der), identityKeyContext(id));
  der.fill(0);
  // Before the first one, no process remembers another.
  const signsFrom = newest === undefined ? now : now + limits.identityKeyOverlapMs;
  await sql`
    with made as (
      insert into identity_key (id, x, y, private_key, signs_from)
      select ${id}, ${x}, ${y}, ${sealed}::bytea, ${signsFrom}::int8
      where not exists (
        select from identity_key where retires_at is null and signs_from > ${newest?.signs_from ?? -1n}::int8)
      returning id
    )
    update identity_key set retires_at = ${signsFrom + limits.identityKeyOverlapMs}::int8
    from made where identity_key.retires_at is null and identity_key.id <> made.id`.execute(db);
}

/** RFC 7638. */
function thumbprintOf(x: string, y: string): string {
  return createHash("sha256")
    .update(JSON.stringify({ crv: "P-256", kty: "EC", x, y }))
    .digest("base64url");
}
