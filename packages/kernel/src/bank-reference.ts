import type { BankRail } from "./ports/rails.js";

/**
 * What a payee's statement can say, by the way it is paid: the field of Bridge's API, and how long it may be. The simulated
 * partner takes the same, so that an application meets the bounds in the sandbox.
 */
export const references: Readonly<
  Record<BankRail, { readonly name: string; readonly least: number; readonly most: number }>
> = {
  ach_push: { name: "ach_reference", least: 1, most: 10 },
  wire: { name: "wire_message", least: 1, most: 140 },
  sepa: { name: "sepa_reference", least: 6, most: 140 },
  spei: { name: "spei_reference", least: 1, most: 40 },
  pix: { name: "reference", least: 1, most: 18 },
  faster_payments: { name: "reference", least: 1, most: 18 },
};

/** Why a bank cannot carry a reference, in words; undefined when it can. Pure. */
export function whyNotReference(rail: BankRail, reference: string): string | undefined {
  const { least, most } = references[rail];
  const length = [...reference].length;
  if (length < least || length > most) return `a reference by ${rail} has ${least} to ${most} characters`;
  if (/\p{Cc}/u.test(reference)) return "a reference is one line, without control characters";
  if (rail === "sepa" && !/^[A-Za-z0-9/\-?:().,'+ ]*$/.test(reference)) {
    return "a reference by sepa has Latin letters without accents, digits, spaces and / - ? : ( ) . , ' +";
  }
  return undefined;
}
