import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Custodian, Custodians } from "@trellis/kernel/ports/custodian.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { Provider } from "../accounts/policy.js";
import { recogniseSigner } from "../accounts/settings-change-signers.js";
import { askCustodian } from "../custody/custodians.js";
import { proveWallet, WireWalletProof } from "../custody/wallet-proof.js";
import { type ActingAccount, getActingAccount } from "../transactions/acting-account.js";

/** Gap 193. */
export const renewWallets = endpoint(
  {
    operation: "renewWallets",
    summary: "Make the wallets that take the place of an account's",
    description:
      "For each wallet of a custodian of the service that signs for the account, and does not derive from the newest root of " +
      "that custodian: the wallet of the same user that does. It obeys the sessions and the passkeys of the one before. " +
      "Nothing changes on chain: change the account's signers to it. Repeating it answers the same.",
    tag: "Accounts",
    method: "POST",
    path: "/api/service/v1/accounts/{address}/wallets:renew",
    scope: "accounts:write",
    environment: "optional",
    params: Type.Object({ address: addressText() }),
    body: Type.Object({
      wallet_nonce: Type.String({
        pattern: "^[0-9a-f]{64}$",
        description: "Random: each wallet signs a text with this in it, which proves that it can.",
      }),
    }),
    // It makes the same wallets every time.
    idempotent: false,
    response: {
      status: 200,
      envelope: true,
      schema: Type.Array(
        Type.Object(
          {
            replaces: addressText({ description: "The wallet that signs for the account now." }),
            address: addressText({ description: "The one that derives from the newest root." }),
            provider: Provider,
            proof: WireWalletProof,
          },
          { $id: "RenewedWallet" },
        ),
      ),
    },
    errors: ["account_not_found", "no_changes", "provider_unavailable", "chain_unavailable"],
  },
  async (needs: { readonly db: Db; readonly custodians: Custodians }, { params, body, caller, network }) => {
    const account = await getActingAccount(needs.db, network, caller.tenantId, params.address);
    const renewed = [];
    for (const signing of await findSigning(needs.db, account)) {
      const custodian = needs.custodians.get(signing.provider as Custodian["provider"]);
      const asked = { ownerId: signing.owner_id, environment: network.name, now: network.clock.now() };
      const newest = custodian?.ensureNewestWallet && (await askCustodian(custodian.ensureNewestWallet(asked)));
      if (custodian === undefined || newest === undefined) continue;
      const { wallet } = newest;
      // A database that was put back knows it again from now on, as it is made again.
      await recogniseSigner(needs.db, network, account.row, wallet);
      if (wallet.address === signing.address) continue;
      const proof = await proveWallet(custodian, wallet.id, body.wallet_nonce);
      const { provider } = custodian;
      renewed.push({ replaces: signing.address, address: wallet.address as string, provider, proof });
    }
    if (renewed.length > 0) return { data: renewed };
    throw new TrellisError("no_changes", {
      message: "Each wallet that a custodian of the service holds for this account derives from its newest root.",
      suggestion: "Where keys were stolen, the operator first makes another root: trellis keys roots new.",
    });
  },
);

/** The wallets among its signers. Keys that their owners brought derive from no root, and stay what they are. */
function findSigning(db: Db, { row, settings }: ActingAccount) {
  const signers = settings.signers.map(({ address }): string => address);
  return db
    .selectFrom("wallet")
    .select(["address", "provider", "owner_id"])
    .where("environment", "=", row.environment)
    .where("address", "in", signers)
    .where("imported_at", "is", null)
    .where("owner_id", "in", (users) =>
      users.selectFrom("app_user").select("id").where("tenant_id", "=", row.tenant_id),
    )
    .orderBy("provider")
    .orderBy("address")
    .execute();
}
