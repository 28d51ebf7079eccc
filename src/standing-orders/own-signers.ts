import type { Caller } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { CAN_INITIATE_BIT } from "@trellis/program-client";
import { requireOwnWallet } from "../people/own-wallet.js";
import { type ActingAccount, requirePermission } from "../transactions/acting-account.js";

/**
 * An order takes one of its account's places before anything is signed, and is stopped without a signature. So a page does both only for a
 * user who may propose (gap 123): it names wallets of the session as signers, and one of them holds CAN_INITIATE. Throws
 * `secret_key_required` and `insufficient_permissions`.
 */
export async function requireOwnSigners(
  db: Db,
  network: Pick<Network, "name">,
  caller: Caller,
  account: ActingAccount,
  { asAdmin, named = [] }: { readonly asAdmin: boolean; readonly named?: readonly string[] | undefined },
): Promise<void> {
  const [first] = named;
  if (asAdmin || first === undefined) {
    throw new TrellisError("secret_key_required", {
      message: "With a publishable key, transaction_signers names wallets of the session, and no admin decides.",
    });
  }
  for (const address of named) {
    await requireOwnWallet(db, network.name, caller, { field: "transaction_signers", address });
  }
  const mayPropose = account.settings.signers.some(
    ({ address, mask }) => named.includes(address) && (mask & CAN_INITIATE_BIT) !== 0,
  );
  if (!mayPropose) requirePermission(account, first, CAN_INITIATE_BIT, "transaction_signers");
}
