import { useState } from "react";
import { texts } from "../texts.js";
import { OutsideText } from "./outside-text.js";

/** What an address is called here. */
export interface KnownName {
  readonly name: string;
}

/** An address, never without all of its letters: the middle can be folded for the eye, not for the copy. */
export function AddressText({
  address,
  label,
  isWhole = false,
}: {
  readonly address: string;
  readonly label?: KnownName | undefined;
  readonly isWhole?: boolean;
}) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(address);
    setCopied(true);
  };
  return (
    <span className="address">
      {label === undefined ? null : (
        <strong>
          <OutsideText text={label.name} />{" "}
        </strong>
      )}
      <code title={address}>{isWhole ? address : shortAddress(address)}</code>
      <button type="button" className="copy" onClick={copy} aria-label={texts.copyAddress(address)}>
        {isCopied ? texts.copied : texts.copy}
      </button>
    </span>
  );
}

export const shortAddress = (address: string): string =>
  address.length > 14 ? `${address.slice(0, 6)}…${address.slice(-6)}` : address;
