import { type Address, isAddress } from "@solana/kit";
import { canonicalJson } from "@trellis/kernel/crypto/canonical-json.js";
import Type, { type Static } from "typebox";
import { Compile } from "typebox/compile";
import { mintOf } from "./inner-calls.js";

const address = (description: string) =>
  Type.String({ pattern: "^[1-9A-HJ-NP-Za-km-z]{32,44}$", description: `${description} In base58.` });
const mint = () => Type.Union([address("A mint."), Type.Null()], { description: "Null is SOL, wrapped SOL included." });
const amount = (description: string) => Type.String({ pattern: "^[0-9]{1,20}$", description });
const whole = { additionalProperties: false };

const hour = 3_600;
const day = 24 * hour;
/** Sums are kept for so long: a calendar month, and an hour for where it begins. */
export const longestPeriodSeconds = 31 * day;

const Period = Type.Union(
  [
    Type.Object(
      {
        type: Type.Literal("rolling"),
        seconds: Type.Integer({ minimum: hour, maximum: longestPeriodSeconds, multipleOf: hour }),
      },
      whole,
    ),
    Type.Object({ type: Type.Literal("calendar"), unit: Type.Enum(["day", "week", "month"]) }, whole),
  ],
  { description: "Rolling: the seconds up to now, by whole hours. Calendar: by UTC; a week begins on Monday." },
);
export type Period = Static<typeof Period>;

const Limit = Type.Object(
  {
    mint: mint(),
    per_transaction: Type.Optional(
      amount("Base units that one transaction moves at most, all of its payments together."),
    ),
    per_period: Type.Optional(
      Type.Array(Type.Object({ amount: amount("Base units that a period moves at most."), period: Period }, whole), {
        maxItems: 5,
      }),
    ),
  },
  whole,
);

const Destinations = Type.Union([
  Type.Object({ type: Type.Literal("any") }, whole),
  Type.Object(
    {
      type: Type.Literal("listed"),
      addresses: Type.Array(address("An owner, or a token account."), { maxItems: 100, uniqueItems: true }),
    },
    whole,
  ),
  Type.Object(
    { type: Type.Literal("approved") },
    { ...whole, description: "A destination is paid once its first payment was approved on the custodian's own page." },
  ),
]);

const WhatIsNotSeen = Type.Enum(["refuse", "passkey", "allow"]);

/** What a wallet signs. Every amount is of the whole wallet, whichever of its accounts pays. */
export const WalletPolicy = Type.Object(
  {
    version: Type.Literal(1),
    authority: Type.Enum(["passkey", "any"], { description: "What has to command the wallet, whatever it signs." }),
    accounts: Type.Union(
      [Type.Array(address("A settings account."), { maxItems: 100, uniqueItems: true }), Type.Null()],
      {
        description: "The smart accounts that it acts for, by their settings. Null: any.",
      },
    ),
    transfers: Type.Object(
      {
        limits: Type.Array(Limit, { maxItems: 50 }),
        other_mints: Type.Enum(["allow", "refuse"], { description: "What no limit names." }),
        destinations: Destinations,
      },
      whole,
    ),
    settings_changes: Type.Object(
      {
        authority: Type.Enum(["passkey", "any"]),
        delay_seconds: Type.Integer({ minimum: 0, maximum: 90 * day }),
        window_seconds: Type.Integer({
          minimum: hour,
          maximum: 90 * day,
          description: "How long behind its delay a change can be signed.",
        }),
        recovery_signer: Type.Union([address("A key that only votes. Adding it back needs no delay."), Type.Null()]),
      },
      whole,
    ),
    spending_limits: Type.Object(
      {
        amounts: Type.Array(Type.Object({ mint: mint(), amount: amount("Of one limit, in its period.") }, whole), {
          maxItems: 50,
        }),
        other_mints: Type.Enum(["allow", "refuse"]),
        any_destination: Type.Boolean({ description: "Whether a limit may pay any owner." }),
        without_end: Type.Boolean({ description: "Whether a limit may last for ever." }),
      },
      { ...whole, description: "What a new spending limit may allow: a standing order is one." },
    ),
    unseen_votes: { ...WhatIsNotSeen, description: "Approvals of what another transaction stored." },
    opaque: { ...WhatIsNotSeen, description: "What the bytes do not show." },
  },
  { ...whole, title: "WalletPolicy" },
);
export type WalletPolicy = Static<typeof WalletPolicy>;
export type Limit = Static<typeof Limit>;

const checker = Compile(WalletPolicy);

/** Reads a policy; undefined for anything that is none. */
export function parseWalletPolicy(value: unknown): WalletPolicy | undefined {
  if (!checker.Check(value)) return undefined;
  const policy: WalletPolicy = value;
  const { accounts, transfers, settings_changes, spending_limits } = policy;
  const named = [
    ...(accounts ?? []),
    ...[...transfers.limits, ...spending_limits.amounts].map((limit) => limit.mint),
    ...(transfers.destinations.type === "listed" ? transfers.destinations.addresses : []),
    settings_changes.recovery_signer,
  ];
  return named.every((one) => one === null || isAddress(one)) ? policy : undefined;
}

/** The one text of a policy: what is stored, and what its changes are known by. */
export const policyText = (policy: WalletPolicy): string => canonicalJson(policy);

/** How a limit names what it counts; see `mintOf`. */
export const countedAs = ({ mint }: { readonly mint: string | null }): Address | null =>
  mint === null ? null : mintOf(mint as Address);

/** A wallet that obeys passkeys, until its holder says more. */
const guarded: WalletPolicy = {
  version: 1,
  authority: "passkey",
  accounts: null,
  transfers: { limits: [], other_mints: "allow", destinations: { type: "any" } },
  settings_changes: { authority: "passkey", delay_seconds: day, window_seconds: 7 * day, recovery_signer: null },
  spending_limits: { amounts: [], other_mints: "allow", any_destination: false, without_end: true },
  unseen_votes: "refuse",
  opaque: "refuse",
};

/** A wallet that obeys keys of sessions: it signs what one of them stamps, as a custodian inside the service does. */
const session: WalletPolicy = {
  ...guarded,
  authority: "any",
  settings_changes: { authority: "any", delay_seconds: 0, window_seconds: 7 * day, recovery_signer: null },
  spending_limits: { amounts: [], other_mints: "allow", any_destination: true, without_end: true },
  unseen_votes: "allow",
  opaque: "allow",
};

export const defaultPolicies: Readonly<Record<"session" | "guarded", WalletPolicy>> = { session, guarded };
