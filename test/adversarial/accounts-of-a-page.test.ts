import { sessionTokenOf, type TrellisSession } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { asOtherTenant, knownMasterKey } from "../support/other-tenant.js";
import { useTestService } from "../support/scene.js";
import { type Answered, apiPath, dataOf, expectError, type Holder, makeKey } from "./support.js";

const trellis = useTestService({ ...knownMasterKey, TRELLIS_PUBLISHABLE_ADDRESS_RATE_LIMIT: "0" });
const page = "https://app.example";

interface Listed {
  readonly address: string;
  readonly email?: string;
  readonly memo?: string;
  readonly policies: { readonly threshold: number } | null;
}

describe("200", () => {
  it("is what the user's own wallet signs for, without what is not for each signer", async () => {
    const { ada, eve, list } = await openPage();
    const team = await openTeam([ada, eve]);
    const others = await openTeam([eve]);
    const found = dataOf<Listed[]>(await list(ada, { signer: walletOf(ada) }));
    expect(found.map(({ address }) => address)).toEqual([team, ada.address]);
    expect(found.map(({ email, memo }) => [email, memo])).toEqual([
      [undefined, undefined],
      [ada.email, undefined],
    ]);
    expect(found[0]?.policies).toMatchObject({ threshold: 2 });
    expect(await trellis.client.accounts.get(team)).toHaveProperty("memo", "what support noted");
    const ofEve = dataOf<Listed[]>(await list(eve, { signer: walletOf(eve) }));
    expect(ofEve.map(({ address }) => address)).toEqual([others, team, eve.address]);
    // Narrowed, and page by page.
    const custom = dataOf<Listed[]>(await list(ada, { signer: walletOf(ada), type: "custom" }));
    expect(custom.map(({ address }) => address)).toEqual([team]);
    expect(dataOf(await list(ada, { signer: walletOf(ada), address: others }))).toEqual([]);
    const first = await list(ada, { signer: walletOf(ada), limit: "1" });
    expect(dataOf<Listed[]>(first)).toHaveLength(1);
    const cursor = first.headers.get("x-next-cursor") ?? "";
    const rest = dataOf<Listed[]>(await list(ada, { signer: walletOf(ada), limit: "1", cursor }));
    expect(rest.map(({ address }) => address)).toEqual([ada.address]);
  });
});

describe("403", () => {
  it("is the answer to a wallet of another user, to a key that is no wallet, and to every other filter", async () => {
    const { ada, eve, list } = await openPage();
    const team = await openTeam([ada, eve]);
    const signer = walletOf(ada);
    const searches: readonly Record<string, string>[] = [
      {},
      { signer: walletOf(eve) },
      { signer: makeKey().address },
      { signer: ada.address },
      { address: team },
      { type: "custom" },
      { email: ada.email },
      // Whether these match would say what a page is not shown.
      { memo: "what support noted" },
      { signer, address: team, memo: "what support noted" },
      { signer, address: team, email: eve.email },
    ];
    for (const query of searches) expectError(await list(ada, query), 403, "secret_key_required");
    expectError(await list(ada, { signer: "nobody" }), 400, "invalid_address");
  });

  it("is the answer to a key without the scope", async () => {
    const { ada, list } = await openPage(["auth:write", "proposals:read"]);
    expectError(await list(ada, { signer: walletOf(ada) }), 403, "insufficient_scope");
  });
});

describe("401", () => {
  it("is the answer without a session, to one that was ended, and to one of another tenant", async () => {
    const { ada, eve, list, listWith } = await openPage();
    const query = { signer: walletOf(ada) };
    expectError(await listWith({}, query), 401, "session_required");
    await trellis.client.sessions.endAll(ada.address);
    expectError(await list(ada, query), 401, "invalid_session");
    const foreign = await makePage(["accounts:read"], await asOtherTenant(trellis));
    expectError(await foreign(proofOf(eve.session), { signer: walletOf(eve) }), 401, "invalid_session");
  });
});

async function openPage(scopes = ["accounts:read"]) {
  const listWith = await makePage(scopes);
  const [ada, eve] = [await trellis.openHolder(), await trellis.openHolder()];
  const list = ({ session }: Holder, query: Record<string, string>) => listWith(proofOf(session), query);
  return { ada, eve, list, listWith };
}

/** A page of a tenant that asks for accounts with a publishable key. */
async function makePage(scopes: readonly string[], headers: Record<string, string> = {}) {
  const body = { name: "App", type: "publishable", environments: ["sandbox"], allowed_origins: [page], scopes };
  const { key } = dataOf<{ key: string }>(await trellis.request("POST", `${apiPath}/api-keys`, body, headers));
  return (proof: Record<string, string>, query: Record<string, string>): Promise<Answered> =>
    trellis.request("GET", `${apiPath}/accounts?${new URLSearchParams(query)}`, undefined, {
      authorization: `Bearer ${key}`,
      origin: page,
      ...proof,
    });
}

/** An account in which all of them decide together. */
async function openTeam(holders: readonly Holder[]): Promise<string> {
  const permissions = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"] as const;
  const signers = holders.map(({ email }) => ({ type: "email" as const, email, permissions }));
  const { address } = await trellis.client.accounts.createCustom({
    memo: "what support noted",
    policies: { signers, threshold: signers.length },
  });
  return address;
}

const walletOf = ({ session }: Holder): string => session.wallets[0]?.address ?? "";
const proofOf = (session: TrellisSession) => ({ "x-session-token": sessionTokenOf(session) ?? "" });
