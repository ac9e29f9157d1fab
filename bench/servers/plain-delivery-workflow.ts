import { proxyActivities } from '@temporalio/workflow';

const { post } = proxyActivities<{ post(): Promise<number> }>({ startToCloseTimeout: '25s' });

export const plainDelivery = (): Promise<number> => post();
