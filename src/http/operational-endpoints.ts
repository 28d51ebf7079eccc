import { type Contract, type Endpoint, endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import Type from "typebox";

/** The state of one thing the service stands on. */
interface ReadinessCheck {
  readonly ok: boolean;
  /** True: it works, but has no money for what costs a fee. */
  readonly poor?: boolean;
  /** For people; no secrets, no addresses of machines: anybody may read it. */
  readonly message?: string;
}

/** Whether the service can do its work. */
export interface Readiness {
  /** False: another instance may do better, so requests should not be sent here. */
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, ReadinessCheck>>;
}

export const healthContract = {
  operation: "getHealth",
  summary: "Check whether the process is alive",
  description: "Answers as long as the process can answer at all. For restarts, not for routing.",
  tag: "Operations",
  method: "GET",
  path: "/healthz",
  scope: null,
  environment: "none",
  response: {
    status: 200,
    envelope: false,
    schema: Type.Object({ status: Type.Literal("ok"), version: Type.String({ examples: ["0.1.0"] }) }),
  },
  errors: [],
} as const satisfies Contract;

export const readinessContract = {
  operation: "getReadiness",
  summary: "Check whether the service can work",
  description:
    "Asks the database and every configured environment. For routing: 503 takes an instance out, because its database or " +
    "all of its environments do not answer. `degraded` says that something wants an operator, and that routing elsewhere " +
    "would not help: one of several environments does not answer, or has no money left for fees, or the log of a custodian " +
    "is not what it was.",
  tag: "Operations",
  method: "GET",
  path: "/readyz",
  scope: null,
  environment: "none",
  response: {
    status: 200,
    envelope: false,
    schema: Type.Object({
      status: Type.Union([Type.Literal("ready"), Type.Literal("degraded")]),
      checks: Type.Record(
        Type.String(),
        Type.Object({
          ok: Type.Boolean(),
          poor: Type.Optional(Type.Boolean({ description: "It answers, but cannot pay fees at present." })),
          message: Type.Optional(Type.String()),
        }),
      ),
    }),
  },
  errors: ["service_unavailable"],
} as const satisfies Contract;

/** The document that describes every operation; it is a file of the site. */
export const openApiContract = {
  operation: "getOpenApi",
  summary: "Read this description",
  description: "This OpenAPI document, for generators and people; `/docs` shows it as a page.",
  tag: "Operations",
  method: "GET",
  path: "/openapi.json",
  scope: null,
  environment: "none",
  response: {
    status: 200,
    envelope: false,
    schema: Type.Object({ openapi: Type.String({ examples: ["3.1.0"] }) }, { additionalProperties: true }),
  },
  errors: [],
} as const satisfies Contract;

/** What every server has besides its endpoints. */
export const operationalContracts: readonly Contract[] = [healthContract, readinessContract, openApiContract];

/** `GET /healthz` and `GET /readyz`, for whatever monitors the process. */
export function operationalEndpoints(
  version: string,
  readiness: () => Promise<Readiness>,
): readonly Endpoint<unknown>[] {
  return [
    endpoint(healthContract, async () => ({ data: { status: "ok" as const, version } })),
    endpoint(readinessContract, async () => {
      const { ready, checks } = await readiness();
      const isFine = Object.values(checks).every(({ ok, poor }) => ok && poor !== true);
      if (ready)
        return { data: { status: isFine ? ("ready" as const) : ("degraded" as const), checks: { ...checks } } };
      const details = Object.entries(checks)
        .filter(([, check]) => !check.ok)
        .map(([name, check]) => ({
          field: name,
          code: "service_unavailable",
          message: check.message ?? `${name} is not ready.`,
        }));
      throw new TrellisError("service_unavailable", details.length > 0 ? { details } : {});
    }),
  ];
}
