import { sql } from "kysely";
import { expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import { spendCode } from "./check-code.js";

const test = useTestNetwork();

it("finds a code by its id alone, however little the server knows of the table", async () => {
  const { rows } = await sql<{ "QUERY PLAN": string }>`explain ${spendCode(test.network, "some-id")}`.execute(
    test.needs.db,
  );
  const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
  expect(plan).toContain("Index Scan using one_time_code_pkey");
});
