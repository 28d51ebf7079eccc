import type { Reader } from "./reader.js";

/** A key of OpenBao's or Vault's transit engine. */
export interface TransitPlace {
  readonly kind: "transit";
  /** Of the engine: `https://host:port/v1/transit`. */
  readonly engineUrl: string;
  readonly keyName: string;
}

/** A key of AWS KMS. */
export interface AwsKmsPlace {
  readonly kind: "aws-kms";
  /** An ARN of a key or an alias, a key's id, or `alias/…`. */
  readonly keyId: string;
  readonly region: string;
}

/** A key store that seals and opens secrets, and a key in it. */
export type SealingPlace = TransitPlace | AwsKmsPlace;

/** How key stores are asked. Every file is read again for each call, so that what is in it can be replaced at any time. */
export interface KeyStores {
  readonly vault: { readonly tokenFile: string | null; readonly caFile: string | null };
  readonly aws: {
    /** Null: `https://kms.<region>.amazonaws.com`. */
    readonly url: string | null;
    /** Null: `credentials`. */
    readonly credentialsFile: string | null;
    /** Secret. */
    readonly credentials: AwsCredentials | null;
    /** Of keys that are named without their region. */
    readonly region: string;
  };
}

/** Where all keys are written out. */
export const noKeyStores: KeyStores = {
  vault: { tokenFile: null, caFile: null },
  aws: { url: null, credentialsFile: null, credentials: null, region: "" },
};

/** Secret, the first part aside. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | null;
}

/** Reads how key stores are asked. */
export function parseKeyStores({ read, problems }: Reader): KeyStores {
  const url = read("TRELLIS_AWS_KMS_URL");
  if (url !== "" && !isSafeUrl(url)) problems.push(`TRELLIS_AWS_KMS_URL ${unsafeUrl}.`);
  const [accessKeyId, secretAccessKey] = [read("AWS_ACCESS_KEY_ID"), read("AWS_SECRET_ACCESS_KEY")];
  const sessionToken = read("AWS_SESSION_TOKEN") || null;
  return {
    vault: { tokenFile: read("TRELLIS_VAULT_TOKEN_FILE") || null, caFile: read("TRELLIS_VAULT_CA_FILE") || null },
    aws: {
      url: url || null,
      credentialsFile: read("TRELLIS_AWS_CREDENTIALS_FILE") || null,
      credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey, sessionToken } : null,
      region: read("AWS_REGION"),
    },
  };
}

/** A key in a key store, or what is wrong with its text, which is repeated nowhere. */
export type ParsedPlace<Place> = Place | { readonly problem: string };

/** Reads `transit:https://…/v1/transit/keys/<name>` or `aws-kms:<ARN, id or alias>`. */
export function parseSealingPlace(text: string, stores: KeyStores): ParsedPlace<SealingPlace> {
  const [, kind, rest = ""] = /^(transit|aws-kms):(.+)$/s.exec(text) ?? [];
  if (kind === "transit") return parseTransit(rest, stores);
  if (kind === "aws-kms") return parseAwsKms(rest, stores);
  return { problem: "names no key store: transit:https://…/v1/transit/keys/<name> or aws-kms:<ARN or alias>" };
}

export function parseTransit(text: string, { vault }: KeyStores): ParsedPlace<TransitPlace> {
  if (!isSafeUrl(text)) return { problem: `names a transit key whose URL ${unsafeUrl}` };
  const { origin, pathname } = new URL(text);
  const [, engine, keyName] = /^(\/v1(?:\/[\w.-]+)+)\/keys\/([\w.-]+)$/.exec(pathname) ?? [];
  if (engine === undefined || keyName === undefined) {
    return { problem: "names a transit key whose URL must be of the form https://host:port/v1/transit/keys/<name>" };
  }
  if (vault.tokenFile === null) return { problem: "names a transit key, which needs TRELLIS_VAULT_TOKEN_FILE" };
  return { kind: "transit", engineUrl: `${origin}${engine}`, keyName };
}

export function parseAwsKms(keyId: string, { aws }: KeyStores): ParsedPlace<AwsKmsPlace> {
  if (!/^[\w/:-]{1,2048}$/.test(keyId)) {
    return { problem: "names an AWS KMS key that must be an ARN, a key's id or alias/<name>" };
  }
  const region = /^arn:[\w-]+:kms:([\w-]+):/.exec(keyId)?.[1] ?? aws.region;
  if (!/^[a-z0-9-]{1,40}$/.test(region)) return { problem: "names an AWS KMS key without its region: set AWS_REGION" };
  if (aws.credentialsFile === null && aws.credentials === null) {
    return {
      problem:
        "names an AWS KMS key, which needs TRELLIS_AWS_CREDENTIALS_FILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    };
  }
  return { kind: "aws-kms", keyId, region };
}

const unsafeUrl =
  "must begin with https:// (http:// for this machine alone), without user, password, query and fragment";

/** Tokens and keys go there: in clear to this very machine only. */
function isSafeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(text);
  if (username !== "" || password !== "" || search !== "" || hash !== "") return false;
  const isLoopback = hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
  return protocol === "https:" || (protocol === "http:" && isLoopback);
}
