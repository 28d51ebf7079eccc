import type { SettingsActionType, SummaryEntry } from "@trellis/sdk";
import type { Description } from "./describe-effect.js";
import { describeMembers, type Members } from "./entry-members.js";
import { durationOf, joined, type Sentence, type SpellAmount, sentence, words } from "./sentence.js";

type Describe = (members: Members, spell: SpellAmount) => Sentence | undefined;

const sentences: Readonly<Record<SettingsActionType, Describe>> = {
  add_signer: ({ text, texts }) =>
    sentence`Adds the signer ${text("address")}${words(`, who may ${rightsOf(texts("permissions"))}`)}`,
  remove_signer: ({ text }) => sentence`Removes the signer ${text("address")}`,
  change_threshold: ({ count }) => words(`Changes how many approvals a decision needs, to ${count("threshold")}`),
  set_time_lock: ({ count }) => {
    const seconds = count("time_lock");
    return words(
      seconds === 0
        ? "Ends the waiting time between approval and payment"
        : `Changes the waiting time between approval and payment, to ${durationOf(seconds)}`,
    );
  },
  set_admin: ({ textOrNull, skip }) => {
    skip("irreversible");
    const admin = textOrNull("admin_address");
    return admin === null
      ? words("Removes the administrator, for good")
      : sentence`Makes ${admin} the administrator, who changes the rules alone`;
  },
  add_spending_limit: describeLimit,
  remove_spending_limit: ({ text }) => sentence`Ends the spending limit ${text("spending_limit")}`,
  remove_policy: ({ text }) =>
    sentence`Ends the policy ${text("policy")}: its signers can no longer act for this account by it`,
  other: ({ text }) => words(`Changes the rules in a way that cannot be read here: “${text("name")}”`),
};

/** One change of an account's settings, as `describeEffect` says effects. */
export function describeAction(action: SummaryEntry, spell: SpellAmount): Description | undefined {
  if (!Object.hasOwn(sentences, action.type)) return undefined;
  const parts = describeMembers(action, (members) => sentences[action.type as SettingsActionType](members, spell));
  return parts && { parts, isReadable: action.type !== "other" };
}

function describeLimit(
  { text, texts, textOrNull, amount, countMaybe, skip }: Members,
  spell: SpellAmount,
): Sentence | undefined {
  skip("spending_limit");
  const [signers, payees] = [texts("signers"), texts("destinations")];
  const period = text("period");
  if (signers.length === 0 || !Object.hasOwn(periods, period)) return undefined;
  const expiresAt = countMaybe("expires_at");
  const end = expiresAt === undefined ? "without an end" : `until ${dayOf(expiresAt)}`;
  const paid = spell(amount("amount"), textOrNull("mint"));
  const to = payees.length === 0 ? words("anybody") : joined(payees, " or ");
  const often = words(` ${periods[period]}, without any vote, to `);
  return sentence`Lets ${joined(signers, " or ")} pay up to ${paid}${often}${to}${words(`, ${end}`)}`;
}

const periods: Readonly<Record<string, string>> = {
  one_time: "once",
  day: "a day",
  week: "a week",
  month: "a month",
};
const rights: Readonly<Record<string, string>> = {
  CAN_INITIATE: "propose",
  CAN_VOTE: "vote",
  CAN_EXECUTE: "execute what is approved",
};

function rightsOf(permissions: readonly string[]): string {
  const names = permissions.map((name) => (Object.hasOwn(rights, name) ? (rights[name] ?? name) : name));
  return names.length === 0 ? "do nothing" : names.join(", ");
}

/** A day in UTC. What lies past the calendar's end is said in seconds. */
function dayOf(seconds: number): string {
  const date = new Date(seconds * 1_000);
  return Number.isNaN(date.getTime()) ? `second ${seconds} of Unix time` : date.toISOString().slice(0, 10);
}
