import { type Address, isAddress } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import { isOnCurve } from "@trellis/program-client";
import Type, { type Static } from "typebox";

export const feeConfigFields = {
  self_managed_fees: Type.Optional(Type.Boolean({ description: "True: payer_address pays, and signs." })),
};

/** How fees are to be paid, as clients send it (gap 25). */
export const feeFields = {
  fee_config: Type.Optional(Type.Object(feeConfigFields, { $id: "FeeConfig", additionalProperties: true })),
  payer_address: Type.Optional(addressText({ description: "Who pays with self_managed_fees: a key of the caller's." })),
};

const FeeFields = Type.Object(feeFields);

export type FeeFields = Static<typeof FeeFields>;

/**
 * Whose key pays: undefined for the service's. Throws `unsupported_fee_config` when the caller's is not a key that can
 * sign, and `forbidden_account` when it is the service's own or the account itself.
 */
export function chooseFeePayer(network: Network, { fee_config, payer_address }: FeeFields): Address | undefined {
  if (fee_config?.self_managed_fees !== true) return undefined;
  if (payer_address === undefined || !isAddress(payer_address) || !isOnCurve(payer_address)) {
    throw new TrellisError("unsupported_fee_config", {
      field: "payer_address",
      message: "With self_managed_fees, payer_address must be a key that can sign.",
    });
  }
  if (network.serviceAddresses.has(payer_address))
    throw new TrellisError("forbidden_account", { field: "payer_address" });
  return payer_address;
}
