import { expect, it } from "vitest";
import { useConsole } from "../../test/support/console.js";
import { firstOwnerEmail, linkFirstOwner } from "./first-owner.js";

const trellis = useConsole("");
const start = () => linkFirstOwner({ ...trellis.needs, now: trellis.clock.now() }, ["sandbox"]);

it("each start gives a link that signs the first owner in, once, and the one before is over", async () => {
  const [one, other] = await Promise.all([start(), start()]);
  const again = (await start())?.token ?? "";
  for (const link of [one, other]) expect((await trellis.accept(link?.token ?? "")).status).toBe(400);
  const page = trellis.pageOf(await trellis.accept(again));
  expect((await trellis.accept(again)).status).toBe(400);
  const { data } = (await trellis.ask("GET", "/console/session", { page })).body;
  expect(data).toMatchObject({
    member: { email: firstOwnerEmail, role: "owner", is_operator: true },
    tenant: { id: "default" },
    environments: ["sandbox"],
  });
  expect((data as { scopes: string[] }).scopes).toContain("admin:tenants");
  const late = (await start())?.token ?? "";
  trellis.clock.advance(15 * 60_000);
  expect((await trellis.accept(late)).status).toBe(400);
});

it("a later start leaves what the first owner reaches as it is", async () => {
  await start();
  await linkFirstOwner({ ...trellis.needs, now: trellis.clock.now() }, ["devnet"]);
  const owner = trellis.db.selectFrom("member").select("environments").where("email", "=", firstOwnerEmail);
  expect(await owner.executeTakeFirst()).toEqual({ environments: '["sandbox"]' });
});

it("no link is given where the first owner is disabled, or was removed and others are there", async () => {
  const owner = trellis.db.updateTable("member").where("email", "=", firstOwnerEmail);
  await owner.set({ status: "disabled" }).execute();
  expect(await start()).toBeUndefined();
  await trellis.signIn("other@example.org");
  await trellis.db.deleteFrom("member").where("email", "=", firstOwnerEmail).execute();
  expect(await start()).toBeUndefined();
});
