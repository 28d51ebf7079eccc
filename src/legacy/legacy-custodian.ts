import { kmsA } from "../custody/kms-a/kms-a.js";

/** The contract of v0 knows one custodian and its way to sign, whichever the present interface prefers. */
export const legacyForm = kmsA;
