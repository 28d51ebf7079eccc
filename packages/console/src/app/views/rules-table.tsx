import type { Permission } from "@trellis/sdk";
import { texts } from "../texts.js";
import { spellExactDuration } from "./countdown.js";
import type { Names } from "./named.js";
import { Named } from "./named.js";
import { allPermissions, type Difference } from "./rules-difference.js";

const words = texts.rules;

/** What is to be different in the rules: before and after, side by side. */
export function DifferenceTable({
  differences,
  names,
}: {
  readonly differences: readonly Difference[];
  readonly names: Names;
}) {
  return (
    <table>
      <caption className="unseen">{words.difference}</caption>
      <thead>
        <tr>
          {words.differenceColumns.map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {differences.map((difference) => (
          <tr key={difference.kind === "member" ? difference.address : difference.kind}>
            <td data-of={words.differenceColumns[0]}>
              {difference.kind === "member" ? (
                <>
                  {words.member} <Named address={difference.address} names={names} isWhole />
                </>
              ) : (
                words.kinds[difference.kind]
              )}
            </td>
            <td data-of={words.differenceColumns[1]}>{sideOf(difference, "before")}</td>
            <td data-of={words.differenceColumns[2]}>
              <strong>{sideOf(difference, "after")}</strong>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function sideOf(difference: Difference, side: "before" | "after"): string {
  switch (difference.kind) {
    case "threshold":
      return words.approvals(difference[side]);
    case "time-lock":
      return timeLockText(difference[side]);
    case "member": {
      const permissions = difference[side];
      return permissions === undefined ? words.noMember : permissionsText(permissions);
    }
  }
}

export const timeLockText = (seconds: number): string =>
  seconds === 0 ? words.noTimeLock : spellExactDuration(seconds);

/** What a member may do, in words. */
export const permissionsText = (permissions: readonly Permission[]): string =>
  permissions.length === 0
    ? words.mayNothing
    : allPermissions
        .filter((permission) => permissions.includes(permission))
        .map((permission) => words.permissions[permission])
        .join(", ");
