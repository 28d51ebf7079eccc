/**
 * Text that came from outside (memos, names, labels, e-mail addresses, errors of partners) as it may stand on a page: it cannot turn
 * the direction of what stands around it, and letters that are not seen, or that pretend to be others, are seen.
 */
export function OutsideText({ text }: { readonly text: string }) {
  const parts = visibleParts(text);
  return (
    <bdi
      className={mixesScripts(text) ? "outside mixed" : "outside"}
      title={mixesScripts(text) ? mixedTitle : undefined}
    >
      {parts.map(({ text: part, isHidden }, place) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text have no other name
        isHidden ? (
          <span className="hidden-letter" key={place}>
            {part}
          </span>
        ) : (
          part
        ),
      )}
    </bdi>
  );
}

const mixedTitle = "This text mixes letters of several alphabets. Some may look like others.";

/** Controls, marks of direction, spaces of no width, line breaks, variation selectors, and tags. */
const hidden =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]|[\ud800-\udfff]/u;

/** The text in parts, of which the hidden ones are letters written as their number: `U+202E`. */
export function visibleParts(text: string): readonly { readonly text: string; readonly isHidden: boolean }[] {
  const parts: { text: string; isHidden: boolean }[] = [];
  for (const letter of text) {
    const isHidden = hidden.test(letter);
    const last = parts.at(-1);
    if (isHidden) parts.push({ text: nameOf(letter), isHidden });
    else if (last !== undefined && !last.isHidden) last.text += letter;
    else parts.push({ text: letter, isHidden });
  }
  return parts;
}

const nameOf = (letter: string): string =>
  `U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

const scripts = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
];

/** Whether letters of two alphabets that share shapes stand in one word. */
export function mixesScripts(text: string): boolean {
  return text.split(/[\s.,;:@/_-]+/u).some((word) => scripts.filter((script) => script.test(word)).length > 1);
}
