/**
 * Text that came from outside (memos, names, labels, e-mail addresses, errors of partners) as it may stand on a page: it cannot turn
 * the direction of what stands around it, and letters that are not seen, or that pretend to be others, are seen.
 */
export function OutsideText({ text }: { readonly text: string }) {
  const isMixed = mixesScripts(text);
  let place = 0;
  return (
    <bdi className={isMixed ? "outside mixed" : "outside"} title={isMixed ? mixedTitle : undefined}>
      {visibleParts(text).map(({ text: part, isHidden }) => {
        place += 1;
        return isHidden ? (
          <span className="hidden-letter" key={place}>
            {part}
          </span>
        ) : (
          part
        );
      })}
    </bdi>
  );
}

const mixedTitle = "This text mixes letters of several alphabets. Some may look like others.";

/**
 * Controls, marks of direction, spaces of no width, fillers, variation selectors, halves of letters, and the separators of lines: what a
 * reader does not see, or what moves what they see.
 */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

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
