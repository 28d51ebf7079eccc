import { type Verification, verificationStatuses } from "@trellis/kernel/ports/rails.js";
import { freeStates } from "@trellis/kernel/states.js";

/** Where a check of a person or a business stands: whatever its partner says, in either direction. */
export const verificationStates = freeStates(verificationStatuses);

/** Whether the partner's terms were accepted. */
export const termsStates = freeStates<Verification["terms"]>(["pending", "approved"]);
