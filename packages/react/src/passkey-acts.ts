import type { CredentialsApi, Passkey, TrellisClient, TrellisSession } from "@trellis/sdk";
import { type ExplainedError, explainError } from "./explain-error.js";
import { createValue, type Value } from "./value.js";

/** What a user does about passkeys. */
export type PasskeyAction = "add" | "rename" | "remove" | "require";

/** Where the last thing that was done about passkeys stands. */
export type PasskeyState =
  | { readonly status: "idle" }
  | { readonly status: "acting"; readonly action: PasskeyAction }
  | { readonly status: "done"; readonly action: PasskeyAction }
  | { readonly status: "refused"; readonly action: PasskeyAction; readonly error: ExplainedError };

/** What the user of an account does about its passkeys: one thing at a time; none rejects. */
export type PasskeyActs = Value<PasskeyState> & {
  readonly add: (name: string) => Promise<PasskeyState>;
  readonly rename: (id: string, name: string) => Promise<PasskeyState>;
  readonly remove: (passkey: Passkey) => Promise<PasskeyState>;
  readonly setRequired: (required: boolean) => Promise<PasskeyState>;
};

export function createPasskeyActs(needs: {
  readonly client: Pick<TrellisClient, "accounts" | "passkeys">;
  readonly account: string;
  readonly as: <Answer>(act: (session: TrellisSession) => Promise<Answer>) => Promise<Answer>;
  readonly credentials: CredentialsApi | undefined;
  readonly onDone: () => void;
}): PasskeyActs {
  const { client, account, as } = needs;
  const state = createValue<PasskeyState>({ status: "idle" });
  const asked = needs.credentials && { credentials: needs.credentials };
  let running: Promise<PasskeyState> | undefined;

  const run = async (action: PasskeyAction, doIt: (session: TrellisSession) => Promise<unknown>) => {
    state.set({ status: "acting", action });
    let end: PasskeyState;
    try {
      await as(doIt);
      end = { status: "done", action };
      needs.onDone();
    } catch (thrown) {
      end = { status: "refused", action, error: explainError(thrown) };
    }
    state.set(end);
    running = undefined;
    return end;
  };
  /** A second click is answered the first one's end. */
  const once = (action: PasskeyAction, doIt: (session: TrellisSession) => Promise<unknown>): Promise<PasskeyState> => {
    running ??= run(action, doIt);
    return running;
  };

  const passkeySigner = async () => ({ passkeys: { passkeys: await client.passkeys.list(account), ...asked } });
  /** A session signs, unless the user signs in with a passkey beside the code: then a passkey has to. */
  const authority = async (session: TrellisSession) => {
    const { passkey_required } = await client.accounts.get(account);
    return passkey_required === true ? passkeySigner() : { session };
  };

  return {
    get: state.get,
    subscribe: state.subscribe,
    add: (name) =>
      once("add", async (session) => client.passkeys.add({ account, name, ...(await authority(session)), ...asked })),
    rename: (id, name) => once("rename", () => client.passkeys.rename(account, id, name)),
    remove: (passkey) =>
      once("remove", async (session) => client.passkeys.remove({ account, passkey, ...(await authority(session)) })),
    setRequired: (required) =>
      once("require", async () => client.passkeys.setRequirement({ account, required, ...(await passkeySigner()) })),
  };
}
