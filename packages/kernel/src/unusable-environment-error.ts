import type { EnvironmentName } from "./ports/environment.js";

/** An environment that cannot be used as it is configured. The message is for the operator and holds no secret. */
export class UnusableEnvironmentError extends Error {
  override readonly name = "UnusableEnvironmentError";
  constructor(
    readonly environment: EnvironmentName,
    readonly reason: string,
  ) {
    super(`The environment ${environment} cannot be used: ${reason}`);
  }
}
