import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { addressText, wireTransactionText } from "@trellis/kernel/wire-texts.js";
import { requestedHeapFrame } from "@trellis/solana/compute-needs.js";
import { readMessage } from "@trellis/solana/read-message.js";
import { parseWireTransaction } from "@trellis/solana/wire-transaction.js";
import Type from "typebox";
import { wantedProvider } from "../accounts/policy.js";
import { approvalFields, getActingAccount, withApproval } from "./acting-account.js";
import { chooseSigners } from "./choose-signers.js";
import { readKnownTokenAccounts } from "./coin-effects.js";
import { chooseFeePayer, feeFields } from "./fee-config.js";
import { refuseForbidden, refuseNamed, withoutComputeBudget } from "./forbidden-instructions.js";
import { memoWordsRefused } from "./payment-memo.js";
import { prepareSynchronous } from "./prepare-synchronous.js";
import { preparedFields, toPreparedFields } from "./prepared-transaction.js";

/** Wraps a caller's own transaction, so that the smart account executes it (gap 32). */
export const prepareTransaction = endpoint(
  {
    operation: "prepareTransaction",
    summary: "Prepare an arbitrary transaction",
    description:
      "Takes a transaction built with the smart account as its payer and authority, wraps its instructions into a call of " +
      "the on-chain program, simulates it, and answers what is to be signed. Its blockhash and compute budget are replaced.",
    tag: "Transactions",
    method: "POST",
    path: "/api/service/v1/accounts/{address}/transactions",
    scope: "transactions:write",
    environment: "optional",
    publishable: "session",
    params: Type.Object({ address: addressText() }),
    body: Type.Object({
      transaction: wireTransactionText({ description: "What is to be done; signatures are ignored." }),
      account_signers: Type.Optional(Type.Array(addressText(), { maxItems: 10 })),
      transaction_signers: Type.Optional(
        Type.Array(addressText(), { maxItems: 10, deprecated: true, description: "Old name of account_signers." }),
      ),
      provider: wantedProvider,
      ...approvalFields,
      ...feeFields,
    }),
    refusesNearMisses: true,
    refusesFields: memoWordsRefused("the memo of a transaction of your own is an instruction in it"),
    preparesOnly: true,
    response: {
      status: 200,
      envelope: true,
      schema: Type.Object({ ...preparedFields, simulation_logs: Type.Array(Type.String()) }),
    },
    errors: [
      "account_not_found",
      "invalid_transaction",
      "transaction_too_large",
      "forbidden_account",
      "insufficient_permissions",
      "passkey_session_required",
      "proposal_required",
      "transaction_failed",
      "unsupported_fee_config",
      "chain_unavailable",
    ],
  },
  async (needs: { db: Db; random: Random }, { params, body, network, caller }) => {
    const wire = parseWireTransaction(body.transaction);
    const account = withApproval(await getActingAccount(needs.db, network, caller.tenantId, params.address), body);
    const { instructions, addresses, lookupTables } = await readMessage(network, wire, { leastSlot: account.slot });
    refuseForbidden(instructions, network.serviceAddresses, account.settingsAddress);
    refuseNamed(addresses, network.serviceAddresses);
    const inside = withoutComputeBudget(instructions);
    if (inside.length === 0) {
      throw new TrellisError("invalid_transaction", {
        field: "transaction",
        message: "The transaction has no instructions.",
      });
    }
    const owners = await readKnownTokenAccounts(network, inside);
    const prepared = await prepareSynchronous(needs, network, {
      kind: "custom",
      account,
      members: chooseSigners(account, {
        named: body.account_signers ?? body.transaction_signers,
        provider: body.provider,
      }),
      inside,
      feePayer: chooseFeePayer(network, body),
      lookupTables,
      heapFrameBytes: requestedHeapFrame(instructions, "transaction"),
      facts: { owners },
    });
    return { data: { ...toPreparedFields(prepared), simulation_logs: [...prepared.simulationLogs] } };
  },
);
