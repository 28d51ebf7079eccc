import { externalAccountKind } from "./external-accounts.js";
import { payoutAddressKind } from "./payout-addresses.js";
import type { RailKind } from "./rail-kind.js";
import { transferKind } from "./transfers.js";
import { verificationKind } from "./verifications.js";
import { virtualAccountKind } from "./virtual-accounts.js";

/** Everything that is followed at partners. */
export const railKinds: readonly RailKind[] = [
  verificationKind,
  virtualAccountKind,
  payoutAddressKind,
  externalAccountKind,
  transferKind,
];
