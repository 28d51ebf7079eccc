import type { PayoutAddress } from "@trellis/kernel/ports/rails.js";
import { freeStates } from "@trellis/kernel/states.js";

/** Whether an address passes coins on to a bank. Its partner decides, and may change its mind. */
export const payoutAddressStates = freeStates<PayoutAddress["status"]>(["activated", "deactivated"]);
