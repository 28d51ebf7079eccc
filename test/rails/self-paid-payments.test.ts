import type { Address } from "@solana/kit";
import { getSetComputeUnitPriceInstruction } from "@solana-program/compute-budget";
import { signTransaction } from "@trellis/sdk";
import { expect, it } from "vitest";
import { deleteRailData } from "../../src/rails/delete-rail-data.js";
import { removeExternalAccount } from "../../src/rails/remove-external-account.js";
import { cancelOverdueIntents } from "../../src/submissions/intent-states.js";
import { searchSelfPaid } from "../../src/submissions/search-self-paid.js";
import { playedUsdc } from "../support/played-cluster.js";
import { useTestNetwork } from "../support/scene.js";
import {
  changeAsWallet,
  openOwnAccount,
  prepareSelfPaid,
  type SelfPaidPayment,
  sendByWallet,
} from "../support/self-paid.js";
import { errorOf } from "../support/test-network.js";
import { addBank, approve, readIntent, waitOut } from "./transfers-support.js";

/** Payments to a bank whose fee their holder pays: a wallet can send the coins to the partner on its own. */
const test = useTestNetwork();

it.each([
  ["", (payment: SelfPaidPayment) => payment],
  ["changed and ", pricedByWallet],
])("one that a wallet has %ssent is never cancelled at the partner, and reaches the bank", async (_, change) => {
  const payment = await prepareToBank();
  const { address } = payment.account;
  const signature = await sendByWallet(test, change(payment));
  await overdue();
  expect(await reportedOf(payment)).not.toBe("canceled");
  expect((await readIntent(test, address, payment.id)).state).not.toBe("canceled");
  await searchSelfPaid(test.needs, test.network);
  await waitOut(test);
  expect(await readIntent(test, address, payment.id)).toMatchObject({
    state: "payment_processed",
    transaction_signature: signature,
  });
});

it("one that a wallet has sent reaches the bank whose account is removed meanwhile", async () => {
  const payment = await prepareToBank();
  const { address } = payment.account;
  const signature = await sendByWallet(test, payment);
  const id = payment.destination.external_account_id ?? "";
  await test.call(removeExternalAccount, { params: { address, id } });
  expect((await readIntent(test, address, payment.id)).state).not.toBe("canceled");
  const isAtPartner = async () =>
    (await test.needs.db.selectFrom("rail_external_account").select("id").where("id", "=", id).execute()).length === 1;
  expect(await isAtPartner()).toBe(true);
  await overdue();
  await searchSelfPaid(test.needs, test.network);
  await waitOut(test);
  expect(await readIntent(test, address, payment.id)).toMatchObject({
    state: "payment_processed",
    transaction_signature: signature,
  });
});

it("one that no wallet has sent is cancelled at the partner once that is proven, and not before", async () => {
  const payment = await prepareToBank();
  const { address } = payment.account;
  await overdue();
  expect(await reportedOf(payment)).toBe("awaiting_funds");
  expect((await errorOf(test.call(deleteRailData, { params: { address } }))).code).toBe("money_on_its_way");
  await searchSelfPaid(test.needs, test.network);
  await waitOut(test);
  expect(await readIntent(test, address, payment.id)).toMatchObject({ state: "canceled" });
  expect(await reportedOf(payment)).toBe("canceled");
});

/** The bytes with a price of compute units that the wallet has chosen. */
function pricedByWallet(payment: SelfPaidPayment): SelfPaidPayment {
  const price = getSetComputeUnitPriceInstruction({ microLamports: 7 });
  const changed = changeAsWallet(payment.wire, ({ instructions }) => ({ instructions: [...instructions, price] }));
  return { ...payment, wire: signTransaction(changed, [payment.account.key]) };
}

let people = 0;
async function prepareToBank(): Promise<SelfPaidPayment> {
  people += 1;
  const account = await openOwnAccount(test);
  await test.network.sandbox?.mintTo(account.address, playedUsdc as Address, 100_000_000n);
  await approve(test, account.address, `self-paid-${people}@example.org`, ["base"]);
  const bank = await addBank(test, account.address);
  return prepareSelfPaid(test, account, "", {
    body: {
      amount: "5000000",
      source: { account: account.address, currency: "usdc" },
      destination: { payment_rail: "ach_push", currency: "usd", external_account_id: bank.id },
    },
  });
}

const reportedOf = async ({ id }: SelfPaidPayment) =>
  (await test.needs.db.selectFrom("rail_transfer").select("told").where("id", "=", id).executeTakeFirstOrThrow()).told;

const overdue = async () => {
  await test.network.sandbox?.advanceClock(150);
  await cancelOverdueIntents(test.needs.db, test.network);
  await waitOut(test);
};
