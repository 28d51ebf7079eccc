import { createHash } from "node:crypto";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import { CustodyRefusal } from "@trellis/kernel/ports/custodian.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { NoteSigner } from "@trellis/kernel/tlog/note.js";
import { type RawBuilder, sql } from "kysely";
import { identityText, type KeyFolder } from "../adapters/kms/key-folder.js";
import { logSigner, witnessSigner } from "../audit/log-key.js";
import { signLog } from "../audit/publish-entries.js";
import { logOriginOf, witnessNameOf } from "../custody/protocol/frame.js";
import type { SigningRequest } from "./signing-policy.js";

/** The custodian's own log, over its own database. */
export interface OwnLog {
  readonly db: Db;
  /** Real time, by the custodian's own clock. */
  readonly clock: Clock;
  readonly signer: NoteSigner;
  /** What cosigns the service's log. */
  readonly witness: NoteSigner;
}

/** The log of a custodian with these keys. */
export function openOwnLog(
  db: Db,
  keyring: Pick<Keyring, "deriveSecret">,
  { identity }: Pick<KeyFolder, "identity">,
  clock: Clock,
): OwnLog {
  const origin = logOriginOf(identityText(identity));
  return { db, clock, signer: logSigner(keyring, origin), witness: witnessSigner(keyring, witnessNameOf(origin)) };
}

/** SQL that enters that a signature is given: a part of the statement that counts it, which no second one has to follow. */
export function signatureEntry({ wallet, message, authority, payloadHash }: SigningRequest): RawBuilder<unknown> {
  const details = {
    address: wallet.address,
    message_hash: createHash("sha256").update(message).digest("hex"),
    payload_hash: payloadHash,
    by:
      authority.kind === "passkey" ? `passkey/${authority.passkeyId}` : `authorization/${authority.authorizationKeyId}`,
  };
  return sql`audit_of_wallet(${wallet.id}::text, 'signature.given'::text, ${JSON.stringify(details)}::text::json)`;
}

/** Signs, or enters that this was refused. */
export async function enterRefusal<T>(
  { db }: Pick<OwnLog, "db">,
  { walletId, payload }: { readonly walletId: string; readonly payload: string },
  sign: () => Promise<T>,
): Promise<T> {
  try {
    return await sign();
  } catch (error) {
    if (!(error instanceof CustodyRefusal)) throw error;
    const { reason, message } = error;
    const details = { reason, message, payload_hash: createHash("sha256").update(payload).digest("hex") };
    await sql`select audit_of_wallet(${walletId}::text, 'signature.refused'::text,
      ${JSON.stringify(details)}::text::json)`.execute(db);
    throw error;
  }
}

/** Gives entries their leaves and signs a checkpoint where there is something new. */
export const signOwnLog = ({ db, clock, signer }: OwnLog): Promise<string | undefined> =>
  signLog({ db, realClock: clock, auditSigner: signer });

/** Deletes what entries say, in time: the hashes stay, and with them every proof. */
export async function forgetBodies({ db, clock }: Pick<OwnLog, "db" | "clock">): Promise<void> {
  const { auditBodyMs, auditCheckpointMs } = limits.kept;
  const now = clock.now();
  await db
    .updateTable("audit_entry")
    .set({ body: null, salt: null, subject: null, user_id: null })
    .where("published_at", "<", BigInt(now - auditBodyMs))
    .where("body", "is not", null)
    .execute();
  await db
    .deleteFrom("tlog_checkpoint")
    .where("signed_at", "<", BigInt(now - auditCheckpointMs))
    .execute();
}
