import {
  type Address,
  getAddressDecoder,
  getStructDecoder,
  getU8Decoder,
  getU16Decoder,
  getU32Decoder,
  getU64Decoder,
  type ReadonlyUint8Array,
} from "@solana/kit";
import { discriminatorOf } from "./account-kind.js";
import { deriveEarlyPolicyAddress, derivePolicyAddress } from "./addresses.js";
import { getArrayDecoder } from "./array-decoder.js";
import { policyRentCollector } from "./policy-rent-collector.js";
import { decodeAccountData, ProgramDataError } from "./program-data.js";
import type { SettingsSigner } from "./settings.js";

/** What a policy lets its signers do. */
export type PolicyKind = "internalFundTransfer" | "spendingLimit" | "settingsChange" | "programInteraction";

const POLICY_KINDS: readonly PolicyKind[] = [
  "internalFundTransfer",
  "spendingLimit",
  "settingsChange",
  "programInteraction",
];

/** Who decides under a policy: signers of its own, who act beside those of the settings. */
export type PolicyRules = {
  readonly settings: Address;
  /** The number in the policy's own address. */
  readonly seed: bigint;
  readonly transactionIndex: bigint;
  readonly staleTransactionIndex: bigint;
  readonly signers: readonly SettingsSigner[];
  readonly threshold: number;
  readonly timeLockSeconds: number;
  /** Undefined for a kind this client does not know. */
  readonly kind: PolicyKind | undefined;
};

/** A policy and what its removal has to know. */
export type Policy = PolicyRules & {
  /**
   * The one address that its rent goes to: a removal that does not pass it fails (6034). Null: none is recorded, and the
   * rent payer of the removal gets it. Undefined: this client cannot determine it.
   */
  readonly rentCollector: Address | null | undefined;
};

const decoder = getStructDecoder([
  ["discriminator", getU64Decoder()],
  ["settings", getAddressDecoder()],
  ["seed", getU64Decoder()],
  ["bump", getU8Decoder()],
  ["transactionIndex", getU64Decoder()],
  ["staleTransactionIndex", getU64Decoder()],
  [
    "signers",
    getArrayDecoder(
      getStructDecoder([
        ["address", getAddressDecoder()],
        ["mask", getU8Decoder()],
      ]),
    ),
  ],
  ["threshold", getU16Decoder()],
  ["timeLockSeconds", getU32Decoder()],
  ["kind", getU8Decoder()],
]);

/**
 * Reads who decides under a policy; what it allows them is not read. Throws a `ProgramDataError` for anything but a
 * policy account.
 */
export function decodePolicyRules(data: ReadonlyUint8Array): PolicyRules {
  const {
    discriminator: _,
    bump: __,
    kind,
    ...rules
  } = decodeAccountData("policy", data, discriminatorOf("policy"), decoder);
  return { ...rules, kind: POLICY_KINDS[kind] };
}

/**
 * Reads the policy that lies at `address`. Its address distinguishes the two forms in which policies are stored. Throws a
 * `ProgramDataError` for anything but a policy account, and where no policy can lie.
 */
export function decodePolicy(address: Address, data: ReadonlyUint8Array): Policy {
  const rules = decodePolicyRules(data);
  if (address === deriveEarlyPolicyAddress(rules.settings, rules.seed)) return { ...rules, rentCollector: null };
  if (address !== derivePolicyAddress(rules.settings, rules.seed)) {
    throw new ProgramDataError(`no policy can lie at ${address}`);
  }
  const head = headBytes + signerBytes * rules.signers.length;
  return { ...rules, rentCollector: policyRentCollector(Uint8Array.from(data), head) };
}

/** What stands before the kind of a policy, without its signers; and each of those. */
const headBytes = 75;
const signerBytes = 33;
