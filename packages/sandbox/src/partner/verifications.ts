import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { DbOrTrx, SimulatedVerificationTable } from "@trellis/kernel/ports/database.js";
import type {
  HostedPages,
  PartnerAnswer,
  PartnerRef,
  RailsPartner,
  RailsSimulator,
  Refusal,
  Verification,
  VerificationStatus,
} from "@trellis/kernel/ports/rails.js";
import { type Selectable, sql } from "kysely";
import { reportNews } from "./news.js";
import { makePageToken, readPageToken } from "./page-tokens.js";
import type { SimulatorParts } from "./parts.js";

type Row = Selectable<SimulatedVerificationTable>;

/** How long a reviewer takes to check documents, where things take time. */
const reviewMs = 120_000;

/** What the sealed column of a row is bound to. */
export const simulatedRedirectContext = (ref: string): string => `simulated_verification/${ref}`;

/** The part of the simulated partner that checks people. */
export interface SimulatedVerifications {
  readonly partner: Pick<RailsPartner, "startVerification" | "readVerification">;
  readonly simulator: Pick<RailsSimulator, "setVerification" | "pages">;
  /** Decides what is due by the environment's clock. */
  play(): Promise<void>;
}

/** What a customer may use; null: there is no such customer. */
export async function findSimulatedCustomer(
  db: DbOrTrx,
  customer: string,
): Promise<Pick<Verification, "status" | "terms" | "endorsements"> | null> {
  const row = await db
    .selectFrom("simulated_verification")
    .selectAll()
    .where("customer_ref", "=", customer)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { status, terms } = row as Pick<Verification, "status" | "terms">;
  return { status, terms, endorsements: endorsementsOf(row) };
}

/** Makes it. */
export function createSimulatedVerifications(parts: SimulatorParts): SimulatedVerifications {
  const { db, keyring, random, network, pace, baseUrl } = parts;
  const now = () => Math.floor(network.clock.now());

  const show = (row: Row): Verification => {
    const link = (kind: "verification" | "terms") =>
      `${baseUrl()}/sandbox/pages/${makePageToken(keyring, { kind, ref: row.ref }, now())}`;
    const isLeft = row.status !== "approved" && row.status !== "under_review";
    return {
      ref: row.ref as PartnerRef,
      customer: row.customer_ref as PartnerRef,
      status: row.status as VerificationStatus,
      terms: row.terms as "pending" | "approved",
      verificationUrl: isLeft ? link("verification") : null,
      termsUrl: row.terms === "approved" ? null : link("terms"),
      rejections: JSON.parse(row.rejections),
      due: row.status === "not_started" || row.status === "incomplete" ? ["id_verification"] : [],
      endorsements: endorsementsOf(row),
    };
  };
  const find = (ref: string): Promise<Row | undefined> =>
    db.selectFrom("simulated_verification").selectAll().where("ref", "=", ref).executeTakeFirst();

  /** Changes a row, and reports it, together. */
  const change = async (ref: string, set: (row: Row) => Partial<Row>, only?: (row: Row) => boolean) => {
    await db.transaction().execute(async (trx) => {
      const row = await trx
        .selectFrom("simulated_verification")
        .selectAll()
        .where("ref", "=", ref)
        .forUpdate()
        .executeTakeFirst();
      if (row === undefined || only?.(row) === false) return;
      const at = now();
      await trx
        .updateTable("simulated_verification")
        .set({ ...set(row), updated_at: BigInt(at) })
        .where("ref", "=", ref)
        .execute();
      await reportNews(trx, network.name, [{ eventId: random.uuid(), kind: "verification", ref, at }]);
    });
  };

  const pages: HostedPages = {
    open: async (token) => {
      const target = readPageToken(keyring, token, network.clock.now());
      const row = target === null ? undefined : await find(target.ref);
      if (target === null || row === undefined) return null;
      const { verificationUrl: _link, ...view } = show(row);
      return { kind: target.kind, status: view.status, terms: view.terms, redirectUri: redirectOf(keyring, row) };
    },
    choose: async (token, outcome) => {
      const target = readPageToken(keyring, token, network.clock.now());
      if (target === null) return null;
      if (target.kind === "terms") {
        if (outcome === "approved") await change(target.ref, () => ({ terms: "approved" }));
      } else if (outcome !== "not_started") {
        // What was decided meanwhile, by the caller that controls it, is not undone by an old page.
        await change(
          target.ref,
          () => decide(outcome),
          ({ status }) => status !== "approved",
        );
      }
      return pages.open(token);
    },
  };
  const decide = (outcome: VerificationStatus): Partial<Row> => {
    const isDecision = outcome === "approved" || outcome === "rejected";
    if (pace === "realistic" && isDecision) {
      return { status: "under_review", rejections: "[]", due_at: BigInt(now() + reviewMs), due_status: outcome };
    }
    return { status: outcome, rejections: rejectionsOf(outcome), due_at: null, due_status: null };
  };

  return {
    partner: {
      startVerification: async (request) => {
        const emailKey = createHmac("sha256", keyring.deriveSecret("sandbox-rails-email"))
          .update(request.email)
          .digest();
        const ref = random.uuid();
        const at = now();
        const wanted = Object.fromEntries(request.endorsements.map((name) => [name, "wanted"]));
        const redirect =
          request.redirectUri === undefined
            ? null
            : keyring.wrap(Buffer.from(request.redirectUri), simulatedRedirectContext(ref));
        const { rows } = await sql<Row>`
          insert into simulated_verification as known (ref, owner, email_key, type, customer_ref, status, terms,
            endorsements, redirect_uri, created_at, updated_at)
          values (${ref}, ${request.owner}, ${new Uint8Array(emailKey)}, ${request.type}, ${random.uuid()}, 'not_started',
            'pending', ${JSON.stringify(wanted)}, ${redirect}::bytea, ${at}, ${at})
          on conflict (owner, email_key) do update
            set endorsements = (excluded.endorsements::jsonb || known.endorsements::jsonb)::text
          returning known.*`.execute(db);
        const row = rows[0] as Row;
        if (row.type !== request.type) return refuse("invalid_details", `this address is known as ${row.type}`, "type");
        return { ok: true, value: show(row) };
      },
      readVerification: async (ref) => {
        const row = await find(ref);
        return row === undefined ? refuse("not_found", "no such verification") : { ok: true, value: show(row) };
      },
    },
    simulator: {
      setVerification: async (ref, { status, terms, rejections, revoke = [] }) => {
        await change(ref, (row) => {
          const known = JSON.parse(row.endorsements) as Record<string, string>;
          const names = [...new Set([...Object.keys(known), ...revoke])];
          return {
            status,
            terms: terms ?? (status === "approved" ? "approved" : row.terms),
            rejections: status === "rejected" ? JSON.stringify(rejections ?? JSON.parse(rejectionsOf(status))) : "[]",
            endorsements: JSON.stringify(
              Object.fromEntries(
                names.map((name) => [
                  name,
                  revoke.includes(name) ? "revoked" : status === "approved" ? "wanted" : (known[name] ?? "wanted"),
                ]),
              ),
            ),
            due_at: null,
            due_status: null,
          };
        });
      },
      pages,
    },
    play: async () => {
      const due = await db
        .selectFrom("simulated_verification")
        .select(["ref"])
        .where("due_at", "<=", BigInt(now()))
        .orderBy("due_at")
        .limit(100)
        .execute();
      for (const { ref } of due) {
        await change(
          ref,
          ({ due_status }) => ({
            status: due_status as string,
            rejections: rejectionsOf(due_status as string),
            due_at: null,
            due_status: null,
          }),
          ({ due_at }) => due_at !== null && Number(due_at) <= now(),
        );
      }
    },
  };
}

const rejectionsOf = (status: string): string =>
  status === "rejected"
    ? JSON.stringify([{ code: "simulated", message: "The sandbox was asked to reject this verification." }])
    : "[]";

function endorsementsOf({ endorsements, status, terms }: Row): Verification["endorsements"] {
  const isApproved = status === "approved" && terms === "approved";
  const names = Object.entries(JSON.parse(endorsements) as Record<string, string>);
  return Object.fromEntries(
    names.map(([name, word]) => [name, word === "revoked" ? "revoked" : isApproved ? "approved" : "incomplete"]),
  );
}

function redirectOf(keyring: Keyring, { ref, redirect_uri }: Row): string | null {
  if (redirect_uri === null) return null;
  return Buffer.from(keyring.unwrap(redirect_uri, simulatedRedirectContext(ref))).toString("utf8");
}

function refuse(reason: Refusal["reason"], forOperator: string, field?: string): PartnerAnswer<never> {
  return { ok: false, refused: { reason, forOperator, ...(field === undefined ? {} : { field }) } };
}
