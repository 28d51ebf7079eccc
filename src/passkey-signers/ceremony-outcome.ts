import { limits } from "@trellis/kernel/limits.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";
import { findAccountsOfSigner } from "../accounts/account-list-store.js";
import type { FinalOutcome } from "../submissions/submission.js";
import { findSubmission, toOutcome } from "../submissions/submission-store.js";
import type { Ceremony } from "./ceremony-store.js";

const instant = Type.String({ format: "date-time" });

/** What came of a challenge, as calls and events show it (gap 257). */
export const PasskeyCeremonyOutcome = Type.Object(
  {
    challenge: Type.String({ description: "Base64url." }),
    ceremony_type: Type.Enum(["create", "auth"]),
    status: Type.Enum(["pending", "completed", "failed", "expired"], {
      description: "`completed`: it is on chain. `failed`: the chain has refused it. `expired`: nothing came of it.",
    }),
    app_name: Type.String(),
    session_key: addressText({ description: "What signs in the passkey's place." }),
    session_seconds: Type.Integer({
      description: "For how long, as it was asked for; 0: the session was to be ended.",
    }),
    session_expires_at: Type.Union([instant, Type.Null()], {
      description: "When the session ends, or has been ended. Null: it was not completed.",
    }),
    passkey_account: Type.Union([addressText(), Type.Null()], {
      description: "The signer whose passkey has signed. Null: it was not completed.",
    }),
    accounts: Type.Array(addressText(), {
      description: `Your accounts that have this signer, newest first: the first ${limits.accountsOfWallet}.`,
    }),
    signature: Type.Union([Type.String(), Type.Null()], { description: "Of its transaction, once it is completed." }),
    created_at: instant,
    expires_at: Type.String({ format: "date-time", description: "Of the challenge." }),
  },
  { $id: "PasskeyCeremonyOutcome" },
);

/** When a challenge was read: taken before its row, as bytes may be stored while it is read. */
export interface ReadAt {
  /** Environment time, in Unix milliseconds as the next. */
  readonly now: number;
  readonly realNow: number;
}

/** Reads what came of a challenge of this environment, as the service knows it. */
export async function readCeremonyOutcome(
  db: Db,
  environment: EnvironmentName,
  ceremony: Ceremony,
  at: ReadAt,
): Promise<Static<typeof PasskeyCeremonyOutcome>> {
  const { submission_id: id, passkey_address: signer, tenant_id: tenantId } = ceremony;
  const submission = id === null ? undefined : await findSubmission(db, id);
  const outcome = submission && toOutcome(submission);
  const isPending = submission !== undefined && outcome === undefined;
  const landed = outcome?.state === "landed" && signer !== null ? { outcome, signer } : undefined;
  const accounts =
    landed === undefined
      ? []
      : await findAccountsOfSigner(db, { tenantId, environment, signer: landed.signer }, limits.accountsOfWallet);
  return {
    challenge: ceremony.challenge,
    ceremony_type: ceremony.kind,
    status: isPending ? "pending" : statusOf(ceremony, outcome, at),
    app_name: ceremony.app_name,
    session_key: ceremony.session_key,
    session_seconds: ceremony.session_seconds,
    session_expires_at: landed === undefined ? null : toInstant(endOf(ceremony, landed.outcome) * 1_000n),
    passkey_account: landed?.signer ?? null,
    accounts: [...accounts],
    signature: landed?.outcome.signature ?? null,
    created_at: toInstant(ceremony.created_at),
    expires_at: toInstant(ceremony.expires_at),
  };
}

/**
 * Where bytes have expired, another answer's may follow as long as the challenge is open. A call that has them signed as it ends may be about
 * to store them.
 */
function statusOf(
  { expires_at, signing_until }: Ceremony,
  outcome: FinalOutcome | undefined,
  { now, realNow }: ReadAt,
): "pending" | "completed" | "failed" | "expired" {
  if (outcome?.state === "landed") return "completed";
  if (outcome?.state === "failed") return "failed";
  const isBeingSigned = signing_until !== null && signing_until > BigInt(realNow);
  return isBeingSigned || expires_at > BigInt(now) ? "pending" : "expired";
}

/** Unix seconds. A session of a passkey that is there begins when it lands. */
export const endOf = (
  { session_ends_at, session_seconds }: Pick<Ceremony, "session_ends_at" | "session_seconds">,
  { blockTime }: Extract<FinalOutcome, { state: "landed" }>,
): bigint => session_ends_at ?? BigInt(blockTime + session_seconds);

const toInstant = (at: bigint): string => new Date(Number(at)).toISOString();
