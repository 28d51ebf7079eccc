import { environmentNames } from "@trellis/kernel/ports/environment.js";
import { scopes } from "@trellis/kernel/scope.js";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { type Page, type Reply, useConsole } from "../../test/support/console.js";
import { createApiKey } from "../tenants/create-api-key.js";
import { createMemberAuthenticator } from "./authenticate-member.js";
import { inviteMember } from "./invite-member.js";
import { removeMember } from "./remove-member.js";
import { updateMember } from "./update-member.js";

const trellis = useConsole();

interface Wire {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  readonly status: string;
  readonly invitation: { readonly token: string; readonly url: string; readonly mailed: boolean };
}
const dataOf = <T>(reply: Reply): T => {
  expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
  return reply.body.data as T;
};
const expectError = ({ status, body }: Reply, wanted: number, code: string) =>
  expect([status, body.code]).toEqual([wanted, code]);
let count = 0;
const address = () => `powers-${++count}@example.org`;
const inviteBy = (page: Page, body: object) => trellis.ask("POST", "/members", { page, body });
/** A tenant of its own, with one owner who is signed in. */
async function openTenant(): Promise<{ readonly tenantId: string; readonly owner: Page }> {
  const tenantId = `powers-of-${++count}`;
  await trellis.addTenant(tenantId);
  return { tenantId, owner: await trellis.signIn(address(), { tenantId }) };
}

describe("the limits of who asks", () => {
  const day = 86_400_000;

  it.each([
    ["expires_at", () => ({ expiresAt: trellis.clock.now() + day })],
    ["allowed_addresses", () => ({ addresses: ["10.0.0.0/8"] })],
  ])("a key's %s is not escaped by a member", async (field, limit) => {
    const { tenantId } = await openTenant();
    const member = await trellis.signIn(address(), { tenantId, role: "viewer" });
    const headers = await trellis.makeKey({ tenantId, ...limit() });
    const change = (body: object) => trellis.ask("PATCH", `/members/${member.memberId}`, { headers, body });
    const refused = [
      await trellis.ask("POST", "/members", { headers, body: { email: address(), role: "viewer" } }),
      await change({ role: "owner" }),
    ];
    dataOf(await change({ status: "disabled" }));
    refused.push(await change({ status: "active" }));
    for (const reply of refused) {
      expectError(reply, 403, "insufficient_scope");
      expect(reply.body).toMatchObject({ details: [{ field }] });
    }
    dataOf(await trellis.ask("DELETE", `/members/${member.memberId}`, { headers }));
  });

  it("a key disables and removes who reaches more than any key, and gives them nothing", async () => {
    const { tenantId } = await openTenant();
    const caller = {
      tenantId,
      apiKeyId: "none",
      scopes: new Set(scopes),
      environments: ["sandbox", "devnet"],
    } as const;
    const needs = { ...trellis.needs, served: environmentNames };
    const wide = { tenantId, role: "viewer", environments: [...environmentNames] } as const;
    const { memberId } = await trellis.signIn(address(), wide);
    const change = (body: object) =>
      trellis.call(updateMember, { needs, caller, params: { member_id: memberId }, body });
    for (const body of [{ name: "Ada" }, { role: "owner" }, { environments: ["sandbox"] }]) {
      await expect(change(body)).rejects.toMatchObject({ code: "insufficient_scope" });
    }
    expect(await change({ status: "disabled" })).toMatchObject({ status: "disabled" });
    await expect(change({ status: "active" })).rejects.toMatchObject({ code: "insufficient_scope" });
    const few = { ...caller, scopes: new Set(["admin:members"] as const) };
    const remove = (by: typeof few | typeof caller) =>
      trellis.call(removeMember, { needs, caller: by, params: { member_id: memberId } });
    await expect(remove(few)).rejects.toMatchObject({ code: "member_not_found" });
    expect(await remove(caller)).toMatchObject({ id: memberId });
  });

  it("new environments of a mightier member are a raise", async () => {
    const { tenantId, owner } = await openTenant();
    await trellis.signIn(address(), { tenantId });
    const headers = await trellis.makeKey({ tenantId, scopes: ["admin:members"] });
    const devnet = await trellis.makeKey({ tenantId, scopes: ["admin:members"], environments: ["sandbox", "devnet"] });
    const body = { environments: ["sandbox", "devnet"] };
    const path = `/members/${owner.memberId}`;
    const reply = await trellis.ask("PATCH", path, { headers: devnet, body });
    expectError(reply, 403, "insufficient_scope");
    expect(reply.body).toMatchObject({ details: [{ field: "role" }] });
    dataOf(await trellis.ask("PATCH", path, { headers, body: { environments: ["sandbox"] } }));
  });

  it("operators are changed and removed by operators alone", async () => {
    const { tenantId, owner } = await openTenant();
    const operator = await trellis.signIn(address(), { tenantId, role: "viewer", isOperator: true });
    const path = `/members/${operator.memberId}`;
    for (const body of [{ status: "disabled" }, { role: "viewer" }, { name: "Ada" }, { environments: ["sandbox"] }]) {
      expectError(await trellis.ask("PATCH", path, { page: owner, body }), 403, "insufficient_scope");
    }
    expectError(await trellis.ask("DELETE", path, { page: owner }), 403, "insufficient_scope");
    const other = await trellis.signIn(address(), { tenantId, isOperator: true });
    dataOf(await trellis.ask("PATCH", path, { page: other, body: { status: "disabled" } }));
    dataOf(await trellis.ask("DELETE", path, { page: other }));
  });

  it("rights that end while the body is on its way are not used", async () => {
    const { tenantId, owner } = await openTenant();
    const page = await trellis.signIn(address(), { tenantId });
    const members = createMemberAuthenticator({
      ...trellis.needs,
      clock: trellis.clock,
      environments: ["sandbox"],
    });
    const caller = await members.authenticate(page.cookie.split("=")[1] ?? "");
    const params = { member_id: owner.memberId };
    const invitation = { email: address(), role: "viewer" };
    const key = { name: "k", scopes: ["accounts:read"], environments: ["sandbox"] };
    const late = [
      () => trellis.call(inviteMember, { caller, body: invitation }),
      () => trellis.call(updateMember, { caller, params, body: { name: "Eve" } }),
      () => trellis.call(removeMember, { caller, params }),
      () => trellis.call(createApiKey, { caller, body: key }),
    ];
    const change = (body: object) => trellis.ask("PATCH", `/members/${page.memberId}`, { page: owner, body });
    dataOf(await change({ role: "developer" }));
    for (const call of late) await expect(call()).rejects.toMatchObject({ code: "insufficient_scope" });
    dataOf(await change({ status: "disabled" }));
    for (const call of late) await expect(call()).rejects.toMatchObject({ code: "sign_in_required" });
  });
});

describe("owners", () => {
  it("of what an owner reaches another one is left, who has signed in", async () => {
    const { tenantId, owner } = await openTenant();
    const needs = { ...trellis.needs, served: environmentNames };
    const caller = { tenantId, apiKeyId: "none", scopes: new Set(scopes), environments: environmentNames };
    const wide = await trellis.signIn(address(), { tenantId, environments: [...environmentNames] });
    const params = { member_id: wide.memberId };
    const change = (body: object) => trellis.call(updateMember, { needs, caller, params, body });
    for (const body of [{ role: "viewer" }, { status: "disabled" }, { environments: ["sandbox", "devnet"] }]) {
      await expect(change(body)).rejects.toMatchObject({ code: "last_owner" });
    }
    await expect(trellis.call(removeMember, { needs, caller, params })).rejects.toMatchObject({ code: "last_owner" });
    expect(await change({ name: "Ada" })).toMatchObject({ name: "Ada" });
    const second = await trellis.signIn(address(), { tenantId, environments: ["devnet", "mainnet"] });
    expect(await change({ environments: ["sandbox"] })).toMatchObject({ environments: ["sandbox"] });
    // An owner who is active by a command and never came is none who could act.
    await sql`update member set last_signed_in_at = null where id in (${wide.memberId}, ${second.memberId})`.execute(
      trellis.db,
    );
    expectError(await trellis.ask("DELETE", `/members/${owner.memberId}`, { page: owner }), 409, "last_owner");
  });

  it("who never accepted is invited after being enabled, and is no owner", async () => {
    const { tenantId, owner } = await openTenant();
    const email = address();
    const { member, link } = await trellis.invite(email, { tenantId });
    const change = (body: object) => trellis.ask("PATCH", `/members/${member.id}`, { page: owner, body });
    dataOf(await change({ status: "disabled" }));
    expect(dataOf<Wire>(await change({ status: "active" })).status).toBe("invited");
    expectError(await trellis.accept(link.token), 400, "invalid_sign_in_link");
    expectError(await trellis.ask("DELETE", `/members/${owner.memberId}`, { page: owner }), 409, "last_owner");
    dataOf(await inviteBy(owner, { email, role: "owner" }));
  });
});
