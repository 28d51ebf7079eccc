import { texts } from "../texts.js";
import { Money } from "./console-money.js";

/** What is left of a spending limit, and what a whole period has; both in base units of the mint (null is SOL). */
export function LeftOf({
  left,
  all,
  mint,
}: {
  readonly left: string;
  readonly all: string;
  readonly mint: string | null;
}) {
  return (
    <>
      <Money units={left} mint={mint} /> {texts.limits.of} <Money units={all} mint={mint} />
    </>
  );
}
