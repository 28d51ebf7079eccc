import { type SentencePart, useShownLabels } from "@trellis/react";
import { AddressText, type KnownName, shortAddress } from "../../parts/address.js";
import { OutsideText } from "../../parts/outside-text.js";
import { usePlace } from "../place.js";
import { texts } from "../texts.js";

/** What addresses are called in this account. */
export type Names = ReadonlyMap<string, KnownName>;

const noNames: Names = new Map();

/** The names of these addresses, as far as they have any; none until they were read. */
export function useNames(addresses: readonly string[]): Names {
  return useShownLabels(addresses).data ?? noNames;
}

/** An address with its name, and whether it is the reader's own. `isPlain`: without a button, for inside of labels. */
export function Named({
  address,
  names,
  isWhole = false,
  isPlain = false,
}: {
  readonly address: string;
  readonly names: Names;
  readonly isWhole?: boolean;
  readonly isPlain?: boolean;
}) {
  const { signers, account } = usePlace();
  const mark = signers.includes(address)
    ? texts.decisions.you
    : address === account
      ? texts.decisions.thisAccount
      : undefined;
  return (
    <>
      {isPlain ? (
        <PlainAddress address={address} name={names.get(address)?.name} isWhole={isWhole} />
      ) : (
        <AddressText address={address} label={names.get(address)} isWhole={isWhole} />
      )}
      {mark === undefined ? null : <span className="faint"> {mark}</span>}
    </>
  );
}

function PlainAddress({
  address,
  name,
  isWhole,
}: {
  readonly address: string;
  readonly name: string | undefined;
  readonly isWhole: boolean;
}) {
  return (
    <>
      {name === undefined ? null : (
        <strong>
          <OutsideText text={name} />{" "}
        </strong>
      )}
      <code>{isWhole ? address : shortAddress(address)}</code>
    </>
  );
}

/** A sentence about what a proposal does, with every address in full and its name before it. */
export function SentenceText({ parts, names }: { readonly parts: readonly SentencePart[]; readonly names: Names }) {
  return parts.map((part, at) =>
    "address" in part ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never change places
      <Named key={at} address={part.address} names={names} isWhole />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never change places
      <OutsideText key={at} text={part.text} />
    ),
  );
}

/** The same in short, for a list: from there nothing is decided. */
export function ShortSentence({ parts, names }: { readonly parts: readonly SentencePart[]; readonly names: Names }) {
  return <OutsideText text={parts.map((part) => shortPart(part, names)).join("")} />;
}

function shortPart(part: SentencePart, names: Names): string {
  if (!("address" in part)) return part.text;
  const name = names.get(part.address)?.name;
  const address = shortAddress(part.address);
  return name === undefined ? address : `${name} (${address})`;
}

/** Several addresses, one below the other. */
export function NamedList({
  addresses,
  names,
  isWhole = false,
}: {
  readonly addresses: readonly string[];
  readonly names: Names;
  readonly isWhole?: boolean;
}) {
  if (addresses.length === 0) return <span className="faint">{texts.decisions.nobody}</span>;
  return (
    <ul className="plain">
      {addresses.map((address) => (
        <li key={address}>
          <Named address={address} names={names} isWhole={isWhole} />
        </li>
      ))}
    </ul>
  );
}
