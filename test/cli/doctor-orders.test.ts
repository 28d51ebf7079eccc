import { addressOfKey } from "@trellis/sdk";
import { expect, it } from "vitest";
import { runDoctor } from "../../src/cli/doctor.js";
import { dataOf, may, newKey } from "../proposals/support.js";
import { between, ordersOf } from "../standing-orders/support.js";
import { startTestService } from "../support/test-service.js";

it("names the standing order of each limit that the executor holds, and those that no order knows", async () => {
  const trellis = await startTestService({ TRELLIS_SPONSOR_OPENINGS_PER_ACCOUNT: "100" });
  try {
    const api = ordersOf(trellis);
    const a = newKey();
    const account = await api.open({ signers: [may(a)], threshold: 1 });
    const payee = addressOfKey(newKey());
    const body = { amount: "5000000", frequency: "monthly", ...between(account, payee) };
    const [known, lost] = [await api.begin(account, body, [a]), await api.begin(account, body, [a])];
    const own = await api.grant(account, { amount: 1, mint: "sol", period: "day", spending_limit_signers: [payee] }, [
      a,
    ]);
    const { db } = trellis.service;
    await db.deleteFrom("standing_order_run").where("order_id", "=", lost.id).execute();
    await db.deleteFrom("standing_order").where("id", "=", lost.id).execute();

    const rpc = `${trellis.url}/api/service/v1/sandbox/rpc?api-key=${trellis.apiKey}`;
    const asked = {
      address: account.address,
      rpc,
      service: trellis.url,
      apiKey: trellis.apiKey,
      environment: "sandbox",
    };
    const { text } = await runDoctor({ ...asked, json: true });
    const { spending_limits } = JSON.parse(text) as { spending_limits: { address: string; standing_order: unknown }[] };
    const found = new Map(spending_limits.map(({ address, standing_order }) => [address, standing_order]));
    expect(found.get(known.spending_limit_address)).toEqual({ order: known.id, status: "active" });
    expect(found.get(lost.spending_limit_address)).toEqual({ order: null, status: "unknown" });
    expect(found.get(own)).toBeNull();
    const view = (await runDoctor(asked)).text;
    expect(view).toContain(`of the standing order ${known.id}, which is active`);
    expect(view).toContain("NO STANDING ORDER KNOWS IT");
    const unasked = await runDoctor({ address: account.address, rpc, executors: known.executor_address });
    expect(unasked.text).toContain("the service was not asked");
    await expect(runDoctor({ ...asked, apiKey: "sk_test_wrong" })).rejects.toThrow("status 401");
    dataOf(await api.cancel(account, known.id));
  } finally {
    await trellis.close();
  }
});
