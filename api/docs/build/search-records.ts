/** What the search finds: a passage of a document, an operation or a model of the reference. */
export interface SearchRecord {
  readonly href: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
  readonly section: string;
}
