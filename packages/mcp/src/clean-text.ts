/**
 * What people do not see, or see elsewhere than it stands: control characters, what turns the direction of text, what has no width, and the
 * tags and selectors in which text can be hidden from people and read by a model. Halves of surrogate pairs, too.
 */
const unseen =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|\u034f|\u17b4|\u17b5|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]/gu;

/** Characters of any text of an answer; longer ones are cut. */
const textMax = 300;
/** Text from outside on one line, of at most so many characters. */
export function cleanText(text: string, max = textMax): string {
  const plain = text.replace(unseen, " ");
  const characters = Array.from(plain.slice(0, 2 * max));
  return characters.length > max || plain.length > 2 * max ? `${characters.slice(0, max).join("")}…` : plain;
}

/** Addresses, signatures, ids, numbers and instants, which say nothing to anybody. */
const plainValue =
  /^(?:[1-9A-HJ-NP-Za-km-z]{32,44}|[1-9A-HJ-NP-Za-km-z]{86,88}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|-?[0-9]{1,40}(?:\.[0-9]{1,40})?|[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9:.]{5,15}Z)?)$/;

/** Fields that hold one of the service's own words, and what such a word is. */
const fieldsOfWords: ReadonlySet<string> = new Set([
  "action",
  "code",
  "confirmation_status",
  "currency",
  "direction",
  "environment",
  "frequency",
  "interval",
  "kind",
  "of",
  "paid_by",
  "payment_rail",
  "period",
  "permissions",
  "previous_status",
  "provider",
  "status",
  "tos_status",
  "type",
]);
const ownWord = /^[A-Za-z][A-Za-z0-9_.]{0,39}$/;

/** The name of a field. What reads otherwise is a text like any other. */
const ownName = /^[A-Za-z0-9_.-]{1,60}$/;

/** Fields that hold what is handed on as it is and longer than other texts: bytes in base64, places in lists. */
const fieldsOfBytes: ReadonlySet<string> = new Set(["transaction", "transactions", "nextCursor"]);
const bytesText = /^[A-Za-z0-9+/=_-]{1,4000}$/;

/**
 * An answer of the service as an agent is given it: a text that is not known to be ours is cleaned and bounded, and stands in an object of its
 * own, `{untrusted_text}`. Fields whose names are no names stand in `other_fields`. Amounts are digits, instants are RFC 3339.
 */
export function asData(value: unknown, field = ""): unknown {
  if (typeof value === "bigint") return value.toString();
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "string") return isOurs(value, field) ? value : { untrusted_text: cleanText(value) };
  if (Array.isArray(value)) return value.map((each) => asData(each, field));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  // The bytes of a text that stands beside them would be the same text, unseen.
  const shown = "text" in value ? entries.filter(([name]) => name !== "data") : entries;
  const named = shown.filter(([name]) => ownName.test(name)).map(([name, each]) => [name, asData(each, name)] as const);
  const others = shown
    .filter(([name]) => !ownName.test(name))
    .map(([name, each]) => ({ name: { untrusted_text: cleanText(name) }, value: asData(each) }));
  return Object.fromEntries(others.length === 0 ? named : [...named, ["other_fields", others]]);
}

function isOurs(text: string, field: string): boolean {
  return (
    plainValue.test(text) ||
    (fieldsOfWords.has(field) && ownWord.test(text)) ||
    (fieldsOfBytes.has(field) && bytesText.test(text))
  );
}
