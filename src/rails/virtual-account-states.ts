import { freeStates } from "../kernel/states.js";
import type { PartnerVirtualAccount } from "../ports/rails.js";

/** Whether a virtual account receives money. Its partner decides, and may change its mind. */
export const virtualAccountStates = freeStates<PartnerVirtualAccount["status"]>(["activated", "deactivated"]);
