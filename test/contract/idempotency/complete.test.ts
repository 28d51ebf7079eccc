import { expect, it } from "vitest";
import { endpoints } from "../../../src/endpoints.js";
import { isIdempotent } from "../../../src/http/idempotent-runs.js";
import { rowsOfOrders } from "./rows-of-orders.js";
import { rowsOfPasskeySigners } from "./rows-of-passkey-signers.js";
import { rowsOfPasskeys } from "./rows-of-passkeys.js";
import { rowsOfPayments } from "./rows-of-payments.js";
import { rowsOfPeople } from "./rows-of-people.js";
import { rowsOfProposals } from "./rows-of-proposals.js";
import { rowsOfRails } from "./rows-of-rails.js";
import { rowsOfSurroundings } from "./rows-of-surroundings.js";
import { rowsOfVirtualAccounts } from "./rows-of-virtual-accounts.js";
import { rowsOfWalletExports } from "./rows-of-wallet-exports.js";
import { rowsOfWalletImports } from "./rows-of-wallet-imports.js";

it("there is a row for every endpoint that takes an idempotency key, in one table", () => {
  const tables = [
    rowsOfOrders,
    rowsOfPasskeys,
    rowsOfPasskeySigners,
    rowsOfPayments,
    rowsOfPeople,
    rowsOfProposals,
    rowsOfRails,
    rowsOfSurroundings,
    rowsOfVirtualAccounts,
    rowsOfWalletExports,
    rowsOfWalletImports,
  ];
  const played = tables.flatMap((rows) => Object.keys(rows));
  const taking = endpoints.map(({ contract }) => contract).filter(isIdempotent);
  expect(played.sort()).toEqual(taking.map(({ operation }) => operation).sort());
});
