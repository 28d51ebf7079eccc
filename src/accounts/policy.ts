import type { Address } from "@solana/kit";
import { documented, documentedAs } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { AccountSignerTable } from "@trellis/kernel/ports/database.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import {
  ALL_PERMISSIONS_MASK,
  CAN_EXECUTE_BIT,
  CAN_INITIATE_BIT,
  CAN_VOTE_BIT,
  isOnCurve,
  maskOfPermissions,
  PERMISSIONS,
  permissionsOfMask,
  type Settings,
} from "@trellis/program-client";
import { Permission } from "@trellis/program-client/settings-change.js";
import Type, { type Static } from "typebox";
import { providerNames } from "../custody/custodians.js";
import { type MemberRules, parseOutsider, parseSigner } from "./member-address.js";

export const Role = Type.Enum(["primary", "backup"], { $id: "SignerRole" });
export type Role = Static<typeof Role>;
export const Provider = Type.Enum([...providerNames], { $id: "SignerProvider" });
export type Provider = Static<typeof Provider>;

/** Whose members are to sign what a request prepares. A word that is no provider is one that no member has. */
export const wantedProvider = Type.Optional(
  Type.String(documentedAs({ ...Provider, description: "Only members of this provider sign." })),
);

/** A policy as responses show it (interface 2.3). */
export const Policies = Type.Object(
  {
    signers: Type.Array(
      Type.Object(
        {
          address: addressText(),
          permissions: Type.Array(Permission),
          role: Role,
          provider: Provider,
        },
        { $id: "Signer" },
      ),
    ),
    threshold: Type.Integer(),
    admin_address: Type.Union([addressText(), Type.Null()], { description: "Null: the signers decide, for good." }),
    time_lock: Type.Integer({ description: "Seconds." }),
  },
  { $id: "Policies" },
);
export type Policies = Static<typeof Policies>;

/** Bounds of a policy that `checkPolicy` keeps. */
export const thresholdBounds = documented({ minimum: 1, maximum: limits.signersMax });
export const timeLockBounds = documented({ minimum: 0, maximum: limits.timeLockMaxSeconds });
export const signerListBounds = documented({ minItems: 1, maxItems: limits.signersMax });

/** A signer as requests name it. */
const RequestedSigner = Type.Object(
  {
    address: addressText({ examples: ["4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi"] }),
    permissions: Type.Array(Permission, documented({ minItems: 1 })),
    role: Type.Optional(Role),
    provider: Type.Optional(Provider),
  },
  { $id: "RequestedSigner" },
);

/** A policy as requests ask for it (gap 14). */
export const RequestedPolicies = Type.Object(
  {
    signers: Type.Array(RequestedSigner, signerListBounds),
    threshold: Type.Integer(thresholdBounds),
    time_lock: Type.Optional(Type.Integer({ description: "Seconds; 0 when absent.", ...timeLockBounds })),
    admin_address: Type.Optional(
      addressText({ description: "Who alone may change the settings. Absent: the signers decide, for good." }),
    ),
  },
  { $id: "RequestedPolicies" },
);

/** One signer of a policy to be written to the chain. */
export interface PolicySigner {
  readonly address: Address;
  readonly mask: number;
  readonly role: Role;
  readonly provider: Provider;
}

/** A policy that passed every rule of gap 16. */
export interface CheckedPolicy {
  readonly signers: readonly PolicySigner[];
  readonly threshold: number;
  readonly timeLockSeconds: number;
  readonly admin: Address | null;
}

/**
 * Checks a requested policy by the rules of gap 16 and fills in the defaults of gap 14. Who is in `standing` is a signer or
 * the admin already, and may stay whatever it is. Throws `invalid_policies`, `invalid_address`, `forbidden_account`, each
 * with the field named behind `prefix`.
 */
export function parsePolicy(
  requested: Static<typeof RequestedPolicies>,
  network: MemberRules,
  prefix = "policies.",
  standing: ReadonlySet<string> = new Set(),
): CheckedPolicy {
  const parse = (text: string, field: string) =>
    standing.has(text) ? parseOutsider(text, network, field) : parseSigner(text, network, field);
  const signers = requested.signers.map((signer, i): PolicySigner => {
    const field = `${prefix}signers.${i}`;
    const address = parse(signer.address, `${field}.address`);
    return {
      address,
      mask: parsePermissions(signer.permissions, field),
      role: signer.role ?? "primary",
      provider: standing.has(address) ? (signer.provider ?? "external") : providerOf(address, signer.provider, field),
    };
  });
  const policy: CheckedPolicy = {
    signers,
    threshold: requested.threshold,
    timeLockSeconds: requested.time_lock ?? 0,
    admin: requested.admin_address === undefined ? null : parse(requested.admin_address, `${prefix}admin_address`),
  };
  checkPolicy(policy, prefix);
  return policy;
}

/** Who holds a new signer's key: a derived address can be a passkey's alone. Throws `invalid_policies` where another is named. */
export function providerOf(address: Address, named: Provider | undefined, field: string): Provider {
  const isPasskey = !isOnCurve(address);
  if (named !== undefined && (named === "passkey") !== isPasskey) {
    throw invalid(`${field}.provider`, `${address} is ${isPasskey ? "the" : "no"} account of a passkey.`);
  }
  return named ?? (isPasskey ? "passkey" : "external");
}

/** Everybody who is to sign by a policy, each with the field that names it behind `prefix`. */
export function membersOf(
  { signers, admin }: Pick<CheckedPolicy, "signers" | "admin">,
  prefix: string,
): { readonly address: Address; readonly field: string }[] {
  return [
    ...signers.map(({ address }, i) => ({ address, field: `${prefix}signers.${i}.address` })),
    ...(admin === null ? [] : [{ address: admin, field: `${prefix}admin_address` }]),
  ];
}

/** Whether any member of an account with this policy has to ask the others, or to wait, before something is done. */
export function canHaveProposals(
  policy: Pick<Settings, "threshold" | "timeLockSeconds"> & { readonly signers: readonly { readonly mask: number }[] },
): boolean {
  const { threshold, timeLockSeconds, signers } = policy;
  return threshold > 1 || timeLockSeconds > 0 || signers.some(({ mask }) => mask !== ALL_PERMISSIONS_MASK);
}

/** More of an account's voters than these are in no list of what waits for them: an account of another client may have thousands. */
const votersMax = 100;

/** Who of these may vote. */
export function votersOf({ signers }: Pick<Settings, "signers">): readonly Address[] {
  return signers.flatMap(({ address, mask }) => ((mask & CAN_VOTE_BIT) === 0 ? [] : [address])).slice(0, votersMax);
}

/** The mask of a signer's permissions, of which there has to be one. Throws `invalid_policies`. */
export function parsePermissions(permissions: readonly Static<typeof Permission>[], field: string): number {
  const mask = maskOfPermissions(permissions);
  if (mask === 0) throw invalid(`${field}.permissions`, "A signer needs at least one permission.");
  return mask;
}

/** The policy of plain keys: each gets every permission (gap 14). */
export function requestPlainKeys(keys: readonly string[], threshold: number): Static<typeof RequestedPolicies> {
  return { signers: keys.map((address) => ({ address, permissions: [...PERMISSIONS] })), threshold };
}

/** What the rules of gap 16 read; `address` is anything that tells one signer from another. */
interface PolicyRules {
  readonly signers: readonly { readonly address: string; readonly mask: number }[];
  readonly threshold: number;
  readonly timeLockSeconds: number;
}

/** Throws `invalid_policies` with the first rule of gap 16 that the policy breaks, the field named behind `prefix`. */
export function checkPolicy(policy: PolicyRules, prefix: string): void {
  const { signers, threshold, timeLockSeconds } = policy;
  if (signers.length < 1 || signers.length > limits.signersMax) {
    throw invalid(`${prefix}signers`, `An account has 1 to ${limits.signersMax} signers.`);
  }
  const seen = new Set<string>();
  signers.forEach(({ address }, i) => {
    if (seen.has(address)) throw invalid(`${prefix}signers.${i}.address`, `The signer ${address} is listed twice.`);
    seen.add(address);
  });
  for (const [bit, name] of [
    [CAN_INITIATE_BIT, "CAN_INITIATE"],
    [CAN_VOTE_BIT, "CAN_VOTE"],
    [CAN_EXECUTE_BIT, "CAN_EXECUTE"],
  ] as const) {
    if (!signers.some(({ mask }) => (mask & bit) !== 0)) {
      throw invalid(`${prefix}signers`, `At least one signer needs ${name}.`);
    }
  }
  const voters = signers.filter(({ mask }) => (mask & CAN_VOTE_BIT) !== 0).length;
  if (threshold < 1 || threshold > limits.signersMax) {
    throw invalid(`${prefix}threshold`, `The threshold is 1 to ${limits.signersMax}.`);
  }
  if (threshold > voters) {
    throw invalid(
      `${prefix}threshold`,
      `The threshold (${threshold}) must not exceed the number of signers with CAN_VOTE (${voters}).`,
    );
  }
  if (timeLockSeconds < 0 || timeLockSeconds > limits.timeLockMaxSeconds) {
    throw invalid(`${prefix}time_lock`, `The time lock is 0 to ${limits.timeLockMaxSeconds} seconds.`);
  }
}

function invalid(field: string, message: string): TrellisError {
  return new TrellisError("invalid_policies", { field, message });
}

/** The wire form of a policy about to be, or just, written to the chain. */
export function toPolicies(policy: CheckedPolicy): Policies {
  return {
    signers: policy.signers.map(({ address, mask, role, provider }) => ({
      address,
      permissions: permissionsOfMask(mask),
      role,
      provider,
    })),
    threshold: policy.threshold,
    admin_address: policy.admin,
    time_lock: policy.timeLockSeconds,
  };
}

/**
 * The wire form of a policy on the chain. Roles and providers come from what the service knows, in its list order; a
 * signer it never met is a primary of the caller's own, behind the known ones.
 */
export function toPoliciesOfSettings(settings: Settings, known: readonly AccountSignerTable[]): Policies {
  const position = (address: string) => {
    const index = known.findIndex(({ signer_address }) => signer_address === address);
    return index < 0 ? known.length : index;
  };
  const signers = settings.signers
    .map(({ address, mask }): PolicySigner => {
      const row = known.find(({ signer_address }) => signer_address === address);
      const provider = providerNames.find((name) => name === row?.provider) ?? "external";
      return { address, mask, role: row?.role ?? "primary", provider };
    })
    .sort((left, right) => position(left.address) - position(right.address));
  return toPolicies({
    signers,
    threshold: settings.threshold,
    timeLockSeconds: settings.timeLockSeconds,
    admin: settings.settingsAuthority,
  });
}

/** Every permission: what e-mail signers and plain keys hold. */
export const everyPermission = ALL_PERMISSIONS_MASK;
