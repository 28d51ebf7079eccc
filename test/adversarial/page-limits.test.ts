import { sessionTokenOf } from "@trellis/sdk";
import { expect, it } from "vitest";
import { useTestService } from "../support/scene.js";
import { apiPath, dataOf, type Holder } from "./support.js";

const limit = 6;
const trellis = useTestService({ TRELLIS_PUBLISHABLE_ADDRESS_RATE_LIMIT: String(limit) });
const page = "https://app.example";

it("people who share an address do not share a limit, and who is not signed in gets no more by it", async () => {
  const scopes = ["auth:write", "accounts:read"];
  const body = { name: "App", type: "publishable", environments: ["sandbox"], allowed_origins: [page], scopes };
  const { key } = dataOf<{ key: string }>(await trellis.request("POST", `${apiPath}/api-keys`, body));
  const people = [await trellis.openHolder(), await trellis.openHolder()] as const;
  const read = async ({ address, session }: Holder, token = sessionTokenOf(session) ?? "") =>
    (
      await trellis.request("GET", `${apiPath}/accounts/${address}/balances`, undefined, {
        authorization: `Bearer ${key}`,
        origin: page,
        "x-session-token": token,
      })
    ).status;
  const times = async (count: number, act: () => Promise<number>) => {
    const answers = new Set<number>();
    for (let done = 0; done < count; done += 1) answers.add(await act());
    return [...answers];
  };
  const [ada, eve] = people;
  // Many more than the address has, of both in turn.
  expect(await times(limit * 4, () => read(ada))).toEqual([200]);
  expect(await times(limit * 4, () => read(eve))).toEqual([200]);
  expect(await times(limit * 2, () => read(ada))).toEqual([200, 429]);
  // A session that is none is counted for the address, which has its whole limit.
  expect(await times(limit - 1, () => read(eve, "nonsense"))).toEqual([401]);
  expect(await read(eve)).toBe(200);
  expect(await times(2, () => read(eve, "nonsense"))).toEqual([401, 429]);
});
