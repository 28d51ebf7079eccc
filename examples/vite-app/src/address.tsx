import { useState } from "react";

/** A whole address, which wraps and can be copied: two addresses may well begin and end alike. */
export function WholeAddress({ address }: { readonly address: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(address);
    setCopied(true);
    setTimeout(() => setCopied(false), 1_500);
  };
  return (
    <span className="whole">
      <span className="mono">{address}</span>{" "}
      <button type="button" className="copy" onClick={copy} aria-label={`Copy ${address}`}>
        {isCopied ? "Copied" : "Copy"}
      </button>
    </span>
  );
}
