import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { endpoint } from "@trellis/kernel/endpoint.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { addressText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { getAccountRow } from "../accounts/account-store.js";
import { ExternalAccount, showExternalAccount } from "./external-account.js";
import {
  listExternalAccounts as findAll,
  getExternalAccount as findOne,
  wakeExternalAccounts,
} from "./external-account-store.js";

interface Needs {
  readonly db: Db;
  readonly keyring: Keyring;
  readonly realClock: Clock;
}

/** Gap 101. */
export const listExternalAccounts = endpoint(
  {
    operation: "listExternalAccounts",
    summary: "List external accounts",
    description: "The bank accounts that payments of this account can go to, the newest first.",
    tag: "Rails",
    method: "GET",
    path: "/api/service/v1/accounts/{address}/external-accounts",
    scope: "payments:read",
    environment: "optional",
    params: Type.Object({ address: addressText() }),
    response: { status: 200, envelope: true, schema: Type.Array(ExternalAccount) },
    errors: ["account_not_found"],
  },
  async (needs: Needs, { params: { address }, network, caller }) => {
    const { db, keyring } = needs;
    const account = { tenantId: caller.tenantId, environment: network.name, address };
    await getAccountRow(db, account);
    await wakeExternalAccounts(needs, account);
    return { data: (await findAll(db, account)).map((row) => showExternalAccount(row, keyring)) };
  },
);

/** Gap 101. */
export const getExternalAccount = endpoint(
  {
    operation: "getExternalAccount",
    summary: "Read an external account",
    description: "A bank account that payments can go to. Its number is never returned.",
    tag: "Rails",
    method: "GET",
    path: "/api/service/v1/accounts/{address}/external-accounts/{id}",
    scope: "payments:read",
    environment: "optional",
    params: Type.Object({ address: addressText(), id: uuidText() }),
    response: { status: 200, envelope: true, schema: ExternalAccount },
    errors: ["account_not_found", "external_account_not_found"],
  },
  async (needs: Needs, { params: { address, id }, network, caller }) => {
    const { db, keyring } = needs;
    const account = { tenantId: caller.tenantId, environment: network.name, address };
    await getAccountRow(db, account);
    await wakeExternalAccounts(needs, account);
    return { data: showExternalAccount(await findOne(db, account, id), keyring) };
  },
);
