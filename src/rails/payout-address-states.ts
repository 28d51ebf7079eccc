import { freeStates } from "../kernel/states.js";
import type { PayoutAddress } from "../ports/rails.js";

/** Whether an address passes coins on to a bank. Its partner decides, and may change its mind. */
export const payoutAddressStates = freeStates<PayoutAddress["status"]>(["activated", "deactivated"]);
