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
import { getArrayDecoder } from "./array-decoder.js";
import { decodeAccountData } from "./program-data.js";
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
