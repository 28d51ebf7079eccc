/**
 * The position of a member whose name its object has had before; undefined where there is none. `text` is JSON: it has been
 * parsed. Takes time by its length, whatever its depth.
 */
export function findRepeatedName(text: string): number | undefined {
  /** The names of each object around this place; null for an array. */
  const around: (Set<string> | null)[] = [];
  let names: Set<string> | null = null;
  let isName = false;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x7b:
        around.push(names);
        names = new Set();
        isName = true;
        break;
      case 0x5b:
        around.push(names);
        names = null;
        isName = false;
        break;
      case 0x7d:
      case 0x5d:
        names = around.pop() ?? null;
        isName = false;
        break;
      case 0x2c:
        isName = names !== null;
        break;
      case 0x22: {
        const end = endOfText(text, at);
        if (isName && names !== null) {
          const name = JSON.parse(text.slice(at, end)) as string;
          if (names.has(name)) return at;
          names.add(name);
          isName = false;
        }
        at = end - 1;
        break;
      }
    }
  }
  return undefined;
}

/** Behind the closing quote of the text that begins at `start`. */
function endOfText(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === 0x5c) escapes += 1;
    if (escapes % 2 === 0) return at + 1;
  }
  return text.length;
}
