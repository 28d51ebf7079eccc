import type { CustodyForm } from "./custody-form.js";
import { kmsA } from "./kms-a.js";
import { kmsB } from "./kms-b.js";
import { kmsC } from "./kms-c.js";

const custodyForms: readonly CustodyForm[] = [kmsA, kmsB, kmsC];

/** The form of a provider; undefined where its keys are not at the service. */
export function findForm(provider: string): CustodyForm | undefined {
  return custodyForms.find((form) => form.provider === provider);
}
