import type { SummaryEntry } from "@trellis/sdk";
import { texts } from "../texts.js";
import { Money } from "./console-money.js";
import { OutsideText } from "./outside-text.js";

/**
 * What a proposal does, entry by entry, with every member of each: a member that this page has no words for is shown under its own
 * name, never left out.
 */
export function Summary({
  entries,
  isReadable,
}: {
  readonly entries: readonly SummaryEntry[];
  readonly account: string;
  readonly isReadable: boolean;
}) {
  return (
    <>
      {isReadable ? null : (
        <p role="alert" className="notice alarm">
          {texts.proposals.unreadable}
        </p>
      )}
      <ol>
        {entries.map((entry, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no other name, and never change places
          <li key={place}>
            <strong>{entry.type.replaceAll("_", " ")}</strong>
            <Members of={entry} />
          </li>
        ))}
      </ol>
    </>
  );
}

function Members({ of }: { readonly of: Readonly<Record<string, unknown>> }) {
  const members = Object.entries(of).filter(([name, value]) => name !== "type" && value !== undefined);
  if (members.length === 0) return null;
  const mint = typeof of.mint === "string" || of.mint === null ? of.mint : undefined;
  return (
    <dl className="facts">
      {members.map(([name, value]) => (
        <div key={name} className="member">
          <dt>{name.replaceAll("_", " ")}</dt>
          <dd>
            {mint !== undefined && isAmount(name, value) ? (
              <Money units={value} mint={mint} />
            ) : (
              <Value value={value} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Whether a member counts base units of the mint that stands beside it. */
const isAmount = (name: string, value: unknown): value is string =>
  /^(.*_)?(amount|fee)$/.test(name) && typeof value === "string" && /^\d+$/.test(value);

function Value({ value }: { readonly value: unknown }) {
  if (Array.isArray(value)) {
    return value.length === 0 ? (
      texts.none
    ) : (
      <ol>
        {value.map((each, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: values of a list that never changes
          <li key={place}>
            <Value value={each} />
          </li>
        ))}
      </ol>
    );
  }
  if (typeof value === "object" && value !== null) {
    const { type, ...others } = value as Readonly<Record<string, unknown>>;
    return (
      <>
        {typeof type === "string" ? <strong>{type.replaceAll("_", " ")}</strong> : null}
        <Members of={others} />
      </>
    );
  }
  return <OutsideText text={value === null ? texts.none : String(value)} />;
}
