import { Buffer } from "node:buffer";
import type { Caller } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import {
  addressOfBytes,
  decodeNewestSlotHash,
  initializePasskeyChallenge,
  ProgramDataError,
  refreshPasskeySessionChallenge,
  SIGNATURE_PROGRAM_ADDRESS,
  SLOT_HASHES_ADDRESS,
  type SlotHash,
} from "@trellis/program-client";
import { readAccounts } from "@trellis/solana/read-accounts.js";
import Type, { type Static } from "typebox";
import { parseShownName } from "../labels/label-name.js";
import { passkeyPayerOf } from "../sponsorship/service-keys.js";
import { findRelyingParty, isRelyingPartyOfAnother } from "../tenants/relying-party.js";
import { type CeremonyPage, ceremonyPage, parseRedirectUrl } from "./ceremony-place.js";
import { findCeremony, isOpen, type NewCeremony, recordCeremony } from "./ceremony-store.js";
import { assertSessionSeconds, parseSessionKey, RequestedSessionKey } from "./session-key.js";

export interface CeremonyNeeds {
  readonly db: Db;
  readonly random: Random;
  readonly publicUrl: () => string;
}

/** What a page is given that has a challenge signed, and where that page is. */
export const pageFields = {
  metaInfo: Type.Object(
    {
      appName: Type.String({
        minLength: 1,
        maxLength: 200,
        description: "What the page calls the app.",
        examples: ["App"],
      }),
      redirectUrl: Type.Optional(
        Type.String({
          maxLength: 500,
          description: "Where the browser goes with the answer.",
          examples: ["https://app.example/back"],
        }),
      ),
    },
    { $id: "PasskeyPage" },
  ),
  baseUrl: Type.Optional(
    Type.String({
      maxLength: 300,
      description: "A page of the tenant's own, on its relying party. Absent: the service's.",
      examples: ["https://app.example"],
    }),
  ),
};

const PageFields = Type.Object(pageFields);

/** What both calls that begin a session take. */
export const CeremonyRequest = Type.Object(
  {
    sessionKey: RequestedSessionKey,
    env: Type.Optional(Type.String({ maxLength: 32, description: "Not read: the header names the environment." })),
    ...pageFields,
  },
  { $id: "PasskeyCeremonyRequest" },
);

/** Where the browser is to go. */
export const CeremonyUrl = Type.Object({ url: Type.String({ format: "uri" }) }, { $id: "PasskeyCeremonyUrl" });

/**
 * Makes a challenge of the signature program and records what it is for, so that nothing else can be had for its answer. Throws
 * `invalid_request`, `invalid_address`, `forbidden_account`, `invalid_expiration`, `passkeys_not_configured`,
 * `passkey_challenge_used` and `chain_unavailable`.
 */
export async function beginCeremony(
  needs: CeremonyNeeds,
  network: Network,
  caller: Pick<Caller, "tenantId">,
  kind: NewCeremony["kind"],
  body: Static<typeof CeremonyRequest>,
): Promise<Static<typeof CeremonyUrl>> {
  const key = parseSessionKey(body.sessionKey.key, network);
  const seconds = body.sessionKey.expiration;
  const isNew = kind === "create";
  const reserve = isNew ? limits.signerSessionReserveSeconds : 0;
  assertSessionSeconds(seconds, { least: isNew ? 1 : 0, most: limits.signerSessionSeconds - reserve });
  const { appName, redirect, page } = await parsePage(needs, network, caller, body);
  const slotHash = await readSlotHash(network);
  const now = network.clock.now();
  const end = BigInt(Math.floor(now / 1_000) + seconds);
  const { address: signer } = passkeyPayerOf(network);
  const challenge = isNew
    ? initializePasskeyChallenge({ slotHash, payer: signer, session: { key, expiration: end } })
    : refreshPasskeySessionChallenge({ slotHash, nonceSigner: signer, session: { key, expiration: BigInt(seconds) } });
  const ceremony: NewCeremony = {
    challenge: Buffer.from(challenge).toString("base64url"),
    tenant_id: caller.tenantId,
    environment: network.name,
    kind,
    slot: slotHash.slot,
    slot_hash: addressOfBytes(slotHash.hash),
    payer: signer,
    session_key: key,
    session_seconds: seconds,
    session_ends_at: isNew ? end : null,
    app_name: appName,
    redirect_url: redirect,
    user_handle: needs.random.uuid(),
    relying_party_id: page.rpId,
    origin: page.origin,
    created_at: BigInt(now),
    expires_at: BigInt(now + limits.signerCeremonyMs),
  };
  if (await recordCeremony(needs.db, ceremony)) return { url: urlOf(page.url, ceremony) };
  const earlier = await findCeremony(needs.db, ceremony.challenge);
  if (earlier === undefined || !isOpen(earlier, now) || !isSame(earlier, ceremony)) {
    throw new TrellisError("passkey_challenge_used", {
      message: "A session of this key was asked for a moment ago. Ask again shortly.",
      retryAfterSeconds: 1,
    });
  }
  return { url: urlOf(page.url, earlier) };
}

/** A page that is to ask a passkey. */
export interface AskingPage {
  readonly appName: string;
  readonly redirect: string | null;
  readonly page: CeremonyPage;
}

/** Reads where a challenge is to be signed. Throws `invalid_request` and `passkeys_not_configured`. */
export async function parsePage(
  { db, publicUrl }: Pick<CeremonyNeeds, "db" | "publicUrl">,
  network: Network,
  { tenantId }: Pick<Caller, "tenantId">,
  { metaInfo, baseUrl }: Static<typeof PageFields>,
): Promise<AskingPage> {
  const appName = parseShownName(metaInfo.appName, "metaInfo.appName");
  const { redirectUrl } = metaInfo;
  const redirect = redirectUrl === undefined ? null : parseRedirectUrl(network, redirectUrl);
  const page = ceremonyPage(network, publicUrl(), await findRelyingParty(db, tenantId), baseUrl);
  if (page.isNamed && (await isRelyingPartyOfAnother(db, tenantId, page.rpId))) {
    throw new TrellisError("passkeys_not_configured", {
      message: `${page.rpId} is the relying party of another tenant of this service.`,
    });
  }
  return { appName, redirect, page };
}

/** Whether the page would show the same of both, as the same caller has asked twice within one slot. */
const isSame = (one: NewCeremony, other: NewCeremony): boolean =>
  (["tenant_id", "environment", "kind", "app_name", "redirect_url", "origin"] as const).every(
    (column) => one[column] === other[column],
  );

/** Throws `passkeys_not_configured` where the chain has no signature program: an answer could be carried out by nothing. */
export async function readSlotHash(network: Network): Promise<SlotHash> {
  const [sysvar, program] = await readAccounts(network, [SLOT_HASHES_ADDRESS, SIGNATURE_PROGRAM_ADDRESS]);
  if (program?.executable !== true) {
    throw new TrellisError("passkeys_not_configured", {
      message: "This network does not have the program by which passkeys sign on chain.",
    });
  }
  try {
    return decodeNewestSlotHash(sysvar?.data ?? new Uint8Array(0));
  } catch (error) {
    if (!(error instanceof ProgramDataError)) throw error;
    throw new TrellisError("chain_unavailable", { cause: error });
  }
}

/** By the names that clients read the page's address by. */
function urlOf(page: string, ceremony: NewCeremony): string {
  const { redirect_url: redirectUrl } = ceremony;
  const query = new URLSearchParams({
    env: ceremony.environment,
    "app-name": ceremony.app_name,
    "user-id": ceremony.user_handle,
    ...(redirectUrl === null ? {} : { "redirect-url": redirectUrl }),
    challenge: Buffer.from(ceremony.challenge, "base64url").toString("base64"),
    "slot-num": String(ceremony.slot),
    "session-key": ceremony.session_key,
    "expiration-in-seconds": String(ceremony.session_seconds),
  });
  return `${page}?${query}`;
}
