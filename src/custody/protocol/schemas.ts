import { environmentNames } from "@trellis/kernel/ports/environment.js";
import Type, { type Static } from "typebox";

/** Names that a custodian gives. */
export const Id = Type.String({ pattern: "^[A-Za-z0-9_-]{1,64}$", description: "As the custodian named it." });

const base64Url = (description: string, maxLength = 4_096) =>
  Type.String({ pattern: "^[A-Za-z0-9_-]+$", maxLength, description: `${description}, base64url without padding.` });
const hex = (bytes: number, description: string) =>
  Type.String({ pattern: `^[0-9a-f]{${2 * bytes}}$`, description: `${description}, in small hex.` });
const address = Type.String({ pattern: "^[1-9A-HJ-NP-Za-km-z]{32,44}$", description: "The wallet's address, base58." });

/** Unix milliseconds. */
const Milliseconds = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: "Unix milliseconds." });

export const Now = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description:
    "Environment time in Unix milliseconds. Counts for wallets of the sandbox alone, and never back: everywhere else the custodian's own clock does.",
});

const Origins = Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { maxItems: 32 });

export const RelyingParty = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 253, description: "The domain that passkeys belong to." }),
    origins: Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
      minItems: 1,
      maxItems: 32,
      description: "Of the pages that may ask for them, as browsers write them.",
    }),
  },
  { additionalProperties: false, description: "Fixed when the wallet is made." },
);

export const Environment = Type.Enum([...environmentNames]);
export const Kind = Type.Enum(["session", "guarded"], {
  description:
    "session: obeys keys that the service registers, and passkeys. guarded: obeys passkeys that the custodian itself enrolled, and keys that such a passkey granted.",
});
export const Owner = Type.String({ minLength: 1, maxLength: 128, description: "The service's name for the owner." });
export const ProofNonce = hex(32, "What a proof holds");

export const Proof = Type.Object({
  message: Type.String({ maxLength: 1_024, description: "The text that was signed." }),
  signature: base64Url("Ed25519 of the wallet's key", 86),
});

export const Receipt = Type.Object(
  {
    document: Type.String({ maxLength: 16_384, description: "Canonical JSON {wallet, address, passkeys, policy}." }),
    signature: base64Url("Ed25519 of the custodian's identity", 86),
  },
  { description: "What commands the wallet, certified by the custodian." },
);

export const PolicyNonce = Type.Union([
  hex(32, "What the certificate holds, so that none of another time is taken for it"),
  Type.Null(),
]);

export const PolicyAnswer = Type.Object({
  certificate: Type.Object(
    {
      document: Type.String({
        maxLength: 32_768,
        description: "Canonical JSON {address, as_of, next, nonce, policy, version, wallet}.",
      }),
      signature: base64Url("Ed25519 of the custodian's identity", 86),
    },
    { description: "The policy that holds, and the one that waits, certified by the custodian." },
  ),
});

const ChangeContent = Type.Object({
  settings: address,
  by: Type.Enum(["members", "admin", "proposal"]),
  actions: Type.Array(Type.Object({ __kind: Type.String({ maxLength: 64 }) }, { additionalProperties: true })),
});

/** What a certificate of changes says, as far as the other end relies on it. */
export const ChangesDocument = Type.Object({
  address,
  as_of: Type.String({ maxLength: 32 }),
  changes: Type.Array(
    Type.Object({
      id: Type.String({ pattern: "^[0-9a-f]{64}$" }),
      from: Type.String({ maxLength: 32 }),
      until: Type.String({ maxLength: 32 }),
      content: Type.Union([Type.Array(ChangeContent), Type.Null()]),
    }),
    { maxItems: 32 },
  ),
  nonce: Type.Union([Type.String({ maxLength: 128 }), Type.Null()]),
  wallet: Id,
});

export const ChangesAnswer = Type.Object({
  certificate: Type.Object(
    {
      document: Type.String({
        maxLength: 40_960,
        description: "Canonical JSON {address, as_of, changes, nonce, wallet}; changes are {id, from, until, content}.",
      }),
      signature: base64Url("Ed25519 of the custodian's identity", 86),
    },
    { description: "All changes of settings that wait for their delay, certified by the custodian." },
  ),
});

export const WalletAnswer = Type.Object({
  wallet_id: Id,
  owner: Owner,
  environment: Environment,
  kind: Kind,
  address,
  created_at: Milliseconds,
  receipt: Receipt,
});

/** A signature over a payload; what else it holds depends on its form. */
export const StampBody = Type.Union([
  Type.Object(
    {
      form: Type.Literal("passkey"),
      credential_id: base64Url("The passkey that signed"),
      authenticator_data: base64Url("As the browser answered it"),
      client_data_json: base64Url("As the browser answered it"),
      signature: base64Url("DER"),
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      form: Type.String({ pattern: "^kms_[a-z]$" }),
      signature: Type.String({ maxLength: 1_024, description: "DER, in the encoding of the form." }),
      public_key: Type.Optional(Type.String({ maxLength: 260 })),
      timestamp_ms: Type.Optional(Type.String({ maxLength: 16 })),
    },
    { additionalProperties: false, description: "Of an authorization key, in the form of the custodian's name." },
  ),
]);

export const AuthorityBody = Type.Union([
  Type.Object({ kind: Type.Literal("session"), authorization_id: Id }, { additionalProperties: false }),
  Type.Object(
    {
      kind: Type.Literal("passkey"),
      passkey_id: Id,
      origins: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
          maxItems: 32,
          description: "Counts for session wallets alone.",
        }),
      ),
    },
    { additionalProperties: false },
  ),
]);

/** A document that a holder signed, and what with. */
const authorizedFields = {
  payload: Type.String({ maxLength: 8_192, description: "Base64 of the document, exactly as it was signed." }),
  stamp: StampBody,
  authority: AuthorityBody,
} as const;

export const AuthorizedBody = Type.Object(authorizedFields, { additionalProperties: false });

export const SignBody = Type.Object({ ...authorizedFields, now: Now }, { additionalProperties: false });

export const AuthorizationBody = Type.Object(
  {
    public_key: hex(65, "P-256 point, uncompressed"),
    expires_at: Milliseconds,
    now: Now,
    grant: Type.Optional(AuthorizedBody),
  },
  { additionalProperties: false },
);

export const CeremonyBody = Type.Object(
  {
    rp_id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 253, description: "Of a session wallet, whose domain is not fixed." }),
    ),
    now: Now,
  },
  { additionalProperties: false },
);

export const CeremonyAnswer = Type.Object({
  ceremony_id: Id,
  challenge: base64Url("32 bytes", 43),
  rp_id: Type.String({ maxLength: 253 }),
  expires_at: Milliseconds,
});

export const PasskeyBody = Type.Object(
  {
    ceremony_id: Id,
    registration: Type.Object(
      {
        authenticator_data: base64Url("As the browser answered it"),
        client_data_json: base64Url("As the browser answered it"),
      },
      { additionalProperties: false },
    ),
    origins: Type.Optional(Origins),
    authorization: Type.Optional(AuthorizedBody),
    now: Now,
  },
  { additionalProperties: false },
);

const passkeyFields = {
  id: Id,
  credential_id: base64Url("As the browser named it"),
  public_key: hex(65, "P-256 point, uncompressed"),
  aaguid: Type.String({ maxLength: 36 }),
  is_synced: Type.Boolean(),
};

export const PasskeyAnswer = Type.Object({
  passkey: Type.Object(passkeyFields),
  receipt: Receipt,
});

export type WireAuthorized = Static<typeof AuthorizedBody>;

export const PasskeysAnswer = Type.Object({
  passkeys: Type.Array(
    Type.Object({
      ...passkeyFields,
      rp_id: Type.String({ maxLength: 253 }),
      created_at: Type.Integer({ description: "Unix milliseconds." }),
    }),
    { description: "Oldest first." },
  ),
  takes_first_passkey: Type.Optional(
    Type.Boolean({
      description: "Whether a passkey is added without authorization. Absent: a guarded wallet without any takes one.",
    }),
  ),
});

const note = Type.String({
  maxLength: 4_096,
  description: "A signed note: name, size and root of a log (C2SP tlog-checkpoint).",
});
const hash = Type.String({ pattern: "^[A-Za-z0-9+/]{43}=$", description: "32 bytes in base64." });

export const LogAnswer = Type.Object({
  log_key: Type.String({
    maxLength: 512,
    description: "Verifies its checkpoints; its name holds the custodian's identity.",
  }),
  witness_key: Type.String({ maxLength: 512, description: "Verifies what the custodian cosigns." }),
  checkpoint: Type.Union([note, Type.Null()], {
    description: "The last one, with cosignatures; null: nothing was entered yet.",
  }),
  service_log: Type.Optional(
    Type.Union(
      [
        Type.Object({
          origin: Type.String({ maxLength: 512, description: "Its name." }),
          size: Type.Integer({ minimum: 0 }),
          root: hash,
          refused: Type.Union([Type.Enum(["shorter", "other", "renamed"]), Type.Null()], {
            description: "What is wrong with the one that was refused last, where no operator has decided about it.",
          }),
        }),
        Type.Null(),
      ],
      {
        description: "What was seen of the service's log last. Null: nothing. Absent: the custodian does not say.",
      },
    ),
  ),
});

export const TileAnswer = Type.Object({
  hashes: Type.Union([Type.String({ maxLength: 10_924 }), Type.Null()], {
    description: "The tile's bytes in base64; null: there is none, or it is not as wide yet.",
  }),
});

export const GrowthBody = Type.Object(
  { old: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: "The size that was seen last." }) },
  { additionalProperties: false },
);

export const GrowthAnswer = Type.Object({
  size: Type.Integer({ minimum: 0 }),
  checkpoint: Type.Union([note, Type.Null()]),
  proof: Type.Array(hash, { maxItems: 63, description: "Empty where `old` is 0, or more than there is." }),
});

export const WitnessBody = Type.Object(
  {
    log_key: Type.String({ maxLength: 512, description: "Verifies the checkpoint." }),
    request: Type.String({ maxLength: 16_384, description: "The body of `add-checkpoint` (C2SP tlog-witness)." }),
  },
  { additionalProperties: false },
);

export const WitnessAnswer = Type.Object({
  status: Type.Integer({ minimum: 200, maximum: 499 }),
  body: Type.String({
    maxLength: 1_024,
    description: "As a witness answers it: a cosignature, or the size that it has seen.",
  }),
});

export const CosignatureBody = Type.Object(
  { witness_key: Type.String({ maxLength: 512 }), checkpoint: note, line: Type.String({ maxLength: 1_024 }) },
  { additionalProperties: false },
);
