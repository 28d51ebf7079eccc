/** A section of the documentation, as `/docs/search.json` lists them. */
export interface Entry {
  readonly title: string;
  readonly page: string;
  readonly url: string;
  readonly text: string;
  /** Other words for what the section is about. */
  readonly also?: string;
  /** How much its score counts; 1 where it is absent. */
  readonly weight?: number;
}
