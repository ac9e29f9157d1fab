import { QuotingError, unwrap } from '@quoting/client';
import {
  type IDataObject,
  type IExecuteFunctions,
  type ILoadOptionsFunctions,
  type INodeExecutionData,
  type INodePropertyOptions,
  type INodeType,
  type INodeTypeDescription,
  NodeApiError,
  NodeConnectionTypes,
} from 'n8n-workflow';
import { clientOf, CREDENTIAL } from '../../client.ts';
import { properties } from './description.ts';
import { operationOf } from './operations.ts';

/** Actions on clients and quotes. */
export class Quoting implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Quoting',
    name: 'quoting',
    icon: 'file:quoting.svg',
    group: ['transform'],
    version: 1,
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description: 'Create, share and read quotes and clients',
    defaults: { name: 'Quoting' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: CREDENTIAL, required: true }],
    properties,
  };

  methods = {
    loadOptions: {
      /** The active templates. */
      async templates(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
        return unwrap((await clientOf(this)).GET('/api/v1/connector/actions/list-templates'));
      },
    },
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const client = await clientOf(this);
    const results: INodeExecutionData[] = [];
    for (const item of this.getInputData().keys()) {
      try {
        const operation = operationOf(
          this.getNodeParameter('resource', item),
          this.getNodeParameter('operation', item),
        );
        const answer = await operation({ context: this, client, item, key: idempotencyKey(this, item) });
        for (const json of [answer].flat()) results.push({ json, pairedItem: { item } });
      } catch (error) {
        if (!this.continueOnFail()) throw explained(this, error, item);
        results.push({ json: { error: error instanceof Error ? error.message : String(error) }, pairedItem: { item } });
      }
    }
    return [results];
  }
}

/** The same when n8n retries the node, another in the next iteration of a loop. */
function idempotencyKey(context: IExecuteFunctions, item: number): string {
  const { $runIndex: iteration } = context.getWorkflowDataProxy(item);
  return `n8n-${context.getExecutionId()}-${context.getNode().id}-${iteration}-${item}`;
}

function explained(context: IExecuteFunctions, error: unknown, itemIndex: number): unknown {
  if (!(error instanceof QuotingError)) return error;
  const { status, code, message, requestId, details } = error;
  const invalid = details.map(({ path, message: problem }) => `${path}: ${problem}`);
  const body: IDataObject = { code, requestId, details: invalid };
  const description = [code, ...invalid, `request ${requestId}`].join('\n');
  // n8n's type of an error body is narrower than what it accepts.
  return new NodeApiError(context.getNode(), body as never, {
    message,
    description,
    httpCode: String(status),
    itemIndex,
  });
}
