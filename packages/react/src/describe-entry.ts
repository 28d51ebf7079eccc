import type { SummaryEntry } from "@trellis/sdk";
import { describeAction } from "./describe-action.js";
import { type Description, describeEffect } from "./describe-effect.js";
import type { SpellAmount } from "./sentence.js";

/**
 * What an entry of a summary does, as a sentence for people with whole addresses. One that this version has no words for is shown as it is, and
 * is not readable: nobody should sign it.
 */
export function describeEntry(entry: SummaryEntry, spell: SpellAmount): Description {
  const described = describeEffect(entry, spell) ?? describeAction(entry, spell);
  if (described !== undefined) return described;
  return { parts: [{ text: `This cannot be put into words here: ${JSON.stringify(entry)}` }], isReadable: false };
}
