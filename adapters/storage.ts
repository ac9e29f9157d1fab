import {
  type BucketLocationConstraint,
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { ApiConfig } from './config.ts';
import { contentDisposition } from './content-disposition.ts';
import { withTimeout } from './timeout.ts';

/** Files (PDFs, logos) in an S3-compatible store, with deadlines that fit into a caller's nine seconds. */

const CONNECT_MS = 1_500;
/** One attempt, until the response begins. */
const ATTEMPT_MS = 2_500;
/** A whole call: two attempts, the pause between them, and reading the body. */
const CALL_MS = 5_000;
const ATTEMPTS = 2;
/** Presigned links, in seconds. */
const LINK_SECONDS = 900;

/** The storage failed: unreachable, too slow, or refusing. The cause says which. */
export class StorageUnavailable extends Error {
  override readonly name: string = 'StorageUnavailable';
}

export interface LinkOptions {
  /** The file name for the reader's browser. */
  readonly filename: string;
  readonly contentType: string;
  /** Default 900; at most seven days. */
  readonly expiresInSeconds?: number;
}

export interface ObjectsPage {
  readonly objects: readonly { readonly key: string; readonly modifiedAt: Date }[];
  /** More keys follow the last of them. */
  readonly hasMore: boolean;
}

/** Each function but close() throws StorageUnavailable, after five seconds at the latest. */
export interface Storage {
  /** On Amazon's S3 the access key needs s3:ListBucket for this: without it a missing file is a 403, not a 404. */
  exists(key: string): Promise<boolean>;
  /** Writes the whole file; idempotent. */
  put(key: string, body: Buffer, contentType: string): Promise<void>;
  get(key: string): Promise<Buffer>;
  /** Deletes the file; a missing file is no error. */
  remove(key: string): Promise<void>;
  /** Some of the files after that key, in byte order of their keys; less than a full page at the end. */
  list(after: string): Promise<ObjectsPage>;
  /** A link that works without our key until it expires, on the address under which readers reach the storage. */
  presignedUrl(key: string, options: LinkOptions): Promise<string>;
  /** Creates the bucket if it is missing. */
  ensureBucket(): Promise<void>;
  /** Whether the bucket responds; throws when not. */
  check(): Promise<void>;
  close(): void;
}

export type StorageConfig = Pick<
  ApiConfig,
  'S3_ENDPOINT' | 'S3_PUBLIC_ENDPOINT' | 'S3_REGION' | 'S3_BUCKET' | 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY'
>;

export function createStorage(config: StorageConfig): Storage {
  const { S3_BUCKET: Bucket, S3_REGION: region } = config;
  const client = s3Client(config, config.S3_ENDPOINT);
  // The host is part of the signature, so links need a client with the readers' address. It never connects.
  const signer = s3Client(config, config.S3_PUBLIC_ENDPOINT ?? config.S3_ENDPOINT);

  const headBucket = (abortSignal: AbortSignal) => client.send(new HeadBucketCommand({ Bucket }), { abortSignal });

  return {
    exists: (Key) =>
      within('look up', async (abortSignal) => {
        try {
          await client.send(new HeadObjectCommand({ Bucket, Key }), { abortSignal });
          return true;
        } catch (error) {
          if (isNotFound(error)) return false;
          throw error;
        }
      }),

    put: (Key, Body, ContentType) =>
      within('write', async (abortSignal) => {
        await client.send(new PutObjectCommand({ Bucket, Key, Body, ContentType }), { abortSignal });
      }),

    get: (Key) =>
      within('read', async (abortSignal) => {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }), { abortSignal });
        if (!Body) throw new Error('the response has no body');
        return Buffer.from(await Body.transformToByteArray());
      }),

    remove: (Key) =>
      within('remove from', async (abortSignal) => {
        await client.send(new DeleteObjectCommand({ Bucket, Key }), { abortSignal });
      }),

    list: (after) =>
      within('list', async (abortSignal) => {
        const command = new ListObjectsV2Command({ Bucket, Prefix: 't/', ...(after !== '' && { StartAfter: after }) });
        const { Contents = [], IsTruncated = false } = await client.send(command, { abortSignal });
        const objects = Contents.map(({ Key = '', LastModified = new Date(0) }) => ({
          key: Key,
          modifiedAt: LastModified,
        }));
        return { objects, hasMore: IsTruncated };
      }),

    presignedUrl: (Key, { filename, contentType, expiresInSeconds = LINK_SECONDS }) =>
      within('link to', () =>
        getSignedUrl(
          signer,
          new GetObjectCommand({
            Bucket,
            Key,
            ResponseContentDisposition: contentDisposition('inline', filename),
            ResponseContentType: contentType,
          }),
          { expiresIn: expiresInSeconds },
        ),
      ),

    ensureBucket: () =>
      within('create the bucket in', async (abortSignal) => {
        try {
          await headBucket(abortSignal);
        } catch (error) {
          if (!isNotFound(error)) throw error;
          await createBucket(client, Bucket, region, abortSignal);
        }
      }),

    check: () =>
      within('reach', async (abortSignal) => {
        await headBucket(abortSignal);
      }),

    close() {
      client.destroy();
      signer.destroy();
    },
  };
}

function s3Client(config: StorageConfig, endpoint: string): S3Client {
  // The SDK's documented switch. The version is pinned and runs on the Node versions that package.json names.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  return new S3Client({
    endpoint,
    region: config.S3_REGION,
    // bucket.host needs a wildcard DNS name, which few self-hosted stores have.
    forcePathStyle: true,
    credentials: { accessKeyId: config.S3_ACCESS_KEY_ID, secretAccessKey: config.S3_SECRET_ACCESS_KEY },
    maxAttempts: ATTEMPTS,
    requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: ATTEMPT_MS, throwOnRequestTimeout: true },
  });
}

/** Runs one call under the deadline. The SDK's own timeouts do not cover the body. */
async function within<T>(purpose: string, call: (abortSignal: AbortSignal) => Promise<T>): Promise<T> {
  const deadline = new AbortController();
  const late = () => {
    const error = new Error(`no response within ${CALL_MS} ms`);
    deadline.abort(error);
    return error;
  };
  try {
    return await withTimeout(call(deadline.signal), CALL_MS, late);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.name : 'unknown';
    throw new StorageUnavailable(`could not ${purpose} the storage (${reason})`, { cause });
  }
}

async function createBucket(client: S3Client, Bucket: string, region: string, abortSignal: AbortSignal) {
  // S3 refuses us-east-1 as a location and requires every other region. The cast: the SDK knows Amazon's regions only,
  // and other stores have their own.
  const location = { LocationConstraint: region as BucketLocationConstraint };
  const place = region === 'us-east-1' ? {} : { CreateBucketConfiguration: location };
  try {
    await client.send(new CreateBucketCommand({ Bucket, ...place }), { abortSignal });
  } catch (error) {
    // Another process created it in between.
    if (!(error instanceof Error) || error.name !== 'BucketAlreadyOwnedByYou') throw error;
  }
}

// HEAD responses have no body, so the SDK names them by status alone; others say NoSuchKey.
const isNotFound = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'NotFound' || error.name === 'NoSuchBucket');
