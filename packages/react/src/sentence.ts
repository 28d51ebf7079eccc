import { formatUnits, knownMints } from "@trellis/sdk";

/** A piece of a sentence: words, or a whole address, which a screen shows in full and lets people copy. */
export type SentencePart = { readonly text: string } | { readonly address: string };

export type Sentence = readonly SentencePart[];

/** How an amount of base units reads; `mint` null is SOL. */
export type SpellAmount = (amount: bigint, mint: string | null) => Sentence;

/** Words, with addresses and other sentences between them: in sentence`Pays ${amount} to ${to}` a text is an address. */
export function sentence(texts: TemplateStringsArray, ...between: readonly (string | Sentence)[]): Sentence {
  return texts.flatMap((text, at): Sentence => {
    const next = between[at];
    const after = next === undefined ? [] : typeof next === "string" ? [{ address: next }] : next;
    return text === "" ? after : [{ text }, ...after];
  });
}

/** Words that are no address. */
export const words = (text: string): Sentence => [{ text }];

/** Addresses, one after the other. */
export function joined(addresses: readonly string[], between: string): Sentence {
  return addresses.flatMap((address, at) => [...(at === 0 ? [] : words(between)), { address }]);
}

/** Spells amounts of the currencies that the library knows; of others base units and the whole address of the mint. */
export function createSpelling(environment: Parameters<typeof knownMints>[0]): SpellAmount {
  const symbols = new Map(
    Object.entries(knownMints(environment)).map(([symbol, mint]) => [mint as string | null, symbol]),
  );
  return (amount, mint) => {
    const symbol = symbols.get(mint);
    if (symbol !== undefined) return words(`${formatUnits(amount, mint === null ? 9 : 6)} ${symbol.toUpperCase()}`);
    return sentence`${words(`${amount} base units of the token `)}${String(mint)}`;
  };
}

/** Seconds as people say them: "2 days", "90 seconds". */
export function durationOf(seconds: number): string {
  const [unit, size] = (
    [
      ["day", 86_400],
      ["hour", 3_600],
      ["minute", 60],
    ] as const
  ).find(([, one]) => seconds >= one && seconds % one === 0) ?? ["second", 1];
  const count = seconds / size;
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
