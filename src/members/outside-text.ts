/** What a reader of plain text does not see, or what moves what they see. */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** Whether a text has letters that are not seen, or that move what stands around them. */
export const hidesLetters = (text: string): boolean => hidden.test(text);

/** A text of `max` letters at most, each hidden letter written as its number: `[U+202E]`. */
export function showHidden(text: string, max: number): string {
  const letters = [...text];
  const shown = letters.slice(0, max).map((letter) => (hidden.test(letter) ? `[${nameOf(letter)}]` : letter));
  return `${shown.join("")}${letters.length > max ? "…" : ""}`;
}

/** The same for a plain-text mail: a mail program makes no link of it. `evil.example` becomes `evil[.]example`. */
export const showUnlinked = (text: string, max: number): string =>
  showHidden(text, max).replace(/[.\u3002\uff0e\uff61](?=[\p{L}\p{N}])|:(?=\/)|@/gu, "[$&]");

/** The same for text that strangers may have written, as data: in quotation marks, which it does not end. */
export const quoteOutside = (text: string, max: number): string =>
  `"${showUnlinked(text, max).replaceAll('"', '["]')}"`;

const nameOf = (letter: string): string =>
  `U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
