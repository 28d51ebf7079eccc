import { findLookAlike } from "./look-alike.js";
import { Named, type Names } from "./named.js";

/** An address with its name; where it could be taken for a known one, with that one and a warning. */
export function Party({
  address,
  names,
  known = [],
  warning,
}: {
  readonly address: string;
  readonly names: Names;
  readonly known?: readonly string[];
  /** What stands in front of the known address. */
  readonly warning?: string;
}) {
  const other = findLookAlike(address, known);
  return (
    <>
      <Named address={address} names={names} isWhole />
      {other === undefined || warning === undefined ? null : (
        <div role="note" className="notice alarm">
          <p>{warning}</p>
          <Named address={other} names={names} isWhole />
        </div>
      )}
    </>
  );
}
