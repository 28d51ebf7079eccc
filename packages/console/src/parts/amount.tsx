/** An exact amount of base units, as people write it: `1,234.5 USDC`. */
export function Amount({ units, decimals, symbol }: AmountOptions) {
  return (
    <span className="amount">
      {formatUnits(units, decimals)}
      {symbol === undefined ? null : (
        <>
          {"\u00a0"}
          <span className="unit">{symbol}</span>
        </>
      )}
    </span>
  );
}

export interface AmountOptions {
  /** Base units, as whole number in text. */
  readonly units: string | bigint;
  readonly decimals: number;
  readonly symbol?: string | undefined;
}

/** Groups of thousands, no zeros behind, nothing rounded. */
export function formatUnits(units: string | bigint, decimals: number): string {
  const value = BigInt(units);
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ",");
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return `${value < 0n ? "−" : ""}${whole}${fraction === "" || decimals === 0 ? "" : `.${fraction}`}`;
}
