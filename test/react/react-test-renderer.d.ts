/** What the tests use of it; the package has no types. */
declare module "react-test-renderer" {
  import type { ReactNode } from "react";
  export function act<Answer>(doing: () => Answer | Promise<Answer>): Promise<Answer>;
  export interface ReactTestInstance {
    readonly type: unknown;
    readonly props: Readonly<Record<string, never>>;
    readonly children: readonly (ReactTestInstance | string)[];
    findByType(type: unknown): ReactTestInstance;
  }
  export interface ReactTestRenderer {
    readonly root: ReactTestInstance;
    update(element: ReactNode): void;
    unmount(): void;
  }
  export function create(element: ReactNode): ReactTestRenderer;
}
