import { Buffer } from "node:buffer";
import { timingSafeEqual } from "node:crypto";
import type { Address } from "@solana/kit";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { Macs } from "@trellis/kernel/crypto/macs.js";
import { type ErrorCode, TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import { isOnCurve, type Settings } from "@trellis/program-client";
import { isChainSignature } from "@trellis/solana/strict-signature.js";
import Type, { type Static } from "typebox";
import { memberName, readPasskeyMembers, whySilent } from "./passkey-members.js";

/** What a signer of an account signs so that a tenant may have it served here, or may release it. */
export interface Challenge {
  readonly message: string;
  readonly expiresAt: number;
}

export const WireChallenge = Type.Object(
  {
    message: Type.String({ description: "To be signed by one of the account's signers." }),
    expires_at: Type.String({ format: "date-time" }),
  },
  { $id: "SignerChallenge" },
);

export const toWireChallenge = ({ message, expiresAt }: Challenge): Static<typeof WireChallenge> => ({
  message,
  expires_at: new Date(expiresAt).toISOString(),
});

/** What a caller claims to have signed. */
export const SignerProof = Type.Object(
  {
    signer_address: addressText({
      description: "Who has signed. For a signer that is a passkey its session key has: name either of the two.",
    }),
    message: Type.String({ maxLength: 2_000, description: "The text of `challenge`, as it was." }),
    signature: Type.String({ maxLength: 200, description: "Ed25519, base64, over the text's UTF-8 bytes." }),
  },
  { $id: "SignerProof" },
);

/** What a text is about, but for how long it is good. */
export interface About {
  /** What a signer agrees to, in words of its own: a text for one is none for the other. */
  readonly purpose: "import" | "release";
  readonly tenantId: string;
  readonly environment: string;
  readonly address: string;
  /** Of a release: the number of the account's row, so that a proof is good for no later import. */
  readonly number?: string;
  /** Of an import: how often the tenant has released the account, so that a proof from before is not good after it. */
  readonly releases?: number;
}

/** Having an account served here, by a tenant that has released it so many times. */
export const importOf = (
  { name: environment }: Pick<Network, "name">,
  tenantId: string,
  { address }: { readonly address: string },
  releases: number,
): About => ({ purpose: "import", tenantId, environment, address, releases });

/** Ending that. */
export const releaseOf = (account: {
  readonly tenant_id: string;
  readonly environment: string;
  readonly address: string;
  readonly number: bigint;
}): About => ({
  purpose: "release",
  tenantId: account.tenant_id,
  environment: account.environment,
  address: account.address,
  number: account.number.toString(),
});

interface Proving {
  readonly keyring: Keyring;
  /** Real time, Unix milliseconds. */
  readonly now: number;
}

/**
 * The text for a signer's wallet. Nothing of it is stored: the code in it says that this service made it, for this purpose, this
 * tenant, this account and this time, so that a signature is good for no other. A text like this is no transaction.
 */
export function challengeFor({ keyring, now }: Proving, about: About): Challenge {
  const expiresAt = now + limits.importProofMs;
  const until = new Date(expiresAt).toISOString();
  const code = Buffer.from(macsOf(keyring).make(codeText(about, until))).toString("base64url");
  return { message: messageOf(about, until, code), expiresAt };
}

/** An account's signers, and the slot at which they were read. */
interface Proven {
  readonly settings: Pick<Settings, "signers" | "settingsAuthority">;
  readonly slot: bigint;
}

/**
 * Requires that a signer of the account, by the settings the chain has now, has signed a challenge of this purpose and this tenant
 * that is still good: with its own key, or as a passkey with the key of its live session. Returns the signer. Throws `invalid_import_proof` or
 * `invalid_release_proof`, which say what is wrong, and `chain_unavailable`.
 */
export async function requireProof(
  network: Pick<Network, "rpc" | "clock" | "serviceAddresses">,
  { keyring, now }: Proving,
  about: About,
  account: Proven,
  proof: Static<typeof SignerProof>,
): Promise<Address> {
  const refused = (field: string, message: string) => new TrellisError(refusals[about.purpose], { field, message });
  const until = /^Valid until: (\S+)$/m.exec(proof.message)?.[1] ?? "";
  const code = /^Code: (\S+)$/m.exec(proof.message)?.[1] ?? "";
  const isOurs = await macsOf(keyring).verify(codeText(about, until), Buffer.from(code, "base64url"));
  if (!isOurs || !isSame(proof.message, messageOf(about, until, code))) {
    throw refused("proof.message", `This text was not made here for ${wanted[about.purpose]}.`);
  }
  if (!(Date.parse(until) > now)) throw refused("proof.message", "This text is out of date. Ask for another one.");
  const prover = await findProver(network, account, proof.signer_address);
  if ("lacks" in prover) throw refused("proof.signer_address", prover.lacks);
  const signature = Buffer.from(proof.signature, "base64");
  if (!isChainSignature(prover.key, Buffer.from(proof.message, "utf8"), signature)) {
    const whose = prover.key === prover.signer ? "that signer" : `${prover.key}, the session key of that passkey`;
    throw refused("proof.signature", `This is not a signature of ${whose} over the text, in base64.`);
  }
  return prover.signer;
}

/** The signer that a name means, and the key that signs for it; or what is wrong with it. Throws `chain_unavailable`. */
async function findProver(
  network: Parameters<typeof requireProof>[0],
  account: Proven,
  name: string,
): Promise<{ readonly signer: Address; readonly key: Address } | { readonly lacks: string }> {
  const find = (address: string) => account.settings.signers.find((signer) => signer.address === address)?.address;
  const own = find(name);
  if (own !== undefined && isOnCurve(own)) return { signer: own, key: own };
  const members = await readPasskeyMembers(network, account);
  const signer = find(memberName({ ...members, settings: account.settings }, name));
  if (signer === undefined) {
    return { lacks: `${name} is not a signer of this account, nor the session key of a passkey that is one.` };
  }
  const key = members.sessionKeys.get(signer);
  if (key !== undefined) return { signer, key };
  const passkey = members.passkeys.get(signer);
  if (passkey === undefined) return { lacks: `No key signs for ${signer}: a program has derived that address.` };
  return { lacks: `The passkey ${signer} ${whySilent(network, passkey)}.` };
}

const refusals = {
  import: "invalid_import_proof",
  release: "invalid_release_proof",
} as const satisfies Record<About["purpose"], ErrorCode>;

const wanted: Readonly<Record<About["purpose"], string>> = {
  import: "this account and this tenant",
  release: "the release of this account by this tenant",
};

const macsOf = (keyring: Keyring): Macs => keyring.macs("account-import");

/** What the code in it is made of: for no two purposes the same. */
const codeText = ({ purpose, tenantId, environment, address, number, releases = 0 }: About, until: string): string =>
  JSON.stringify(
    purpose === "import"
      ? [tenantId, environment, address, until, ...(releases === 0 ? [] : [releases])]
      : [purpose, tenantId, environment, address, number, until],
  );

function messageOf({ purpose, tenantId, environment, address, number }: About, until: string, code: string): string {
  return [
    ...statements[purpose],
    "",
    `Account: ${address}`,
    `Environment: ${environment}`,
    `${purpose === "import" ? "For" : "Released by"}: ${tenantId}`,
    ...(number === undefined ? [] : [`Import: ${number}`]),
    `Valid until: ${until}`,
    `Code: ${code}`,
  ].join("\n");
}

const statements: Readonly<Record<About["purpose"], readonly string[]>> = {
  import: [
    "I am a signer of the smart account below and want this service to serve it.",
    "This moves no money and changes no rights.",
  ],
  release: [
    "I am a signer of the smart account below and want this service to STOP serving it for the tenant below.",
    "Another tenant can import it then. This moves no money and changes no rights.",
  ],
};

function isSame(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
