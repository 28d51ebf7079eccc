import { custodyRefusalReasons } from "@trellis/kernel/ports/custodian.js";
import Type, { type Static, type TSchema } from "typebox";
import {
  AuthorizationBody,
  AuthorizedBody,
  CeremonyAnswer,
  CeremonyBody,
  ChangesAnswer,
  CosignatureBody,
  Environment,
  GrowthAnswer,
  GrowthBody,
  Id,
  Kind,
  LogAnswer,
  Now,
  Owner,
  PasskeyAnswer,
  PasskeyBody,
  PasskeysAnswer,
  PolicyAnswer,
  PolicyNonce,
  Proof,
  ProofNonce,
  Receipt,
  RelyingParty,
  SignBody,
  TileAnswer,
  WalletAnswer,
  WitnessAnswer,
  WitnessBody,
} from "./schemas.js";

/** What a custodian can be asked, as data: both ends and the OpenAPI document are read off it. */
export interface Operation<Body extends TSchema = TSchema, Answer extends TSchema = TSchema> {
  readonly summary: string;
  readonly description?: string;
  readonly method: "GET" | "POST" | "PUT";
  /** Parameters in braces, each a name that the custodian gave. */
  readonly path: string;
  /** Absent: no body at all. */
  readonly body?: Body;
  readonly answer: Answer;
  /** Whether it can be refused for good. */
  readonly refuses: boolean;
}

const define = <const Body extends TSchema, const Answer extends TSchema>(operation: Operation<Body, Answer>) =>
  operation;

const closed = { additionalProperties: false } as const;

/** The protocol, version 1. */
export const operations = {
  ensureWallet: define({
    summary: "The owner's wallet, made at the first call",
    description:
      "The same one for the same owner ever after. Kind, environment and relying party are fixed by the first call: one that names others is refused. The proof is a signature of the wallet's own key over a text that holds `nonce`.",
    method: "POST",
    path: "/v1/wallets",
    body: Type.Object(
      {
        owner: Owner,
        environment: Environment,
        kind: Kind,
        rp: Type.Optional(RelyingParty),
        nonce: ProofNonce,
        now: Now,
      },
      closed,
    ),
    answer: Type.Object({ wallet: WalletAnswer, proof: Proof }),
    refuses: true,
  }),
  getWallet: define({
    summary: "A wallet, with a receipt of what commands it now",
    method: "GET",
    path: "/v1/wallets/{wallet_id}",
    answer: Type.Object({ wallet: WalletAnswer }),
    refuses: true,
  }),
  proveWallet: define({
    summary: "Proves that the wallet's key is there and can be used",
    method: "POST",
    path: "/v1/wallets/{wallet_id}/prove",
    body: Type.Object({ nonce: ProofNonce }, closed),
    answer: Proof,
    refuses: true,
  }),
  registerAuthorization: define({
    summary: "Lets a P-256 key command the wallet until it expires",
    description:
      'A guarded wallet takes it with a `grant` alone: a document `{version: 1, method: "authorizeKey", environment, wallet, params: {public_key, expires_at}, nonce, expires_at}`, instants in ISO 8601, that a live passkey of the wallet has signed. The second `expires_at` is that of the document, an hour ahead at most. The same grant again answers the same, and revives nothing.',
    method: "POST",
    path: "/v1/wallets/{wallet_id}/authorizations",
    body: AuthorizationBody,
    answer: Type.Object({ authorization_id: Id }),
    refuses: true,
  }),
  revokeAuthorization: define({
    summary: "From now on a key commands nothing",
    description: "Repeating it changes nothing, and neither does naming a key that is not there.",
    method: "POST",
    path: "/v1/authorizations/{authorization_id}/revoke",
    body: Type.Object({ now: Now }, closed),
    answer: Type.Object({}),
    refuses: false,
  }),
  sign: define({
    summary: "Signs the message of the transaction inside a payload",
    description: "If the stamp is a signature over that payload by the named authority, a live one of that wallet.",
    method: "POST",
    path: "/v1/wallets/{wallet_id}/sign",
    body: SignBody,
    answer: Type.Object({ signature: Proof.properties.signature }),
    refuses: true,
  }),
  checkAuthority: define({
    summary: "Requires that a live authority of the wallet signed a document",
    description: "Whatever the document says: it lets nothing happen.",
    method: "POST",
    path: "/v1/wallets/{wallet_id}/check",
    body: SignBody,
    answer: Type.Object({}),
    refuses: true,
  }),
  listPasskeys: define({
    summary: "The passkeys that command a wallet",
    method: "GET",
    path: "/v1/wallets/{wallet_id}/passkeys",
    answer: PasskeysAnswer,
    refuses: true,
  }),
  beginPasskey: define({
    summary: "The challenge of a passkey's registration, good once and for a few minutes",
    method: "POST",
    path: "/v1/wallets/{wallet_id}/passkeys/options",
    body: CeremonyBody,
    answer: CeremonyAnswer,
    refuses: true,
  }),
  addPasskey: define({
    summary: "Lets a passkey command the wallet from now on",
    description:
      "`authorization` is a document of the method `addPasskey`, signed by a live authority of the wallet; of a guarded wallet by a passkey. It is absent for the first passkey of a guarded wallet that never had one, and for no other.",
    method: "POST",
    path: "/v1/wallets/{wallet_id}/passkeys",
    body: PasskeyBody,
    answer: PasskeyAnswer,
    refuses: true,
  }),
  removePasskey: define({
    summary: "From now on a passkey commands nothing",
    description:
      "`authorization` is a document of the method `removePasskey`, whose `expires_at` is an hour ahead at most, signed by a live authority of the wallet; of a guarded wallet by a passkey. Repeating it changes nothing.",
    method: "POST",
    path: "/v1/wallets/{wallet_id}/passkeys/{passkey_id}/remove",
    body: Type.Object({ authorization: AuthorizedBody, now: Now }, closed),
    answer: Type.Object({ receipt: Receipt }),
    refuses: true,
  }),
  getLog: define({
    summary: "The custodian's own log: its keys and its last checkpoint",
    method: "GET",
    path: "/v1/log/checkpoint",
    answer: LogAnswer,
    refuses: false,
  }),
  getLogTile: define({
    summary: "Hashes of the log's tree",
    description: "As C2SP tlog-tiles has them: `width` of the up to 256 hashes of a tile.",
    method: "GET",
    path: "/v1/log/tile/{level}/{index}/{width}",
    answer: TileAnswer,
    refuses: false,
  }),
  proveGrowth: define({
    summary: "A checkpoint over everything until now, and the proof that the log has only grown",
    method: "POST",
    path: "/v1/log/growth",
    body: GrowthBody,
    answer: GrowthAnswer,
    refuses: false,
  }),
  addCheckpoint: define({
    summary: "Cosigns a checkpoint of the service's log",
    description:
      "By the rules of a C2SP witness. The first log that the service shows is the one that is cosigned ever after.",
    method: "POST",
    path: "/v1/log/add-checkpoint",
    body: WitnessBody,
    answer: WitnessAnswer,
    refuses: false,
  }),
  keepCosignature: define({
    summary: "Keeps the service's cosignature below the custodian's last checkpoint",
    method: "POST",
    path: "/v1/log/cosignatures",
    body: CosignatureBody,
    answer: Type.Object({ kept: Type.Boolean({ description: "False: it is no cosignature of that checkpoint." }) }),
    refuses: false,
  }),
  readPolicy: define({
    summary: "The policy by which a wallet signs, and the one that waits",
    method: "POST",
    path: "/v1/wallets/{wallet_id}/policy/read",
    body: Type.Object({ nonce: PolicyNonce, now: Now }, closed),
    answer: PolicyAnswer,
    refuses: true,
  }),
  setPolicy: define({
    summary: "Has a guarded wallet sign by another policy",
    description:
      'What is authorized is a document `{version: 1, method: "setWalletPolicy", environment, wallet, params: {policy, replaces}, nonce, expires_at}`, which a live passkey of the wallet has signed. A session wallet takes none. `policy` is the whole of it, `replaces` the version that it takes the place of, `expires_at` an hour ahead at most, in ISO 8601. A policy that only tightens holds at once. Any other waits for the delay of the one that holds, a week at most. It takes the place of one that waits. The same document again answers the same; the nonce of the certificate is that of the document.',
    method: "PUT",
    path: "/v1/wallets/{wallet_id}/policy",
    body: Type.Object({ authorization: AuthorizedBody, now: Now }, closed),
    answer: PolicyAnswer,
    refuses: true,
  }),
  readChanges: define({
    summary: "The changes of settings that wait for their delay at a wallet",
    description: "All of them: eight at most wait at once.",
    method: "POST",
    path: "/v1/wallets/{wallet_id}/changes/read",
    body: Type.Object({ nonce: PolicyNonce, now: Now }, closed),
    answer: ChangesAnswer,
    refuses: true,
  }),
  cancelChange: define({
    summary: "Ends a change of settings that waits, or that could be signed now",
    description:
      'What is authorized is a document `{version: 1, method: "cancelSettingsChange", environment, wallet, params: {change_id}, nonce, expires_at}`, which a live passkey of the wallet has signed. `expires_at` is an hour ahead at most, in ISO 8601. One that was signed is not cancelled: `change_over`. Repeating it changes nothing; the nonce of the certificate is that of the document.',
    method: "POST",
    path: "/v1/wallets/{wallet_id}/changes/cancel",
    body: Type.Object({ authorization: AuthorizedBody, now: Now }, closed),
    answer: ChangesAnswer,
    refuses: true,
  }),
  getIdentity: define({
    summary: "Who answers, and whether it can",
    description: "Asks the custodian's own database.",
    method: "GET",
    path: "/v1/identity",
    answer: Type.Object({
      name: Type.String({ pattern: "^kms_[a-z]$" }),
      identity: Type.String({ description: "Its Ed25519 key, base64url." }),
      environments: Type.Array(Environment),
      time: Type.Integer({ description: "By its own clock, Unix milliseconds." }),
    }),
    refuses: false,
  }),
} as const;

export type OperationName = keyof typeof operations;

type BodyOf<O> = O extends { readonly body?: infer B extends TSchema } ? Static<B> : undefined;

/** What an operation is asked with. */
export type OperationBody<Name extends OperationName> = "body" extends keyof (typeof operations)[Name]
  ? BodyOf<(typeof operations)[Name]>
  : undefined;

/** What it answers. */
export type OperationAnswer<Name extends OperationName> = Static<(typeof operations)[Name]["answer"]>;

/** Why a request was not carried out, with its status. */
export const protocolErrors = {
  invalid_request: 400,
  unauthenticated: 401,
  not_found: 404,
  replayed: 409,
  too_large: 413,
  refused: 422,
  unavailable: 503,
} as const;

export type ProtocolErrorCode = keyof typeof protocolErrors;

export const ErrorAnswer = Type.Object({
  error: Type.Object({
    code: Type.Enum(Object.keys(protocolErrors) as ProtocolErrorCode[]),
    message: Type.String({ maxLength: 1_024 }),
    reason: Type.Optional(
      Type.Enum([...custodyRefusalReasons], { description: "With `refused`, which is final for what was asked." }),
    ),
    policy: Type.Optional(
      Type.Object(
        {
          rule: Type.String({ pattern: "^[a-z][a-z_]{0,63}$", description: "Which rule of the wallet's policy." }),
          not_before: Type.Optional(
            Type.Integer({ minimum: 0, description: "Unix milliseconds from which a delayed change is signed." }),
          ),
          change_id: Type.Optional(
            Type.String({
              pattern: "^[0-9a-f]{64}$",
              description: "What a delayed change is listed and cancelled by.",
            }),
          ),
        },
        { description: "With the reason `policy`." },
      ),
    ),
  }),
});

/** The path of an operation with its parameters. */
export function pathOf(template: string, params: Readonly<Record<string, string>>): string {
  return template.replace(/\{([a-z_]+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
}
