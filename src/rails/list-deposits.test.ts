import type { Address } from "@solana/kit";
import { assertOurs } from "@trellis/kernel/errors.js";
import type { Deposit, PartnerRef } from "@trellis/kernel/ports/rails.js";
import { describe, expect, it } from "vitest";
import { approve } from "../../test/rails/transfers-support.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { listTransfers } from "../history/list-transfers.js";
import { creditDeposits, foldDeposits } from "./deposit-store.js";
import { listDeposits } from "./list-deposits.js";
import { requestVirtualAccount } from "./request-virtual-account.js";
import { readVirtualAccountRow } from "./virtual-account-store.js";

const test = useTestNetwork();

describe("deposits that one transaction pays together", () => {
  it("receive their own amounts, and together what it brought", async () => {
    expect(await payTogether("two@example.org", 30_000_000n, ["10.00", "20.00"])).toEqual({
      "10.00": "10000000",
      "20.00": "20000000",
    });
  });

  it("receive together what it brought, and none more than its own amount", async () => {
    const received = await payTogether("short@example.org", 25_000_000n, ["10.00", "20.00", "30.00"]);
    const all = Object.entries(received).map(([amount, got]) => ({
      most: Number(amount) * 1e6,
      got: Number(got ?? 0),
    }));
    expect(all.reduce((sum, { got }) => sum + got, 0)).toBe(25_000_000);
    expect(all.filter(({ most, got }) => got > most)).toEqual([]);
  });

  it("do not change one that is paid alone", async () => {
    expect(await payTogether("alone@example.org", 9_990_000n, ["10.00"])).toEqual({ "10.00": "9990000" });
  });
});

interface WireDeposit {
  readonly amount: string;
  readonly credited: boolean;
  readonly received?: { readonly amount: string };
}

/** What deposits of these amounts come to, as the tenant reads them, where one transaction pays `coins` base units for all. */
async function payTogether(
  email: string,
  coins: bigint,
  amounts: readonly string[],
  currency: "usd" | "eur" = "usd",
): Promise<Record<string, string | null>> {
  const { address } = (await test.openHolder(email)).verified;
  await approve(test, address, email, ["base", "sepa"]);
  const { id } = await test.call<{ id: string }>(requestVirtualAccount, { params: { address }, body: { currency } });
  const row = (await readVirtualAccountRow(test.needs.db, id)) as Parameters<typeof foldDeposits>[2] | undefined;
  assertOurs(row !== undefined, "it was requested a moment ago");
  const signature = await test.network.sandbox?.mintTo(address as Address, row.mint as Address, coins, email);
  const deposits = amounts.map(
    (amount, i) =>
      ({
        ref: `${email}-${i}` as PartnerRef,
        account: row.partner_ref as PartnerRef,
        state: "processed",
        amount,
        currency,
        fees: null,
        senderName: null,
        rail: currency === "usd" ? "ach_push" : "sepa",
        signature: signature ?? null,
        at: test.network.clock.now() + i,
      }) as Deposit,
  );
  await foldDeposits(test.needs, test.network, row, deposits);
  await test.call(listTransfers, { params: { address } });
  await creditDeposits(test.needs.db, test.network, row.id);
  const params = { address, virtual_account_id: id };
  const view = await test.call<readonly WireDeposit[]>(listDeposits, { params });
  return Object.fromEntries(view.map(({ amount, received }) => [amount, received?.amount ?? null]));
}
