import { expect, it } from "vitest";
import { archivedTables } from "./catalogue-rest.js";
import { references } from "./check-imported.js";

/** Ids that lead to no row of an archive, or to whose a row is, which is counted. */
const noReferences: Readonly<Record<string, string>> = {
  tenant_id: "whose it is",
  owner_id: "whose it is",
  credential_id: "of a passkey",
  rp_id: "a domain",
  object_id: "of whatever kind",
  one_time_code_id: "codes stay",
  operation_id: "of a partner",
  attempt_id: "of a request",
};

it("knows what every column refers to that is named as an id", () => {
  const names = archivedTables.flatMap(({ columns }) => columns.filter((name) => name.endsWith("_id")));
  const known = [...Object.keys(references), ...Object.keys(noReferences)];
  expect(names.filter((name) => !known.includes(name))).toEqual([]);
});
