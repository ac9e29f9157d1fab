import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectsCommand,
  ListBucketsCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3';
import { isLeftover, newProcessName } from './process-name.ts';
import type { TestServers } from './servers.ts';

/** A separate bucket in the storage of these servers. */
export async function createBucket(servers: TestServers): Promise<{ name: string; remove: () => Promise<void> }> {
  const name = newProcessName();
  const client = clientOf(servers);
  await client.send(new CreateBucketCommand({ Bucket: name }));
  return {
    name,
    async remove() {
      await removeBucket(client, name);
      client.destroy();
    },
  };
}

/** Deletes the buckets of killed test processes. */
export async function removeLeftoverBuckets(servers: TestServers): Promise<void> {
  const client = clientOf(servers);
  const { Buckets: buckets = [] } = await client.send(new ListBucketsCommand({}));
  for (const { Name: name = '' } of buckets) if (isLeftover(name)) await removeBucket(client, name);
  client.destroy();
}

async function removeBucket(client: S3Client, bucket: string): Promise<void> {
  for await (const { Contents: found = [] } of paginateListObjectsV2({ client }, { Bucket: bucket })) {
    const objects = found.flatMap(({ Key: key }) => (key === undefined ? [] : [{ Key: key }]));
    if (objects.length > 0)
      await client.send(new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects: objects } }));
  }
  await client.send(new DeleteBucketCommand({ Bucket: bucket }));
}

/** A client of the storage of these servers. */
export function clientOf({ env }: TestServers): S3Client {
  return new S3Client({
    endpoint: env['S3_ENDPOINT'] ?? '',
    region: env['S3_REGION'] ?? '',
    credentials: {
      accessKeyId: env['S3_ACCESS_KEY_ID'] ?? '',
      secretAccessKey: env['S3_SECRET_ACCESS_KEY'] ?? '',
    },
    forcePathStyle: true,
  });
}
