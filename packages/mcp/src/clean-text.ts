/**
 * What people do not see, or see elsewhere than it stands: control characters, what turns the direction of text, what has no width, and the
 * tags and selectors in which text can be hidden from people and read by a model. Halves of surrogate pairs, too.
 */
const unseen =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|\u034f|\u17b4|\u17b5|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]/gu;

/** Characters of any text of an answer; longer ones are cut. */
const textMax = 300;
/** Of what is no sentence: transactions in base64, identifiers, cursors. */
const machineText = /^[A-Za-z0-9+/=_.:-]{1,4000}$/;

/** Text from outside on one line, of at most so many characters. */
export function cleanText(text: string, max = textMax): string {
  const plain = text.replace(unseen, " ");
  const characters = Array.from(plain.slice(0, 2 * max));
  return characters.length > max || plain.length > 2 * max ? `${characters.slice(0, max).join("")}…` : plain;
}

/** Fields whose text people write, who may be anybody. */
const writtenByPeople: ReadonlySet<string> = new Set([
  "bank_name",
  "custom_data",
  "description",
  "display_name",
  "email",
  "error",
  "full_name",
  "label",
  "memo",
  "message",
  "name",
  "note",
  "notes",
  "reason",
  "reference",
  "subject",
  "suggestion",
  "symbol",
  "text",
  "title",
  "url",
]);

/**
 * An answer of the service as an agent is given it: every text is cleaned and bounded, and what people wrote stands in an object of its own,
 * `{untrusted_text}`. Amounts are digits, instants are RFC 3339.
 */
export function asData(value: unknown, field = ""): unknown {
  if (typeof value === "bigint") return value.toString();
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "string") {
    if (writtenByPeople.has(field)) return { untrusted_text: cleanText(value) };
    return machineText.test(value) ? value : cleanText(value);
  }
  if (Array.isArray(value)) return value.map((each) => asData(each, field));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  // The bytes of a text that stands beside them would be the same text, unseen.
  const shown = "text" in value ? entries.filter(([name]) => name !== "data") : entries;
  return Object.fromEntries(shown.map(([name, each]) => [cleanText(name, 100), asData(each, name)]));
}
