import { useState } from "react";
import { Unhappy } from "../parts.js";
import { texts } from "../texts.js";
import { useKnownAddresses } from "./known-addresses.js";
import { type LookAlike, lookAlikesIn } from "./look-alike.js";
import { Named, useNames } from "./named.js";

const words = texts.pay;

/**
 * What holds up a form that names addresses: those that could be taken for others, until somebody has compared them. Others than those that
 * were compared hold it up again. While the known addresses are not all read, every address does.
 */
export function useLookAlikes(addresses: readonly string[]) {
  const known = useKnownAddresses();
  const found = lookAlikesIn([...new Set(addresses)], known.known);
  const names = useNames(found.flatMap(({ address, other }) => [address, other]));
  const [compared, setCompared] = useState<string>();
  const key = JSON.stringify(found);
  const isCompared = compared === key;
  const isUnread = addresses.length > 0 && !known.isWhole;
  return {
    isHeld: isUnread || (found.length > 0 && !isCompared),
    notice: (
      <>
        {isUnread && known.error !== undefined ? (
          <Unhappy error={known.error} onRetry={() => void known.refetch()} />
        ) : null}
        <Box
          of={found}
          names={names}
          isCompared={isCompared}
          onCompared={(isOn) => setCompared(isOn ? key : undefined)}
        />
      </>
    ),
  };
}

function Box({
  of,
  names,
  isCompared,
  onCompared,
}: {
  readonly of: readonly LookAlike[];
  readonly names: ReturnType<typeof useNames>;
  readonly isCompared: boolean;
  readonly onCompared: (isOn: boolean) => void;
}) {
  if (of.length === 0) return null;
  return (
    <div role="alert" className="notice alarm">
      {of.map(({ address, other }) => (
        <div key={address}>
          <p>{words.looksLike}</p>
          <p>
            <Named address={address} names={names} isWhole />
          </p>
          <p>
            {words.looksLikeKnown} <Named address={other} names={names} isWhole />
          </p>
        </div>
      ))}
      <Check label={words.compared} isOn={isCompared} onChange={onCompared} />
    </div>
  );
}

/** Something that a person says before they go on. */
export function Check({
  label,
  isOn,
  onChange,
}: {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}) {
  return (
    <label className="check">
      <input type="checkbox" checked={isOn} onChange={({ target }) => onChange(target.checked)} />
      {label}
    </label>
  );
}
