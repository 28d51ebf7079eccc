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
process.on("SIGTERM", () => process.exit(0));
await app.listen({ port: Number(process.env.PORT), host: "127.0.0.1" });
