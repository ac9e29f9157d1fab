import type { Call } from '../api/receiver.ts';

/** The parts of n8n that the nodes use: parameters, credentials, stored data, requests. */

export interface Item {
  readonly json: Record<string, unknown>;
  readonly pairedItem?: { readonly item: number };
}

/** A node as n8n calls it, with a context as `this`. */
export interface NodeType {
  readonly description: {
    readonly properties: readonly {
      readonly name: string;
      readonly options?: readonly { readonly value: string }[];
    }[];
  };
  readonly methods?: {
    readonly loadOptions: Record<string, (this: object) => Promise<{ name: string; value: string }[]>>;
  };
  readonly webhookMethods?: {
    readonly default: Record<'checkExists' | 'create' | 'delete', (this: object) => Promise<boolean>>;
  };
  execute(this: object): Promise<Item[][]>;
  webhook(this: object): Promise<{ workflowData?: Item[][]; noWebhookResponse?: boolean }>;
}

export interface Credential {
  readonly authenticate: { readonly properties: { readonly headers: Record<string, string> } };
  readonly test: { readonly request: { readonly baseURL: string; readonly url: string } };
}

export interface Settings {
  readonly credential: Credential;
  readonly values: Readonly<Record<string, string>>;
}

interface N8nRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

/** The value of an n8n expression that uses only credentials. */
export const evaluated = (expression: string, values: Settings['values']): string =>
  expression.replace(/^=/, '').replace(/\{\{\$credentials\.(\w+)\}\}/g, (_, name: string) => values[name] ?? '');

export function context({ credential, values }: Settings, parameters: Readonly<Record<string, unknown>> = {}) {
  const staticData = {};
  const { executionId = crypto.randomUUID() } = parameters;
  return {
    getCredentials: async () => values,
    getNodeParameter(name: string, _item?: number, fallback?: unknown) {
      const value = parameters[name] ?? fallback;
      if (value === undefined) throw new Error(`no parameter ${name}`);
      return value;
    },
    getInputData: () => [{ json: {} }],
    getNode: () => ({ id: 'b1f3', name: 'Quoting', type: 'quoting', typeVersion: 1, position: [0, 0], parameters: {} }),
    getExecutionId: () => executionId,
    getWorkflowDataProxy: () => ({ $runIndex: 0 }),
    getWorkflowStaticData: () => staticData,
    getNodeWebhookUrl: () => parameters['webhookUrl'],
    continueOnFail: () => parameters['continueOnFail'] === true,
    helpers: {
      returnJsonArray: (json: Record<string, unknown>) => [{ json }],
      async httpRequestWithAuthentication(_credential: string, { method, url, headers, body }: N8nRequest) {
        const added = Object.entries(credential.authenticate.properties.headers);
        const response = await fetch(url, {
          method,
          headers: { ...headers, ...Object.fromEntries(added.map(([name, text]) => [name, evaluated(text, values)])) },
          ...(body !== undefined && { body }),
        });
        const text = await response.text();
        return { statusCode: response.status, headers: Object.fromEntries(response.headers), body: text };
      },
    },
  };
}

/** A trigger's context for a received call; `answer` collects what the node responds itself. */
export function webhookContext(subscribed: ReturnType<typeof context>, { headers, body }: Call) {
  const answer: { status?: number; text?: string } = {};
  const response = {
    status: (status: number) => Object.assign(answer, { status }) && response,
    send: (text: string) => Object.assign(answer, { text }) && response,
    end: () => undefined,
  };
  return {
    ...subscribed,
    answer,
    getHeaderData: () => headers,
    getRequestObject: () => ({ rawBody: Buffer.from(body) }),
    getResponseObject: () => response,
  };
}
