import { sessionTokenOf } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { useTestService } from "../support/scene.js";
import { apiPath, dataOf, expectError, type Holder, makeKey } from "./support.js";

const trellis = useTestService({ TRELLIS_PUBLISHABLE_ADDRESS_RATE_LIMIT: "0" });
const page = "https://app.example";
const everything = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"] as const;

describe("a standing order on a page", () => {
  it("is made and stopped by wallets of the session alone, of which one may propose", async () => {
    const { ada, eve, team, ask, count } = await openPage();
    const [mine, theirs] = [walletOf(ada), walletOf(eve)];
    const order = await trellis.client.standingOrders.create({ account: team, session: eve.session, order: daily() });
    const before = await count();
    for (const [query, signers, code] of [
      ["", undefined, "secret_key_required"],
      ["", [], "secret_key_required"],
      ["", [theirs], "secret_key_required"],
      ["", [mine, theirs], "secret_key_required"],
      ["", [makeKey().address], "secret_key_required"],
      ["?admin=true", [mine], "secret_key_required"],
      ["", [mine], "insufficient_permissions"],
    ] as const) {
      const named = signers === undefined ? {} : { transaction_signers: signers };
      const made = await ask(ada, "POST", `/accounts/${team}/standing-order-intent${query}`, {
        ...wire(team),
        ...named,
      });
      expectError(made, 403, code);
      const stopped = await ask(ada, "DELETE", `/accounts/${team}/standing-order/${order.id}${query}`, named);
      expectError(stopped, 403, code);
    }
    expect(await count()).toBe(before);
    expect((await trellis.client.standingOrders.get(team, order.id)).status).toBe("pending");
    // Who may propose needs no other signer for either.
    const by = { transaction_signers: [theirs] };
    const made = await ask(eve, "POST", `/accounts/${team}/standing-order-intent`, { ...wire(team), ...by });
    expect(dataOf<{ status: string }>(made).status).toBe("pending");
    const stopped = await ask(eve, "DELETE", `/accounts/${team}/standing-order/${order.id}`, by);
    expect(dataOf<{ status: string }>(stopped).status).toBe("cancelled");
  });

  it("is resumed by a signature, and by those alone who may propose", async () => {
    const { ada, eve, team, ask } = await openPage();
    const { client } = trellis;
    const { id, proposal } = await client.standingOrders.create({
      account: team,
      session: eve.session,
      order: daily(),
    });
    const { proposalAddress = "" } = proposal ?? {};
    await client.proposals.vote({ account: team, session: ada.session, proposal: proposalAddress, action: "approve" });
    await client.proposals.voteAndExecute({ account: team, session: eve.session, proposal: proposalAddress });
    await trellis.service.db
      .updateTable("standing_order")
      .set({ status: "inactive", reason: "missed_repeatedly", attempt_at: null })
      .where("id", "=", id)
      .execute();
    const path = `/accounts/${team}/standing-order/${id}/resume`;
    const [mine, theirs] = [walletOf(ada), walletOf(eve)];
    for (const [query, signers, code] of [
      ["", undefined, "secret_key_required"],
      ["", [theirs], "secret_key_required"],
      ["?admin=true", [mine], "secret_key_required"],
      ["", [mine], "insufficient_permissions"],
    ] as const) {
      const named = signers === undefined ? {} : { transaction_signers: signers };
      expectError(await ask(ada, "POST", path + query, named), 403, code);
    }
    // Its limit would still do: with a secret key it goes on at once.
    type Resumed = { status: string; transaction?: string; proposal_address?: string };
    const offered = dataOf<Resumed>(await ask(eve, "POST", path, { transaction_signers: [theirs] }));
    const asText = expect.any(String);
    expect(offered).toMatchObject({ status: "inactive", transaction: asText, proposal_address: asText });
    expect((await client.standingOrders.get(team, id)).status).toBe("inactive");
    const atServer = dataOf<Resumed>(await trellis.request("POST", apiPath + path, {}));
    expect(atServer.status).toBe("active");
    expect(atServer).not.toHaveProperty("transaction");
  });

  it("pays no bank", async () => {
    const { eve, team, ask } = await openPage();
    const destination = { external_account_id: "2f1ec5cf-4c0d-4a4e-8f6a-6e1c1e5b2f11", payment_rail: "ach_push" };
    const body = { ...wire(team), destination, transaction_signers: [walletOf(eve)] };
    expectError(await ask(eve, "POST", `/accounts/${team}/standing-order-intent`, body), 403, "secret_key_required");
  });
});

/** An account in which Eve may do everything, and Ada votes alone. */
async function openPage() {
  const body = { name: "App", type: "publishable", environments: ["sandbox"], allowed_origins: [page] };
  const { key } = dataOf<{ key: string }>(await trellis.request("POST", `${apiPath}/api-keys`, body));
  const [ada, eve] = [await trellis.openHolder(), await trellis.openHolder()];
  const signers = [
    { type: "email", email: ada.email, permissions: ["CAN_VOTE"] },
    { type: "email", email: eve.email, permissions: everything },
  ] as const;
  const { address: team } = await trellis.client.accounts.createCustom({ policies: { signers, threshold: 2 } });
  const ask = ({ session }: Holder, method: string, path: string, sent: object) =>
    trellis.request(method, apiPath + path, sent, {
      authorization: `Bearer ${key}`,
      origin: page,
      "x-session-token": sessionTokenOf(session) ?? "",
    });
  const count = async () => (await trellis.client.standingOrders.list(team)).length;
  return { ada, eve, team, ask, count };
}

const payee = makeKey().address;
const daily = () => ({ currency: "sol", amount: 1_000_000n, payee, frequency: "daily" }) as const;
const wire = (account: string) => ({
  amount: "1000000",
  frequency: "daily",
  source: { account, currency: "sol" },
  destination: { address: payee, currency: "sol" },
});
const walletOf = ({ session }: Holder): string => session.wallets[0]?.address ?? "";
