// The floor of GET account: plain Fastify in front of the one query, on the same database.
import Fastify from "fastify";
import pg from "pg";

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL ?? "", max: 16 });
const app = Fastify();
app.get("/readyz", async () => ({ status: "ready" }));
app.get<{ Params: { address: string } }>("/accounts/:address", async ({ params }) => {
  const { rows } = await pool.query(
    "select * from account where environment = $1 and address = $2 and tenant_id = $3",
    ["sandbox", params.address, "default"],
  );
  return { data: rows[0] };
});
// The floor of a page of proposals: the query of the list alone, with its columns unchanged.
app.get<{ Params: { settings: string }; Querystring: { status: string; limit: string } }>(
  "/settings/:settings/proposals",
  async ({ params, query }) => {
    const { rows } = await pool.query({
      name: "proposals",
      text: `select proposal_address, status, status_timestamp, approved, rejected, cancelled, settings_address,
          transaction_index, kind, chain_status, creator, opened_at, last_modified_signature, last_modified_at,
          reclaimed_lamports
        from proposal where environment = $1 and settings_address = $2 and status = $3 and transaction_index < $4
        order by transaction_index desc limit $5`,
      values: ["sandbox", params.settings, query.status, "9223372036854775807", query.limit],
    });
    return { data: rows };
  },
);
process.on("SIGTERM", () => process.exit(0));
await app.listen({ port: Number(process.env.PORT), host: "127.0.0.1" });
