import { signTransaction } from "@trellis/sdk";
import { expect, it } from "vitest";
import { bendNetwork } from "../../test/support/bent-network.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { openOwnAccount } from "../../test/support/self-paid.js";
import { errorOf, publicKeyOf } from "../../test/support/test-network.js";
import { deleteSpendingLimit } from "../spending-limits/delete-spending-limit.js";
import { listSpendingLimits } from "../spending-limits/list-spending-limits.js";
import { submitTransactions } from "../transactions/submit-transactions.js";
import { createStandingOrder } from "./create-standing-order.js";
import { getStandingOrder } from "./get-standing-order.js";
import { resumeStandingOrder } from "./resume-standing-order.js";

const test = useTestNetwork();

it("ends the offer that it has read, and never one that another request makes meanwhile", async () => {
  const account = await openOwnAccount(test);
  const { address } = account;
  const submit = ({ transaction }: { readonly transaction: string }) =>
    test.call(submitTransactions, {
      params: { address },
      body: { transaction: signTransaction(transaction, [account.key]), kms_payloads: [] },
    });
  const order = await test.call<Offered>(createStandingOrder, {
    params: { address },
    body: {
      amount: "1000000",
      frequency: "daily",
      source: { account: address, currency: "sol" },
      destination: { address: publicKeyOf("the payee of an order that is resumed twice"), currency: "sol" },
      start_date: new Date(test.network.clock.now() + 30_000).toISOString(),
    },
  });
  await submit(order);
  const params = { address, id: order.id };
  const limit = { address, spending_limit_address: order.spending_limit_address };
  await submit(await test.call<Offered>(deleteSpendingLimit, { params: limit, body: {} }));
  const resume = (network = test.network) => test.call<Offered>(resumeStandingOrder, { params, body: {}, network });
  const former = await resume();

  let between: Promise<Offered> | undefined;
  const slow = bendNetwork(test.network, async ({ params: asked, ask }) => {
    const answer = await ask();
    if (asked.flat().includes(former.renewal_limit_address)) {
      between ??= resume();
      await between;
    }
    return answer;
  });
  expect((await errorOf(resume(slow))).code).toBe("submission_in_progress");
  const offered = await between;
  expect((await errorOf(submit(former))).code).toBe("blockhash_expired");
  await submit(offered as Offered);
  expect(await test.call<Offered>(getStandingOrder, { params })).toMatchObject({
    status: "active",
    spending_limit_address: offered?.renewal_limit_address,
  });
  expect(await test.call<object[]>(listSpendingLimits, { params: { address } })).toHaveLength(1);
});

interface Offered {
  readonly id: string;
  readonly status: string;
  readonly spending_limit_address: string;
  readonly renewal_limit_address?: string;
  readonly transaction: string;
}
