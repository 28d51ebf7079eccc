import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { bankRails, type PartnerRef } from "@trellis/kernel/ports/rails.js";
import { decimalText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import type { HistoryRefreshes } from "../history/history-refreshes.js";
import type { HistoryAccount } from "../history/history-store.js";
import { showDeposit, WireDeposit } from "../rails/deposit.js";
import { findDepositByRef } from "../rails/deposit-store.js";
import type { RailNeeds } from "../rails/rail-needs.js";
import type { OpenedVirtualAccount } from "../rails/virtual-account-store.js";
import { getSimulated, playOn } from "./simulated-account.js";

/** Money arrives at a virtual account of the sandbox (gap 49, gap 100). */
export const simulateDeposit = endpoint(
  {
    operation: "sandboxDeposit",
    summary: "Pay into a virtual account",
    description:
      "Simulates a payment from outside. Play coins arrive on the sandbox chain, net of the fee. The cents of the amount " +
      "say what happens: .02 is reviewed first, .03 goes back, .08 goes back after it was paid out, 0.05 only tests the " +
      "account, .06 is reported twice and .07 out of order. At once, or by the environment clock as banks take it: " +
      "TRELLIS_SANDBOX_RAILS.",
    tag: "Sandbox",
    method: "POST",
    path: "/api/service/v1/sandbox/virtual-accounts/{virtual_account_id}/deposits",
    scope: "sandbox:use",
    environment: "sandbox",
    params: Type.Object({ virtual_account_id: uuidText() }),
    body: Type.Object({
      amount: decimalText({ description: "A decimal in the currency of the account.", examples: ["250.00"] }),
      payment_rail: Type.Optional(Type.Enum([...bankRails], { description: "Default: the account's first." })),
    }),
    response: { status: 201, envelope: true, schema: WireDeposit },
    errors: [
      "virtual_account_not_found",
      "virtual_account_deactivated",
      "invalid_amount",
      "rail_not_available",
      "partner_unavailable",
    ],
  },
  async (
    needs: RailNeeds & { readonly historyRefreshes: HistoryRefreshes },
    { params, body, network, caller, operationId },
  ) => {
    const { simulator, row } = await getSimulated(needs, network, caller.tenantId, params.virtual_account_id);
    const paid = await simulator.deposit(row.partner_ref as PartnerRef, body.amount, {
      rail: body.payment_rail,
      askedAs: operationId,
    });
    if (!paid.ok) {
      if (paid.refused.reason === "wrong_state") throw new TrellisError("virtual_account_deactivated");
      if (paid.refused.reason === "unsupported_pair") {
        throw new TrellisError("rail_not_available", { field: "payment_rail" });
      }
      throw new TrellisError("invalid_amount", {
        field: "amount",
        message: `amount must be a decimal above zero with at most two places, and at most ${limits.simulatedPaymentMaxCents / 100n}.`,
      });
    }
    await playOn(needs, network, row);
    // So that the answer says at once what the chain shows, and not only some moments later.
    await needs.historyRefreshes.refresh(network, await getHistoryAccount(needs.db, row));
    const known = await findDepositByRef(needs.db, row.id, paid.value.ref);
    // It is paid in, and a caller that repeats this under its key sees it.
    if (known === undefined) throw new TrellisError("partner_unavailable", { retryAfterSeconds: 1 });
    return { data: showDeposit(needs.keyring, known) };
  },
);

async function getHistoryAccount(
  db: Db,
  { environment, account_address: address }: OpenedVirtualAccount,
): Promise<HistoryAccount> {
  const { settings_address: settingsAddress, number } = await db
    .selectFrom("account")
    .select(["settings_address", "number"])
    .where("environment", "=", environment)
    .where("address", "=", address)
    .executeTakeFirstOrThrow();
  return { environment, address, settingsAddress, number } as HistoryAccount;
}
