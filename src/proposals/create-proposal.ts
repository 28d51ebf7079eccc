import type { Instruction } from "@solana/kit";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import { parseBaseUnits } from "@trellis/kernel/money.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { addressText, amountText, wireTransactionText } from "@trellis/kernel/wire-texts.js";
import {
  CAN_INITIATE_BIT,
  CAN_VOTE_BIT,
  compileWrappedMessage,
  encodeWrappedMessage,
  type WrappedMessage,
  WrappedMessageError,
} from "@trellis/program-client";
import { requestedHeapFrame } from "@trellis/solana/compute-needs.js";
import { getCurrency } from "@trellis/solana/currency.js";
import { readAccounts } from "@trellis/solana/read-accounts.js";
import { type LookupTables, readMessage } from "@trellis/solana/read-message.js";
import { parseWireTransaction } from "@trellis/solana/wire-transaction.js";
import Type, { type Static } from "typebox";
import { confirmForeignPasskeys, type HostNeeds, refuseForeignPasskeys } from "../accounts/foreign-passkeys.js";
import { memberName } from "../accounts/passkey-members.js";
import { obstacleCodes } from "../payees/obstacle.js";
import {
  type ActingAccount,
  approvalFields,
  getActingAccount,
  requirePermission,
  withApproval,
} from "../transactions/acting-account.js";
import { readKnownTokenAccounts } from "../transactions/coin-effects.js";
import { chooseFeePayer, feeFields } from "../transactions/fee-config.js";
import { refuseForbidden, refuseNamed, withoutComputeBudget } from "../transactions/forbidden-instructions.js";
import { foreignMemoWords, memoFields, parsePaymentMemo, refuseOwnMemo } from "../transactions/payment-memo.js";
import { toSequenceFields } from "../transactions/prepare-sequence.js";
import { confirmProgramAddress, trustOf } from "../transactions/require-payable.js";
import {
  accountsOfTransfer,
  buildTransfer,
  parseDestination,
  type Transfer,
} from "../transactions/transfer-instructions.js";
import { type NewContent, type NewMessages, requireUnits } from "./executable-content.js";
import { adminDecides, fitsAtOnce, type NewProposal, type OpenedProposal, prepareProposal } from "./open-proposal.js";
import { type OpenedBatch, prepareBatch } from "./prepare-batch.js";
import { type OpenedFromBuffer, prepareBuffered } from "./prepare-buffered.js";
import { BatchProgress, BufferUse, preparedProposalFields, toBufferUse } from "./prepared-fields.js";
import { parseRequestedActions, RequestedActions } from "./requested-actions.js";
import { simulateContent } from "./simulate-content.js";

const common = {
  signer: addressText({ description: "A signer with CAN_INITIATE, who creates the proposal." }),
  approve: Type.Optional(Type.Boolean({ description: "True: the signer approves it at once." })),
  ...approvalFields,
  ...feeFields,
};

const transferFields = {
  amount: amountText(),
  currency: Type.Optional(Type.String({ examples: ["usdc"] })),
  mint: Type.Optional(addressText({ description: "Instead of currency." })),
  destination: Type.Union(
    [
      addressText(),
      Type.Object(
        { address: addressText(), confirm_program_address: confirmProgramAddress, ...memoFields },
        { $id: "ProposedDestination" },
      ),
    ],
    { description: "An owner, or a token account of this currency." },
  ),
  ...memoFields,
};
const RequestedTransfer = Type.Object(transferFields, { $id: "ProposedTransfer" });

const Body = Type.Union([
  Type.Object(
    {
      type: Type.Literal("custom"),
      transaction: Type.Optional(
        wireTransactionText({ description: "What is to be executed; signatures are ignored." }),
      ),
      transactions: Type.Optional(
        Type.Array(wireTransactionText(), {
          minItems: 2,
          maxItems: limits.batchTransactionsMax,
          description: "Instead: several, voted on together and executed one after the other.",
        }),
      ),
      ...common,
    },
    {
      examples: [
        {
          type: "custom",
          signer: "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
          transaction: "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        },
      ],
    },
  ),
  Type.Object({
    type: Type.Literal("settings"),
    actions: RequestedActions,
    confirm_foreign_passkeys: confirmForeignPasskeys,
    ...common,
  }),
  Type.Object({ type: Type.Literal("transfer"), ...transferFields, ...common }),
  Type.Object({
    type: Type.Literal("transfers"),
    transfers: Type.Array(RequestedTransfer, {
      minItems: 2,
      maxItems: limits.batchTransactionsMax,
      description: "Voted on together and paid one after the other.",
    }),
    ...common,
  }),
]);
type Body = Static<typeof Body>;

/** Gap 36. */
export const createProposal = endpoint(
  {
    operation: "createProposal",
    summary: "Create a proposal",
    description:
      "Prepares the transactions, one except for a batch or what does not fit one, that store a transaction, a change of settings or a " +
      "transfer, or several, and open the vote on it. " +
      "The proposal exists when the result is submitted; to resume several that were interrupted, send the same request again. " +
      "A transfer may be funded later.",
    tag: "Proposals",
    method: "POST",
    path: "/api/service/v1/accounts/{address}/proposals",
    scope: "proposals:write",
    publishable: "session",
    environment: "optional",
    params: Type.Object({ address: addressText() }),
    body: Body,
    refusesNearMisses: true,
    refusesFields: foreignMemoWords,
    preparesOnly: true,
    agents: true,
    response: {
      status: 201,
      envelope: true,
      schema: Type.Object({
        proposalAddress: addressText(),
        transactionIndex: Type.Number(),
        signer: addressText(),
        ...preparedProposalFields,
        buffer: Type.Optional(BufferUse),
        batch: Type.Optional(BatchProgress),
      }),
    },
    errors: [
      "account_not_found",
      "invalid_transaction",
      "transaction_too_large",
      "insufficient_permissions",
      "passkey_session_required",
      "not_for_agents",
      "admin_required",
      "invalid_policies",
      "invalid_amount",
      ...obstacleCodes,
      "no_changes",
      "proposal_index_conflict",
      "rent_not_sponsored",
      "sponsorship_limit_exceeded",
      "transaction_failed",
      "unsupported_fee_config",
      "chain_unavailable",
    ],
  },
  async (needs: HostNeeds & { readonly random: Random }, { params, body, network, caller }) => {
    if (body.approve === true && caller.agent !== undefined) {
      throw new TrellisError("not_for_agents", {
        field: "approve",
        message: "An agent proposes and approves nothing.",
      });
    }
    const account = withApproval(await getActingAccount(needs.db, network, caller.tenantId, params.address), body);
    const creator = requirePermission(account, memberName(account, body.signer), CAN_INITIATE_BIT, "signer");
    if (body.approve === true) requirePermission(account, creator, CAN_VOTE_BIT, "approve");
    const feePayer = chooseFeePayer(network, body);
    const common = { account, creator, approvers: body.approve === true ? [creator] : [], feePayer };
    const content = await buildContent(needs, network, account, body);
    const { prepared, proposalAddress, transactionIndex, buffer, batch } = await open(needs, network, common, content);
    return {
      data: {
        proposalAddress,
        transactionIndex: Number(transactionIndex),
        signer: creator,
        ...toSequenceFields([prepared].flat()),
        ...(buffer ? { buffer: toBufferUse(buffer) } : {}),
        ...(batch ? { batch: { ...batch } } : {}),
      },
    };
  },
);

async function open(
  needs: { readonly db: Db; readonly random: Random },
  network: Network,
  common: Omit<NewProposal, "content">,
  content: NewContent | NewMessages,
): Promise<(OpenedProposal | OpenedBatch) & Partial<Pick<OpenedFromBuffer, "buffer" | "batch">>> {
  if (isSeveral(content)) return prepareBatch(needs, network, common, content);
  // What a change of settings takes is bounded by what its execution takes.
  if (content.kind === "settings" || fitsAtOnce(network, { ...common, content })) {
    return prepareProposal(needs, network, { ...common, content });
  }
  return prepareBuffered(needs, network, common, content);
}

const isSeveral = (content: NewContent | NewMessages): content is NewMessages => Array.isArray(content);

async function buildContent(
  needs: HostNeeds & { readonly random: Random },
  network: Network,
  account: ActingAccount,
  body: Body,
): Promise<NewContent | NewMessages> {
  switch (body.type) {
    case "custom": {
      refuseOwnMemo(body);
      const { transaction, transactions } = body;
      if ((transaction === undefined) === (transactions === undefined)) {
        throw new TrellisError("invalid_request", {
          field: "transaction",
          message: "Send either `transaction` or `transactions`.",
        });
      }
      if (transaction !== undefined) return buildCustom(network, account, transaction, "transaction");
      return Promise.all((transactions ?? []).map((one, i) => buildCustom(network, account, one, `transactions.${i}`)));
    }
    case "settings":
      refuseOwnMemo(body);
      if (account.settings.settingsAuthority !== null) throw adminDecides();
      return buildSettings(needs, network, account, body);
    case "transfer":
      return buildOneTransfer(needs.db, network, account, body);
    case "transfers":
      refuseOwnMemo(body, "Put it into the transfer that is to carry it.");
      return Promise.all(
        body.transfers.map((transfer, i) =>
          buildOneTransfer(needs.db, network, account, transfer).catch((error) => throwWithin(`transfers.${i}`, error)),
        ),
      );
  }
}

async function buildSettings(
  needs: HostNeeds & { readonly random: Random },
  network: Network,
  account: ActingAccount,
  { actions: requested, confirm_foreign_passkeys: isConfirmed }: Extract<Body, { type: "settings" }>,
): Promise<NewContent> {
  const { to, ...content } = await parseRequestedActions(network, needs.random, account, requested);
  const { settings, row } = account;
  const deciders = { ...to, settingsAuthority: settings.settingsAuthority };
  await refuseForeignPasskeys(needs, network, row.tenant_id, deciders, { from: settings, isConfirmed });
  return { kind: "settings", ...content };
}

async function buildOneTransfer(
  db: Db,
  network: Network,
  account: ActingAccount,
  body: Static<typeof RequestedTransfer>,
): Promise<NewMessages[number]> {
  const { address, confirm_program_address: isConfirmed } =
    typeof body.destination === "string" ? { address: body.destination } : body.destination;
  const transfer: Transfer = {
    from: account.address,
    to: parseDestination(address),
    currency: getCurrency(network, requireCurrency(body), body.mint === undefined ? "currency" : "mint"),
    amountBaseUnits: parseBaseUnits(body.amount, "amount"),
    memo: parsePaymentMemo({
      ...body,
      destination: typeof body.destination === "string" ? {} : body.destination,
    }),
    sponsor: null,
    trust: trustOf(db, network, isConfirmed, "destination.confirm_program_address"),
  };
  const accounts = await readAccounts(network, accountsOfTransfer(transfer), { leastSlot: account.slot });
  const { inside, owners } = await buildTransfer(network, transfer, accounts);
  return { kind: "transaction", message: wrap(account, inside), owners };
}

/** What is wrong with one of several is said of its own field. */
function throwWithin(place: string, error: unknown): never {
  if (!(error instanceof TrellisError)) throw error;
  const { code, message, cause } = error;
  const details = error.details.map((detail) =>
    detail.field === undefined ? detail : { ...detail, field: `${place}.${detail.field}` },
  );
  throw new TrellisError(code, { message, details, cause });
}

function requireCurrency({ currency, mint }: Static<typeof RequestedTransfer>): string {
  if (currency !== undefined && mint !== undefined) {
    throw new TrellisError("invalid_request", { field: "mint", message: "Name the currency or the mint, not both." });
  }
  const named = mint ?? currency;
  if (named !== undefined) return named;
  throw new TrellisError("invalid_request", { field: "currency", message: "Name the currency, or its mint." });
}

/** The caller's own transaction, by the same rules as where it is executed at once (gap 32). */
async function buildCustom(
  network: Network,
  account: ActingAccount,
  transaction: string,
  field: string,
): Promise<Extract<NewContent, { kind: "transaction" }>> {
  const wire = parseWireTransaction(transaction, field);
  const { instructions, addresses, lookupTables } = await readMessage(network, wire, { leastSlot: account.slot });
  refuseForbidden(instructions, network.serviceAddresses, account.settingsAddress, field);
  refuseNamed(addresses, network.serviceAddresses);
  // Execution asks for the most there is, whatever was asked for here.
  requestedHeapFrame(instructions, field);
  const inside = withoutComputeBudget(instructions);
  if (inside.length === 0) {
    throw new TrellisError("invalid_transaction", {
      field,
      message: "The transaction has no instructions.",
    });
  }
  const plain = wrap(account, inside);
  const shorter = wrap(account, inside, lookupTables);
  const isShorter = encodeWrappedMessage(shorter).length < encodeWrappedMessage(plain).length;
  const message = isShorter ? shorter : plain;
  const [owners, simulation] = await Promise.all([
    readKnownTokenAccounts(network, inside),
    simulateContent(
      network,
      account.settingsAddress,
      { kind: "transaction", accountIndex: 0, ephemeralSignerCount: 0, message },
      isShorter ? lookupTables : {},
    ),
  ]);
  requireUnits(simulation);
  return { kind: "transaction", message, owners, ...(isShorter ? { lookupTables } : {}) };
}

function wrap(account: ActingAccount, inside: readonly Instruction[], lookupTables?: LookupTables): WrappedMessage {
  try {
    return compileWrappedMessage(account.address, inside, lookupTables);
  } catch (cause) {
    if (!(cause instanceof WrappedMessageError)) throw cause;
    throw new TrellisError("invalid_transaction", {
      field: "transaction",
      message: `The account cannot store this: ${cause.message}.`,
      cause,
    });
  }
}
