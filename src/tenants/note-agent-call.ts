import type { Caller } from "@trellis/kernel/endpoint.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import { actorOf, asActor, recordEntry } from "../audit/actor.js";

/** What an agent calls, as the audit log has it. */
export interface AgentCall {
  /** Of the contract. Absent: a tool that calls nothing. */
  readonly operation?: string;
  /** The tool of the agent's MCP server that makes the call, according to that. */
  readonly tool?: string;
  /** The account in the path. */
  readonly account?: string;
  readonly environment?: EnvironmentName;
  /** The code of the error where the agent may not call it. */
  readonly refused?: string;
}

/** Writes into the audit log that an agent calls something (gap 231). It is there when this resolves. */
export function noteAgentCall(db: Db, caller: Caller, { environment, ...details }: AgentCall): Promise<void> {
  return asActor(db, actorOf(caller), (trx) =>
    recordEntry(trx, {
      tenantId: caller.tenantId,
      ...(environment === undefined ? {} : { environment }),
      kind: "agent.called",
      subject: actorOf(caller),
      details: { agent: caller.agent, ...details },
    }),
  );
}
