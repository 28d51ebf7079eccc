/** How much a text may hold. */
export interface JsonBounds {
  /** Objects and arrays inside one another. */
  readonly depth: number;
  /** Values, those inside others included. */
  readonly values: number;
}

/** No integer of anybody's has more; reading one takes time by the square of them. */
const digitsMax = 400;
const numberForm = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;

/**
 * Reads JSON (RFC 8259) from a sender that may mean harm: bounded in depth and number of values, and in time by the length of
 * the text. An integer that a number cannot hold exactly is a bigint; every other one is a number. Of two members of one
 * name the last counts. Throws SyntaxError for what is no JSON, RangeError beyond the bounds.
 */
export function parseExactJson(text: string, bounds: JsonBounds): unknown {
  if (isPlain(text, bounds)) {
    try {
      return JSON.parse(text);
    } catch {
      // The error is the one below: this one's message holds part of the text.
    }
  }
  let at = 0;
  let values = 0;

  const fault = (): SyntaxError => new SyntaxError(`this is not JSON, at position ${at}`);
  /** The next character that counts, not consumed. */
  const peek = (): number => {
    for (;;) {
      const code = text.charCodeAt(at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return code;
      at += 1;
    }
  };
  const take = (code: number): boolean => {
    if (peek() !== code) return false;
    at += 1;
    return true;
  };

  const readText = (): string => {
    const start = at;
    at = endOfString(text, start);
    if (at < 0) {
      at = text.length;
      throw fault();
    }
    at += 1;
    return JSON.parse(text.slice(start, at)) as string;
  };

  const readNumber = (): number | bigint => {
    numberForm.lastIndex = at;
    const found = numberForm.exec(text);
    if (found === null) throw fault();
    const [written, fraction, exponent] = found;
    at += written.length;
    const number = Number(written);
    if (fraction !== undefined || exponent !== undefined || Number.isSafeInteger(number)) return number;
    if (written.length > digitsMax) throw new RangeError("an integer is too long");
    return BigInt(written);
  };

  const readWord = (word: string, value: boolean | null): boolean | null => {
    if (!text.startsWith(word, at)) throw fault();
    at += word.length;
    return value;
  };

  const readList = (depth: number): unknown[] => {
    const list: unknown[] = [];
    at += 1;
    if (take(0x5d)) return list;
    for (;;) {
      list.push(read(depth + 1));
      if (take(0x5d)) return list;
      if (!take(0x2c)) throw fault();
    }
  };

  const readObject = (depth: number): Record<string, unknown> => {
    const object: Record<string, unknown> = {};
    at += 1;
    if (take(0x7d)) return object;
    for (;;) {
      if (peek() !== 0x22) throw fault();
      const name = readText();
      if (!take(0x3a)) throw fault();
      const value = read(depth + 1);
      // By assignment it would be the prototype.
      if (name === "__proto__") {
        Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
      } else object[name] = value;
      if (take(0x7d)) return object;
      if (!take(0x2c)) throw fault();
    }
  };

  const read = (depth: number): unknown => {
    values += 1;
    if (depth > bounds.depth) throw new RangeError(`the JSON is deeper than ${bounds.depth}`);
    if (values > bounds.values) throw new RangeError(`the JSON has more than ${bounds.values} values`);
    switch (peek()) {
      case 0x7b:
        return readObject(depth);
      case 0x5b:
        return readList(depth);
      case 0x22:
        return readText();
      case 0x74:
        return readWord("true", true);
      case 0x66:
        return readWord("false", false);
      case 0x6e:
        return readWord("null", null);
      default:
        return readNumber();
    }
  };

  const value = read(0);
  peek();
  if (at < text.length) throw fault();
  return value;
}

/** Digits that no integer beyond 2^53 does with. */
const safeDigits = 15;

/**
 * Whether a text is certainly within the bounds, and has no integer that a number might not hold: the usual text, which the
 * engine's own reader may read. False also where it is not certain. Strings, most of a text, are skipped at once.
 */
function isPlain(text: string, { depth: depthMax, values: valuesMax }: JsonBounds): boolean {
  let depth = 0;
  let values = 1;
  let digits = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 0x30 && code <= 0x39) {
      digits += 1;
      if (digits > safeDigits) return false;
      continue;
    }
    digits = 0;
    if (code === 0x22) {
      at = endOfString(text, at);
      if (at < 0) return false;
    } else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      values += 1;
      if (depth > depthMax) return false;
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
    else if (code === 0x2c) values += 1;
  }
  return values <= valuesMax;
}

/** Where the string that begins at `start` ends, at its quotation mark; -1 where it does not. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at += 1) {
    at = text.indexOf('"', at);
    if (at < 0) return -1;
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === 0x5c) escapes += 1;
    if (escapes % 2 === 0) return at;
  }
}
