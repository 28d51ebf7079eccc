/** What tests of passkeys that sign on chain begin with: ceremonies, and a browser's answers to them. */
import { ECDH, randomBytes } from "node:crypto";
import type { Address } from "@solana/kit";
import type { Caller } from "@trellis/kernel/endpoint.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { derivePasskeyAddress } from "@trellis/program-client";
import { addressOfKey, type TrellisClient } from "@trellis/sdk";
import { beginPasskeySession } from "../../src/passkey-signers/begin-passkey-session.js";
import { beginPasskeySigner } from "../../src/passkey-signers/begin-passkey-signer.js";
import { submitPasskeyCeremony } from "../../src/passkey-signers/submit-passkey-ceremony.js";
import { type Asked, createSoftPasskey, type SoftPasskey } from "./authenticator.js";
import type { CallParts, TestNetwork } from "./test-network.js";

const spkiHead = Buffer.from("3059301306072a8648ce3d020106082a8648ce3d030107034200", "hex");
/** What the page that a test's service names belongs to. */
export const page = { rpId: "trellis.example", origin: "https://trellis.example" };
/** A slot of the sandbox, and a little more. */
const slotMs = 500;

type Kind = "create" | "auth";

/** A key of a client, which signs in a passkey's place. */
export function createSessionKey(): { readonly address: Address; readonly key: Uint8Array } {
  const key = new Uint8Array(randomBytes(32));
  return { address: addressOfKey(key), key };
}

/** Where a passkey's account lies, or will. */
export const addressOfPasskey = ({ point }: SoftPasskey): Address =>
  derivePasskeyAddress(ECDH.convertKey(point, "prime256v1", undefined, undefined, "compressed") as Buffer);

/** A ceremony that was begun, with what the page's address says. */
export interface Begun {
  readonly kind: Kind;
  readonly key: string | number[];
  readonly seconds: number;
  readonly url: URL;
  readonly challenge: Buffer;
  readonly slotNumber: number;
}

interface BeginTerms {
  readonly seconds?: number;
  readonly caller?: Caller;
  readonly baseUrl?: string;
  readonly metaInfo?: object;
  readonly network?: Network;
  readonly needs?: CallParts["needs"];
}

/** Begins a ceremony in a slot of its own. */
export async function beginCeremony(
  test: TestNetwork,
  kind: Kind,
  key: string | number[],
  { seconds = 900, caller, baseUrl, network, needs, metaInfo = { appName: "App" } }: BeginTerms = {},
): Promise<Begun> {
  test.needs.realClock.advance(slotMs);
  const { url: text } = await test.call<{ url: string }>(kind === "create" ? beginPasskeySigner : beginPasskeySession, {
    body: { sessionKey: { key, expiration: seconds }, metaInfo, ...(baseUrl === undefined ? {} : { baseUrl }) },
    ...(caller === undefined ? {} : { caller }),
    ...(network === undefined ? {} : { network }),
    ...(needs === undefined ? {} : { needs }),
  });
  const url = new URL(text);
  const challenge = Buffer.from(url.searchParams.get("challenge") ?? "", "base64");
  return { kind, key, seconds, url, challenge, slotNumber: Number(url.searchParams.get("slot-num")) };
}

/** What a browser answers. */
export function answerOf(
  passkey: SoftPasskey,
  { challenge }: Pick<Begun, "challenge">,
  bent: Partial<Asked> & { readonly key?: SoftPasskey } = {},
) {
  const { key, ...asked } = bent;
  const made = passkey.assert({ challenge, ...page, ...asked });
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
  return {
    response: {
      authenticatorData: text(made.authenticatorData),
      clientDataJSON: text(made.clientDataJson),
      signature: text(made.signature),
      publicKey: text(Buffer.concat([spkiHead, (key ?? passkey).point])),
    },
  };
}

/** The body that a client submits. */
export const submission = (
  { kind, key, seconds, slotNumber }: Begun,
  authenticatorResponse: ReturnType<typeof answerOf>,
) => ({ ceremonyType: kind, slotNumber, sessionKey: { key, expiration: seconds }, authenticatorResponse });

/** A session as it is answered. */
export interface WireSession {
  readonly passkey_account: string;
  readonly session_key: { readonly key: string; readonly expiration: number };
}

/** Has a passkey carry out a ceremony as an honest client would. */
export async function openSession(
  test: TestNetwork,
  kind: Kind,
  passkey: SoftPasskey,
  sessionKey: string,
  terms: BeginTerms = {},
): Promise<WireSession> {
  const begun = await beginCeremony(test, kind, sessionKey, terms);
  const { caller } = terms;
  return test.call<WireSession>(submitPasskeyCeremony, {
    body: submission(begun, answerOf(passkey, begun)),
    ...(caller === undefined ? {} : { caller }),
  });
}

/** A passkey with an account on chain and a session. */
export async function createPasskeySigner(test: TestNetwork) {
  const passkey = createSoftPasskey();
  const session = createSessionKey();
  const opened = await openSession(test, "create", passkey, session.address);
  return { passkey, session, address: opened.passkey_account as Address };
}

/** Has the client library of a service at `pageOrigin` begin a session, and a page have the passkey answer; nothing is submitted. */
export async function answerToClient(
  client: Pick<TrellisClient, "passkeySigners" | "sandbox">,
  passkey: SoftPasskey,
  key: Uint8Array,
  { kind = "create", seconds = 900, pageOrigin = "http://localhost:3000" }: ClientTerms = {},
) {
  // The program takes a slot once for each passkey.
  await client.sandbox.advanceClock(1);
  const wanted = { sessionKey: addressOfKey(key), seconds, appName: "App", pageOrigin };
  const { ceremony } = await client.passkeySigners[kind === "create" ? "create" : "authorize"](wanted);
  const { relying_party_id: rpId, origin } = ceremony;
  const challenge = Buffer.from(ceremony.challenge, "base64url");
  return {
    ceremonyType: kind,
    slotNumber: ceremony.slot_number,
    sessionKey: { key: wanted.sessionKey, expiration: seconds },
    authenticatorResponse: answerOf(passkey, { challenge }, { rpId, origin }),
  };
}

interface ClientTerms {
  readonly kind?: Kind;
  readonly seconds?: number;
  readonly pageOrigin?: string;
}

/** The same with the answer submitted: a session is open. */
export async function openByClient(
  client: Pick<TrellisClient, "passkeySigners" | "sandbox">,
  passkey: SoftPasskey,
  key: Uint8Array,
  terms: ClientTerms = {},
): Promise<{ readonly passkeyAccount: string; readonly key: Uint8Array }> {
  const opened = await client.passkeySigners.submit(await answerToClient(client, passkey, key, terms));
  return { passkeyAccount: String(opened.passkey_account), key };
}
