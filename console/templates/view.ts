/** A template as the API gives it. */
export interface TemplateView {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly items: readonly {
    readonly productName: string;
    readonly unitPrice: number;
    readonly quantity: number;
    readonly discountPct: number;
  }[];
  readonly currency: string;
  readonly updatedAt: string;
  readonly creator: { readonly name: string };
}

export const TEMPLATES_PATH = '/app/templates';
