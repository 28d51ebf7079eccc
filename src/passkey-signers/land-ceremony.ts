import type { Address } from "@solana/kit";
import type { Caller } from "@trellis/kernel/endpoint.js";
import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Pause } from "@trellis/kernel/ports/pause.js";
import { derivePasskeyAddress, type PasskeyAccount } from "@trellis/program-client";
import { readPasskeys } from "@trellis/solana/read-passkeys.js";
import { sql } from "kysely";
import Type, { type Static } from "typebox";
import { type HostNeeds, isOfAnother } from "../accounts/foreign-passkeys.js";
import { confirmNewSubmission, confirmSubmission } from "../submissions/confirm-submission.js";
import type { StandingNeeds } from "../submissions/find-standing.js";
import type { FinalOutcome } from "../submissions/submission.js";
import { endOf } from "./ceremony-outcome.js";
import { type Ceremony, findCeremony, storeCeremonyBytes } from "./ceremony-store.js";
import { ceremonyRefusal, signCeremony } from "./ceremony-transaction.js";
import { AuthenticatorResponse, challengeIn, readAnswer, refusedAnswer, type SignedAnswer } from "./read-answer.js";
import { isSameExpiration, parseSessionKey, RequestedSessionKey } from "./session-key.js";
import { countAnswer, type SigningTurn, signAlone } from "./signing-turn.js";

export interface LandingNeeds extends StandingNeeds, HostNeeds {
  readonly db: Db;
  readonly realClock: Clock;
  readonly pause: Pause;
}

/** What goes with a browser's answer. */
export const answered = {
  sessionKey: RequestedSessionKey,
  authenticatorResponse: AuthenticatorResponse,
} as const;

const Answered = Type.Object(answered);

/** A passkey with a session that is on chain. */
export interface OpenedSession {
  readonly passkeyAddress: Address;
  readonly passkey: PasskeyAccount;
  readonly sessionKey: Address;
  /** Unix seconds. */
  readonly endsAt: bigint;
}

/**
 * The ceremony that an answer is for, of the caller's own. Throws `passkey_ceremony_not_found` for any other one, and `invalid_request`
 * where the session is another one than was asked for.
 */
export async function requireCeremony(
  db: Db,
  network: Network,
  { tenantId }: Pick<Caller, "tenantId">,
  { sessionKey, authenticatorResponse }: Static<typeof Answered>,
): Promise<Ceremony> {
  const ceremony = await findCeremony(db, challengeIn(authenticatorResponse.response));
  if (ceremony === undefined || ceremony.tenant_id !== tenantId || ceremony.environment !== network.name) {
    throw new TrellisError("passkey_ceremony_not_found");
  }
  const isSame =
    parseSessionKey(sessionKey.key, network) === ceremony.session_key &&
    isSameExpiration(sessionKey.expiration, ceremony);
  if (!isSame) {
    throw new TrellisError("invalid_request", {
      field: "sessionKey",
      message: "The challenge was made for another session key, or another expiration.",
    });
  }
  return ceremony;
}

/** Those passkeys that an answer can be of and that have an account on chain. Throws `chain_unavailable`. */
export async function findAnswering(network: Network, { keys }: Pick<SignedAnswer, "keys">) {
  const passkeys = await readPasskeys(network, keys.map(derivePasskeyAddress));
  return [...passkeys].map(([address, passkey]) => ({ address, passkey }));
}

/** Bytes of one ceremony that were signed and expired, at most. */
const attemptsMax = 3;

/**
 * Carries an answer out on chain, once, however often it is asked for. What was stored before is brought to its end first, and new bytes are
 * signed only where those have expired. Without an API key (`isKeyless`) answers are counted. Throws `invalid_passkey_assertion`, `passkey_challenge_used`, `passkey_challenge_over`,
 * `passkey_account_exists`, `passkey_account_not_found`, `sponsorship_limit_exceeded`, `submission_in_progress`, `service_unavailable`
 * and `chain_unavailable`.
 */
export async function landCeremony(
  needs: LandingNeeds,
  network: Network,
  begun: Ceremony,
  { response }: Static<typeof AuthenticatorResponse>,
  { isKeyless = false }: { readonly isKeyless?: boolean } = {},
): Promise<OpenedSession> {
  let ceremony = begun;
  if (ceremony.submission_id === null) assertOpen(network, ceremony);
  const answer = readAnswer(ceremony, response);
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const stored = await confirmStored(needs, network, ceremony, answer);
    const outcome =
      stored === undefined || stored.state === "expired"
        ? await send(needs, network, ceremony, answer, isKeyless)
        : stored;
    // Where another call was faster or the bytes have expired, the row says what there is.
    ceremony = await reload(needs.db, ceremony);
    if (outcome?.state === "landed") return readOpened(network, ceremony, outcome);
    if (outcome?.state === "failed") {
      const { kind, passkey_address } = ceremony;
      const of = { kind, passkeyAddress: passkey_address as Address };
      throw await ceremonyRefusal(needs.log, network, of, outcome.failure);
    }
  }
  throw new TrellisError("submission_in_progress");
}

/** What became of the bytes that are stored; undefined: there are none. Throws `passkey_challenge_used` for another passkey's. */
async function confirmStored(
  needs: LandingNeeds,
  network: Network,
  { passkey_address, submission_id }: Ceremony,
  { keys }: SignedAnswer,
): Promise<FinalOutcome | undefined> {
  if (submission_id === null) return undefined;
  if (!keys.some((key) => derivePasskeyAddress(key) === passkey_address))
    throw new TrellisError("passkey_challenge_used");
  return confirmSubmission(needs, network, submission_id);
}

/** Signs bytes, stores them and sends them; undefined where another call has stored its own meanwhile. */
async function send(
  needs: LandingNeeds,
  network: Network,
  ceremony: Ceremony,
  answer: SignedAnswer,
  isKeyless: boolean,
): Promise<FinalOutcome | undefined> {
  assertOpen(network, ceremony);
  const { challenge, submission_id } = ceremony;
  const isUnchanged = sql<boolean>`submission_id is not distinct from ${submission_id}::text`;
  const turn: SigningTurn = { table: "passkey_ceremony", row: sql`challenge = ${challenge}`, isUnchanged };
  if (isKeyless) await countAnswer(needs, challenge, turn);
  const publicKey = await choosePasskey(needs, network, ceremony, answer);
  const signed = await signAlone(needs, turn, async () => {
    const bytes = await signCeremony(needs, network, ceremony, answer, publicKey);
    return (await storeCeremonyBytes(needs, network, ceremony, bytes)) ? bytes.signed : undefined;
  });
  if (signed === undefined) return undefined;
  return confirmNewSubmission(needs, network, {
    id: signed.id,
    signature: signed.signature,
    wire_transaction: signed.wireTransaction,
    last_valid_block_height: signed.lastValidBlockHeight,
    recorded_slot: signed.recordedSlot,
  });
}

/** Throws `passkey_challenge_over` once its time has passed. */
export function assertOpen(network: Network, { expires_at }: Ceremony): void {
  if (expires_at <= BigInt(network.clock.now())) throw new TrellisError("passkey_challenge_over");
}

/**
 * Whose answer it is. A new passkey names its key; of another one the account on chain says which of the two it is. One of another tenant
 * opens no session: browsers offer all passkeys of a host, and the session would act for that tenant's accounts.
 */
async function choosePasskey(
  needs: HostNeeds,
  network: Network,
  ceremony: Ceremony,
  answer: SignedAnswer,
): Promise<Uint8Array> {
  const { kind, relying_party_id, tenant_id: tenantId } = ceremony;
  const [found, ...others] = await findAnswering(network, answer);
  if (kind === "create") {
    const [key] = answer.keys;
    assertOurs(key !== undefined && answer.keys.length === 1, "a new passkey names its key");
    if (found !== undefined) throw new TrellisError("passkey_account_exists");
    return key;
  }
  if (found === undefined || others.length > 0) throw new TrellisError("passkey_account_not_found");
  if (found.passkey.relyingPartyId !== relying_party_id) throw refusedAnswer("relying_party");
  if (await isOfAnother(needs, { tenantId, environment: network.name }, found.address, found.passkey)) {
    throw new TrellisError("passkey_account_not_found", { message: "This passkey belongs to another application." });
  }
  return found.passkey.publicKey;
}

/**
 * The session as the chain has it. Where a later one has replaced it, what this one was: the same request has the same answer. Throws
 * `chain_unavailable` where the node does not show the account yet.
 */
async function readOpened(
  network: Network,
  ceremony: Ceremony,
  landed: Extract<FinalOutcome, { state: "landed" }>,
): Promise<OpenedSession> {
  const passkeyAddress = ceremony.passkey_address as Address;
  const passkey = (await readPasskeys(network, [passkeyAddress], { leastSlot: landed.slot })).get(passkeyAddress);
  if (passkey === undefined) throw new TrellisError("chain_unavailable");
  const { session } = passkey;
  const endsAt = endOf(ceremony, landed);
  return {
    passkeyAddress,
    passkey,
    sessionKey: ceremony.session_key as Address,
    endsAt: session?.key === ceremony.session_key && ceremony.session_ends_at === null ? session.expiresAt : endsAt,
  };
}

async function reload(db: Db, { challenge }: Ceremony): Promise<Ceremony> {
  const ceremony = await findCeremony(db, challenge);
  if (ceremony === undefined) throw new TrellisError("passkey_ceremony_not_found");
  return ceremony;
}
