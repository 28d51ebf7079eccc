import type { RailKind } from "./rail-kind.js";
import { verificationKind } from "./verifications.js";

/** Everything that is followed at partners. */
export const railKinds: readonly RailKind[] = [verificationKind];
