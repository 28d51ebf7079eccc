import { environmentNames } from "@trellis/kernel/ports/environment.js";
import Type, { type Static } from "typebox";

const instant = (description: string) => Type.Optional(Type.String({ format: "date-time", description }));
const count = (description: string) => Type.Integer({ minimum: 0, description });

const Database = Type.Object({
  kind: Type.Enum(["embedded", "postgresql"]),
  answers: Type.Boolean(),
  server_version: Type.Optional(Type.String({ examples: ["17.5"] })),
  migration: Type.Optional(Type.String({ description: "The newest one that its tables have." })),
  faults: Type.Optional(
    Type.Array(Type.Object({ setting: Type.String(), value: Type.String(), message: Type.String() }), {
      description: "Settings of the server that an operator should change.",
    }),
  ),
  connections: Type.Array(
    Type.Object({
      pool: Type.Enum(["requests", "background"]),
      max: count("Opened at most."),
      in_use: count("Connections."),
      idle: count("Connections."),
      waiting: count("Statements that wait for one."),
    }),
    { description: "Of this process. Empty: the database is embedded." },
  ),
});

const Node = Type.Object({
  number: Type.Integer({ minimum: 1, description: "Its place in the configuration." }),
  origin: Type.String({ description: "Without user, path and query.", examples: ["https://rpc.example.net"] }),
  standing: Type.Enum(["agrees", "behind", "outvoted", "foreign", "unseen", "silent"], {
    description:
      "`agrees`: it is asked. `foreign`: of another cluster. `unseen`: it has never answered. `silent`: it fails at present. The others: " +
      "its height is not that of the rest.",
  }),
  answers: Type.Boolean({ description: "Whether it said its height at the latest comparison." }),
  block_height: Type.Optional(count("What it said.")),
  blocks_behind: Type.Optional(count("Behind the highest of the others.")),
  compared_at: instant("When it was asked."),
});

const Environment = Type.Object({
  environment: Type.Enum([...environmentNames]),
  ok: Type.Boolean({ description: "Whether its chain answers." }),
  poor: Type.Boolean({ description: "Its fee payer cannot pay fees at present." }),
  message: Type.Optional(Type.String()),
  fee_payer: Type.String(),
  nodes: Type.Array(Node, { description: "Empty: the sandbox." }),
  websocket: Type.Enum(["none", "idle", "connected", "lost"], {
    description: "`none`: none is configured. `idle`: nothing wants reports at present.",
  }),
  queues: Type.Optional(
    Type.Object(
      {
        submissions_open: count("Without an outcome."),
        creations_open: count("Account creations without an outcome."),
        mails_queued: count("Not handed to the mail server yet."),
        webhook_endpoints_due: count("To which something is to be sent now."),
        standing_orders_due: count("To be read or paid now."),
      },
      { description: "Counted up to 5,000 each." },
    ),
  ),
});

const Pass = Type.Object({
  pass: Type.String({ examples: ["settle_submissions"] }),
  environment: Type.Enum([...environmentNames, "all"]),
  every_seconds: Type.Number({ minimum: 0 }),
  next_run_at: Type.String({ format: "date-time" }),
  last_run_at: instant("When its latest run ended, well or not."),
  last_run_ok: Type.Optional(Type.Boolean()),
  last_duration_ms: Type.Optional(Type.Integer({ minimum: 0 })),
  last_success_at: instant("When a run last ended well."),
});

/** How the service is, as the process that answers sees it. */
export const ServiceStatus = Type.Object(
  {
    version: Type.String({ examples: ["0.1.0"] }),
    started_at: Type.String({ format: "date-time" }),
    uptime_seconds: Type.Integer({ minimum: 0 }),
    database: Database,
    environments: Type.Array(Environment),
    event_deliveries_pending: Type.Optional(count("Counted up to 5,000.")),
    passes: Type.Array(Pass, { description: "Of the process that answers. Each process has all of them." }),
    mail: Type.Enum(["smtp", "none"], { description: "`none`: no mail server is configured." }),
    custodian_log_faults: Type.Array(Type.String(), {
      description: "Custodians whose log is not what it was.",
    }),
    unread: Type.Array(Type.String(), {
      description: "Parts that could not be read within two seconds. Their fields are absent, or older.",
      examples: [["devnet.health"]],
    }),
  },
  { $id: "ServiceStatus" },
);
export type ServiceStatus = Static<typeof ServiceStatus>;
