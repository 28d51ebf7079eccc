import type { TrellisClient } from "@trellis/sdk";
import type { Static, TObject } from "typebox";
import type { Agent } from "./agent.js";

/** What the call of a tool is given. */
export interface ToolCall<Input> {
  readonly agent: Agent;
  readonly client: TrellisClient;
  readonly input: Input;
}

/** A tool as data: what an agent may ask for, and what is done. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: TObject;
  /** False: it moves money, or makes something that takes effect by others' approvals. */
  readonly isRead: boolean;
  /** True: it is there only where the agent's host holds a key. */
  readonly needsKey?: boolean;
  /** Data of the service, or a text of ours. */
  readonly run: (call: ToolCall<never>) => Promise<{ readonly data: unknown } | { readonly text: string }>;
}

/** Ties the input's schema to the function that takes it. */
export function tool<Input extends TObject>(
  given: Omit<Tool, "input" | "run"> & {
    readonly input: Input;
    readonly run: (call: ToolCall<Static<Input>>) => ReturnType<Tool["run"]>;
  },
): Tool {
  return given as unknown as Tool;
}

/** What an agent asked for cannot be done as it asked. */
export class ToolRefusal extends Error {
  override readonly name = "ToolRefusal";

  constructor(
    readonly code: string,
    message: string,
    readonly facts: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}
