import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { environmentNames } from "@trellis/kernel/ports/environment.js";
import type { DailyBudgets, Network } from "@trellis/kernel/ports/network.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import { askChain } from "@trellis/solana/ask-chain.js";
import Type, { type Static } from "typebox";
import { budgetDay, readBudgets, startOfDay, type UsedBudgets } from "./sponsorship.js";

/** Of which the mean of a day is taken, today included. */
const daysLookedBack = 7;

const lamportsText = (description: string) => Type.String({ pattern: "^[0-9]+$", description, examples: ["5000000"] });

const Budget = Type.Object(
  {
    of: Type.Enum(["tenant", "service"], {
      description: "`service`: all tenants together; for keys with admin:tenants.",
    }),
    pays: Type.Enum(["fees", "openings"], {
      description: "Fees, and rent that returns; or rent that others can cash in.",
    }),
    limit: lamportsText("Lamports a day."),
    used: lamportsText("Today."),
    left: lamportsText("What is left today."),
  },
  { $id: "Budget" },
);

const Budgets = Type.Object(
  {
    environment: Type.Enum([...environmentNames]),
    fee_payer: Type.Object({
      address: addressText(),
      lamports: Type.Union([lamportsText("What it holds."), Type.Null()], {
        description: "Null: the chain does not answer.",
      }),
      spent_per_day: lamportsText("The mean of the last 7 days, of all tenants."),
      days_left: Type.Union([Type.Number(), Type.Null()], {
        description: "For how long it lasts so. Null: nothing was spent, or the chain does not answer.",
      }),
    }),
    per_transaction: lamportsText("What one transaction may cost at most."),
    per_account_per_day: lamportsText("What is paid for one account on a day."),
    budgets: Type.Array(Budget),
    resets_at: Type.String({ format: "date-time", description: "When the day ends, in real time." }),
  },
  { $id: "Budgets" },
);

/** Gap 214. */
export const getBudgets = endpoint(
  {
    operation: "getBudgets",
    summary: "Read the budgets of sponsorship",
    description: "What the service still pays for this tenant today, and for how long its fee payer lasts.",
    tag: "Operations",
    method: "GET",
    path: "/api/service/v1/budgets",
    scope: "accounts:read",
    environment: "optional",
    response: { status: 200, envelope: true, schema: Budgets },
    errors: [],
  },
  async ({ db, realClock }: { readonly db: Db; readonly realClock: Clock }, { network, caller }) => {
    const today = budgetDay(realClock.now());
    const [lamports, used] = await Promise.all([
      balanceOf(network),
      readBudgets(db, network.name, caller.tenantId, { today, from: today - daysLookedBack + 1 }),
    ]);
    const perDay = used.spent / BigInt(Math.min(daysLookedBack, today - (used.firstDay ?? today) + 1));
    const { sponsorship } = network;
    const row = (of: "tenant" | "service", pays: "fees" | "openings", limits: DailyBudgets) =>
      budgetOf(of, pays, of === "tenant" ? limits.perTenantPerDay : limits.perDay, used);
    const isOperator = caller.scopes.has("admin:tenants");
    return {
      data: {
        environment: network.name,
        fee_payer: {
          address: network.feePayer.address,
          lamports: lamports === null ? null : String(lamports),
          spent_per_day: String(perDay),
          days_left: lamports === null || perDay === 0n ? null : Math.floor(Number((lamports * 10n) / perDay)) / 10,
        },
        per_transaction: String(sponsorship.perTransaction),
        per_account_per_day: String(sponsorship.perAccountPerDay),
        budgets: (isOperator ? (["tenant", "service"] as const) : (["tenant"] as const)).flatMap((of) => [
          row(of, "fees", sponsorship),
          row(of, "openings", sponsorship.openings),
        ]),
        resets_at: new Date(startOfDay(today + 1)).toISOString(),
      },
    };
  },
);

function budgetOf(
  of: "tenant" | "service",
  pays: "fees" | "openings",
  limit: bigint,
  used: UsedBudgets,
): Static<typeof Budget> {
  const lamports = used[of][pays];
  return {
    of,
    pays,
    limit: String(limit),
    used: String(lamports),
    // A share that is reserved for a tenant may go beyond what all have.
    left: String(lamports < limit ? limit - lamports : 0n),
  };
}

/** Lamports of the fee payer; null where the chain does not answer. */
async function balanceOf(network: Network): Promise<bigint | null> {
  try {
    const { value } = await askChain(network.rpc.getBalance(network.feePayer.address, { commitment: "confirmed" }));
    return value;
  } catch (error) {
    if (error instanceof TrellisError && error.code === "chain_unavailable") return null;
    throw error;
  }
}
