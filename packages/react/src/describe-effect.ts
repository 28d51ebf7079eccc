import type { EffectType, SummaryEntry } from "@trellis/sdk";
import { describeAuthority } from "./describe-authority.js";
import { describeMembers, type Members } from "./entry-members.js";
import { joined, type Sentence, type SpellAmount, sentence, words } from "./sentence.js";

/** What something does, and whether that is all that there is to know: only then can it be approved. */
export type Description = { readonly parts: Sentence; readonly isReadable: boolean };

/** Says what an entry does by its members; undefined where this version has no words for what they say. */
type Describe = (members: Members, spell: SpellAmount) => Sentence | undefined;

/** One sentence each: what takes most out of people's hands stands first. */
const sentences: Readonly<Record<EffectType, Describe>> = {
  transfer: describeTransfer,
  create_token_account: ({ text, skip }) => {
    skip("token_account", "payer");
    return sentence`Opens a token account for ${text("owner")}, for the token ${text("mint")}`;
  },
  close_token_account: ({ text }) =>
    sentence`Closes the token account ${text("token_account")}; the SOL in it goes to ${text("owner")}`,
  approve_delegate: ({ text, textMaybe, amount, skip }, spell) => {
    skip("owner");
    const [mint, most] = [textMaybe("mint"), amount("amount")];
    const spelt = mint === undefined ? words(`${most} base units of the token`) : spell(most, mint);
    const account = text("token_account");
    return sentence`Lets ${text("delegate")} take up to ${spelt} out of the token account ${account}, at any time and without any vote`;
  },
  set_authority: ({ text, textOrNull, skip }) => {
    skip("program");
    return describeAuthority(text("authority_type"), text("account"), text("authority"), textOrNull("new_authority"));
  },
  burn: ({ text, amount, skip }, spell) => {
    skip("owner");
    return sentence`Destroys ${spell(amount("amount"), text("mint"))} in the token account ${text("token_account")}, for good`;
  },
  memo: ({ text, skip }) => {
    skip("program", "accounts", "data");
    return words(`Writes into the transaction, where anyone can read it: “${text("text")}”`);
  },
  use_spending_limit: ({ text, textOrNull, amount, skip }, spell) => {
    skip("signer", "from", "from_token_account", "to_token_account");
    const paid = spell(amount("amount"), textOrNull("mint"));
    return sentence`Pays ${paid} to ${text("to")}, out of the spending limit ${text("spending_limit")}`;
  },
  // Its changes are displayed one by one; one without any says nothing.
  settings_change: () => undefined,
  instruction: describeCall("Calls a program, and what that does cannot be put into words here: the program "),
  undecided: describeCall("Calls a program with what is not decided yet, and can be anything by then: the program "),
};

/** Neither can be approved with these hooks. */
const unreadable: ReadonlySet<string> = new Set<EffectType>(["instruction", "undecided"]);

/**
 * What an entry of a proposal's summary does, as a sentence for people with whole addresses. Undefined for one that this version
 * does not know, or that says more than it knows: then it cannot be said what is approved.
 */
export function describeEffect(entry: SummaryEntry, spell: SpellAmount): Description | undefined {
  if (!Object.hasOwn(sentences, entry.type)) return undefined;
  const parts = describeMembers(entry, (members) => sentences[entry.type as EffectType](members, spell));
  return parts && { parts, isReadable: !unreadable.has(entry.type) };
}

function describeTransfer(
  { text, textOrNull, textMaybe, amount, amountMaybe, flag, skip }: Members,
  spell: SpellAmount,
): Sentence | undefined {
  skip("from");
  const [to, mint] = [text("to"), textOrNull("mint")];
  const paid = spell(amount("amount"), mint);
  const [source, target] = [textMaybe("from_token_account"), textMaybe("to_token_account")];
  const [fee, owner, closes] = [amountMaybe("fee"), textMaybe("opens_account_for"), flag("closes_account")];
  if (mint === null) {
    if (fee !== undefined || target !== undefined) return undefined;
    if (closes && (source === undefined || owner !== undefined)) return undefined;
    if (source !== undefined && owner !== undefined) return undefined;
    if (closes && source !== undefined) {
      return sentence`Closes the token account ${source} and pays all the SOL in it, which is ${paid} now, to ${to}`;
    }
    if (source !== undefined) {
      return sentence`Pays ${paid}, or all that is in it by then, out of the token account ${source} to ${to}`;
    }
    return owner === undefined
      ? sentence`Pays ${paid} to ${to}`
      : sentence`Pays ${paid} into the new account ${to}, out of which only the program ${owner} can pay`;
  }
  if (closes || owner !== undefined) return undefined;
  const place = target === undefined || target === to ? [] : sentence`, to the token account ${target}`;
  const kept = fee === undefined ? [] : sentence`, of which ${spell(fee, mint)} are kept back as a fee of the token`;
  return sentence`Pays ${paid} to ${to}${place}${kept}`;
}

/** A call as it is: raw, and whole. */
function describeCall(what: string): Describe {
  return ({ text, texts }) => {
    const accounts = texts("accounts");
    const named = accounts.length === 0 ? words("no accounts") : sentence`the accounts ${joined(accounts, ", ")}`;
    const program = text("program");
    return sentence`${words(what)}${program} with ${named}${words(` and the data “${text("data")}”`)}`;
  };
}
