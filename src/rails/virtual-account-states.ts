import type { PartnerVirtualAccount } from "@trellis/kernel/ports/rails.js";
import { freeStates } from "@trellis/kernel/states.js";

/** Whether a virtual account receives money. Its partner decides, and may change its mind. */
export const virtualAccountStates = freeStates<PartnerVirtualAccount["status"]>(["activated", "deactivated"]);
