/** Whether anybody looks at the application: polling rests while nobody does. */
export type Visibility = {
  readonly isVisible: () => boolean;
  /** Calls the listener at every change; the answer ends that. */
  readonly subscribe: (listener: () => void) => () => void;
};
