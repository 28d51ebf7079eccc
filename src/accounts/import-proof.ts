import { Buffer } from "node:buffer";
import { timingSafeEqual } from "node:crypto";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { Macs } from "@trellis/kernel/crypto/macs.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { isChainSignature } from "@trellis/solana/strict-signature.js";
import type { FoundAccount } from "./find-settings.js";

/** What a signer of an account signs so that a tenant may have it served here. */
export interface Challenge {
  readonly message: string;
  readonly expiresAt: number;
}

/** What a caller claims to have signed. */
export interface ImportProof {
  readonly signer_address: string;
  readonly message: string;
  readonly signature: string;
}

/**
 * The text for a signer's wallet. Nothing of it is stored: the code in it says that this service made it, for this tenant,
 * this account and this time, so that a signature is good for no other. A text like this is no transaction.
 */
export function challengeFor(
  { keyring, now }: { readonly keyring: Keyring; readonly now: number },
  network: Pick<Network, "name">,
  tenantId: string,
  account: Pick<FoundAccount, "address">,
): Challenge {
  const expiresAt = now + limits.importProofMs;
  const about = aboutOf(network, tenantId, account, new Date(expiresAt).toISOString());
  const code = Buffer.from(macsOf(keyring).make(codeText(about))).toString("base64url");
  return { message: messageOf(about, code), expiresAt };
}

/**
 * Requires that a member of the account, by the settings the chain has now, has signed a challenge of this tenant that is
 * still good. Throws `invalid_import_proof`, which says what is wrong.
 */
export async function requireProof(
  { keyring, now }: { readonly keyring: Keyring; readonly now: number },
  network: Pick<Network, "name">,
  tenantId: string,
  account: FoundAccount,
  proof: ImportProof,
): Promise<void> {
  const until = /^Valid until: (\S+)$/m.exec(proof.message)?.[1] ?? "";
  const code = /^Code: (\S+)$/m.exec(proof.message)?.[1] ?? "";
  const about = aboutOf(network, tenantId, account, until);
  const isOurs = await macsOf(keyring).verify(codeText(about), Buffer.from(code, "base64url"));
  if (!isOurs || !isSame(proof.message, messageOf(about, code))) {
    throw refused("proof.message", "This text was not made here for this account and this tenant.");
  }
  if (!(Date.parse(until) > now)) throw refused("proof.message", "This text is out of date. Ask for another one.");
  const member = account.settings.signers.find(({ address }) => address === proof.signer_address);
  if (!member) throw refused("proof.signer_address", `${proof.signer_address} is not a signer of this account.`);
  const signature = Buffer.from(proof.signature, "base64");
  if (!isChainSignature(member.address, Buffer.from(proof.message, "utf8"), signature)) {
    throw refused("proof.signature", "This is not that signer's signature over the text, in base64.");
  }
}

/** What a text is about. */
interface About {
  readonly tenantId: string;
  readonly environment: string;
  readonly address: string;
  /** ISO 8601. */
  readonly until: string;
}

const aboutOf = (
  { name: environment }: Pick<Network, "name">,
  tenantId: string,
  { address }: Pick<FoundAccount, "address">,
  until: string,
): About => ({ tenantId, environment, address, until });

const macsOf = (keyring: Keyring): Macs => keyring.macs("account-import");

/** What the code in it is made of. */
const codeText = ({ tenantId, environment, address, until }: About): string =>
  JSON.stringify([tenantId, environment, address, until]);

function messageOf({ tenantId, environment, address, until }: About, code: string): string {
  return [
    "I am a signer of the smart account below and want this service to serve it.",
    "This moves no money and changes no rights.",
    "",
    `Account: ${address}`,
    `Environment: ${environment}`,
    `For: ${tenantId}`,
    `Valid until: ${until}`,
    `Code: ${code}`,
  ].join("\n");
}

function isSame(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function refused(field: string, message: string): TrellisError {
  return new TrellisError("invalid_import_proof", { field, message });
}
