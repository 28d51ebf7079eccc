import { sql } from "kysely";
import Type, { type Static } from "typebox";
import { getCurrency } from "../../core/chain/currency.js";
import { parseBaseUnits } from "../../core/money.js";
import { endpoint } from "../../endpoint.js";
import { TrellisError } from "../../errors.js";
import type { Db } from "../../ports/database.js";
import type { Currency } from "../../ports/network.js";
import type { Random } from "../../ports/random.js";
import { getActingAccountAnd } from "../transactions/acting-account.js";
import { chooseSigners } from "../transactions/choose-signers.js";
import { chooseFeePayer, feeFields } from "../transactions/fee-config.js";
import { prepareSynchronous } from "../transactions/prepare-synchronous.js";
import { preparedFields, toPreparedFields } from "../transactions/prepared-transaction.js";
import { rentSponsorOf } from "../transactions/rent-sponsor.js";
import { accountsOfTransfer, buildTransfer, parseDestination } from "../transactions/transfer-instructions.js";

const Source = Type.Object({
  account: Type.String({ description: "The smart account of the path." }),
  currency: Type.String({ examples: ["usdc"] }),
});

const Destination = Type.Object({
  address: Type.Optional(Type.String({ description: "An owner, or a token account of this currency." })),
  currency: Type.Optional(Type.String({ examples: ["usdc"] })),
  payment_rail: Type.Optional(Type.String()),
});

type Destination = Static<typeof Destination>;

/** A payment from the smart account to an address on chain (gap 33). */
export const preparePayment = endpoint(
  {
    operation: "preparePayment",
    summary: "Prepare a payment",
    description:
      "Prepares a transfer of SOL or of a token. The answer holds the transaction and what is to be signed; the payment " +
      "happens when the result is submitted.",
    tag: "Payments",
    method: "POST",
    path: "/api/service/v1/accounts/{address}/payment-intent",
    scope: "payments:write",
    environment: "optional",
    params: Type.Object({ address: Type.String() }),
    body: Type.Object({
      amount: Type.String({ description: "Base units, as a decimal string.", examples: ["1000000"] }),
      source: Source,
      destination: Destination,
      grid_user_id: Type.Optional(Type.String()),
      webhook_url: Type.Optional(Type.String()),
      transaction_signers: Type.Optional(Type.Array(Type.String(), { maxItems: 10 })),
      provider: Type.Optional(Type.String()),
      ...feeFields,
    }),
    refusesNearMisses: true,
    preparesOnly: true,
    response: {
      status: 201,
      envelope: true,
      schema: Type.Object({
        id: Type.String(),
        state: Type.String({ examples: ["awaiting_funds"] }),
        amount: Type.String(),
        currency: Type.String(),
        source: Source,
        destination: Type.Object({ address: Type.String(), currency: Type.String() }),
        created_at: Type.String({ format: "date-time" }),
        updated_at: Type.String({ format: "date-time" }),
        ...preparedFields,
      }),
    },
    errors: [
      "account_not_found",
      "invalid_amount",
      "invalid_address",
      "unsupported_currency",
      "rail_not_available",
      "insufficient_balance",
      "rent_not_sponsored",
      "insufficient_permissions",
      "proposal_required",
      "forbidden_account",
      "unsupported_fee_config",
      "transaction_failed",
      "chain_unavailable",
    ],
  },
  async (needs: { db: Db; random: Random }, { params, body, network, caller }) => {
    const amountBaseUnits = parseBaseUnits(body.amount, "amount");
    const amount = amountBaseUnits.toString();
    if (body.source.account !== params.address) {
      throw new TrellisError("invalid_request", {
        field: "source.account",
        message: "source.account must be the account of the path.",
      });
    }
    const currency = getCurrency(network, body.source.currency, "source.currency");
    const to = parseDestination(requireAddress(body.destination));
    requireSameCurrency(currency, body.destination, (text) => getCurrency(network, text, "destination.currency"));
    const { account, others } = await getActingAccountAnd(needs.db, network, caller.tenantId, params.address, (from) =>
      accountsOfTransfer({ from, to, currency }),
    );
    const members = chooseSigners(account, { named: body.transaction_signers, provider: body.provider });
    const feePayer = chooseFeePayer(network, body);
    const sponsor = rentSponsorOf(needs.db, network, account.row.address, feePayer);
    const transfer = { from: account.address, to, currency, amountBaseUnits, sponsor };
    const intent = {
      id: needs.random.uuid(),
      source: { account: account.address, currency: currency.symbol },
      destination: { address: to, currency: currency.symbol },
    };
    const { owners, ...instructions } = await buildTransfer(network, transfer, others);
    const prepared = await prepareSynchronous(
      needs,
      network,
      {
        kind: "payment",
        account,
        members,
        feePayer,
        ...instructions,
        facts: { owners },
      },
      ({ createdAt }) => sql`
        insert into payment_intent (id, tenant_id, environment, account_address, prepared_id, amount, currency, source,
          destination, created_at)
        select ${intent.id}::text, ${caller.tenantId}::text, ${network.name}::text, ${account.row.address}::text,
          remembered.id, ${amount}::text, ${currency.symbol}::text, ${JSON.stringify(intent.source)}::text,
          ${JSON.stringify(intent.destination)}::text, ${createdAt}::int8
        from remembered`,
    );
    const createdAt = new Date(prepared.createdAt).toISOString();
    return {
      data: {
        ...intent,
        state: "awaiting_funds",
        amount,
        currency: currency.symbol,
        created_at: createdAt,
        updated_at: createdAt,
        ...toPreparedFields(prepared),
      },
    };
  },
);

function requireAddress({ address, payment_rail: rail }: Destination): string {
  if (rail !== undefined && rail !== "solana") {
    throw new TrellisError("rail_not_available", {
      field: "destination.payment_rail",
      message: `The rail ${rail} is not available here.`,
    });
  }
  if (address === undefined) {
    throw new TrellisError("rail_not_available", {
      field: "destination.address",
      message: "Only destinations on chain can be paid here: give destination.address.",
    });
  }
  return address;
}

function requireSameCurrency(source: Currency, { currency }: Destination, get: (text: string) => Currency): void {
  if (currency === undefined || get(currency).mint === source.mint) return;
  throw new TrellisError("unsupported_currency", {
    field: "destination.currency",
    message: "Currencies are not converted: the destination's currency must be the source's.",
  });
}
