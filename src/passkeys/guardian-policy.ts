import type { Caller } from "@trellis/kernel/endpoint.js";
import type { Custodian, Custodians } from "@trellis/kernel/ports/custodian.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { CertifiedPolicy } from "@trellis/kernel/ports/wallet-policy.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static, type TSchema } from "typebox";
import { findGuardian } from "../custody/custodians.js";
import { type CommandedWallet, findCommandedWallets } from "./commanded-wallets.js";

/** A policy as the guardian reads it. The service reads none: which ones there are is the guardian's to say. */
export const PolicyContent = Type.Object(
  {},
  { additionalProperties: true, description: "A policy: docs/custodian-policy.schema.json has its members." },
);

const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** What the guardian has signed of an answer. */
export const GuardianCertificate = Type.Object(
  {
    document: Type.String({ description: "Canonical JSON of all of this, with the nonce." }),
    signature: Type.String({ description: "Base64url: Ed25519 of the guardian's identity." }),
  },
  { description: "Who pins the guardian's identity verifies it." },
);

/** What a certificate holds, so that no older one is taken for it. */
export const CertificateQuery = Type.Object({
  nonce: Type.Optional(
    Type.String({
      pattern: "^[0-9a-f]{64}$",
      description: "What the certificate holds: 32 random bytes in small hex. So no older one is taken for it.",
    }),
  ),
});

/** What the guardian's wallet of an account signs; all but `version` null where the account has none. */
export const GuardianPolicy = Type.Object(
  {
    signer: orNull(
      addressText({ description: "The guardian's wallet; null: the account has none that the caller may see." }),
    ),
    policy: orNull(PolicyContent),
    version: Type.Integer({ description: "Counts the policies that were set: what the next one has to replace." }),
    next: orNull(
      Type.Object({
        policy: PolicyContent,
        from: Type.String({ format: "date-time", description: "From when on it holds." }),
      }),
    ),
    as_of: orNull(Type.String({ format: "date-time", description: "By the guardian's clock." })),
    certificate: orNull(GuardianCertificate),
  },
  { $id: "GuardianPolicy" },
);

/** The guardian with its wallet among an account's signers; undefined where there is none. */
export async function findGuarded(
  { db, custodians }: { readonly db: Db; readonly custodians: Custodians },
  caller: Caller,
  network: Network,
  address: string,
): Promise<{ readonly guardian: Custodian; readonly wallet: CommandedWallet } | undefined> {
  const wallets = await findCommandedWallets(db, caller, network, address);
  const guardian = findGuardian(custodians);
  const wallet = wallets.find(({ provider }) => provider === guardian?.provider);
  return guardian && wallet && { guardian, wallet };
}

export function toWirePolicy(certified: CertifiedPolicy): Static<typeof GuardianPolicy> {
  const { certificate, content } = certified;
  const { address, policy, version, next, as_of } = content;
  return { signer: address, policy, version, next, as_of, certificate };
}

export const noPolicy: Static<typeof GuardianPolicy> = {
  signer: null,
  policy: null,
  version: 0,
  next: null,
  as_of: null,
  certificate: null,
};
