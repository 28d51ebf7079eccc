import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import Type from "typebox";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Floor, type FloorNeeds, openFloor } from "./http-fixture.js";

let floor: Floor;
beforeAll(async () => {
  floor = await openFloor({ endpoints: [refusing("/a", "no_changes"), refusing("/b", "invalid_environment")] });
});
afterAll(() => floor?.close());

it("every test holds the codes that are answered against those that a contract declares", async () => {
  expect(await ask("/a")).toBe("internal_error");
  expect(floor.logged()).toContain("refuse_no_changes answered with the error no_changes");
  expect(await ask("/b")).toBe("invalid_environment");
});

const refusing = (path: string, code: "no_changes" | "invalid_environment") =>
  endpoint(
    {
      operation: `refuse_${code}`,
      summary: "Refuse",
      tag: "Accounts",
      method: "GET",
      path,
      scope: "accounts:read",
      environment: "optional",
      response: { status: 200, envelope: true, schema: Type.Object({}) },
      errors: ["account_not_found"],
    },
    async (_needs: FloorNeeds): Promise<never> => {
      throw new TrellisError(code);
    },
  );

const ask = async (path: string) => {
  const { json } = await floor.app.inject({ url: path, headers: { authorization: `Bearer ${floor.key}` } });
  return (json() as { code: string }).code;
};
