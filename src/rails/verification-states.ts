import { freeStates } from "../kernel/states.js";
import { type Verification, verificationStatuses } from "../ports/rails.js";

/** Where a check of a person or a business stands: whatever its partner says, in either direction. */
export const verificationStates = freeStates(verificationStatuses);

/** Whether the partner's terms were accepted. */
export const termsStates = freeStates<Verification["terms"]>(["pending", "approved"]);
