import { stripVTControlCharacters } from 'node:util';
import { table } from '../../dev/table.ts';

const api = 'http://127.0.0.1:3000';
// Those of the example data.
const login = (email: string) => ({ email, password: 'demo1234' });

/** The table that `npm start` prints if no port is taken; logins and key differ in each installation. */
export const exampleTable = (): string =>
  stripVTControlCharacters(
    table({
      api,
      docs: `${api}/docs`,
      temporalUi: 'http://127.0.0.1:18233',
      temporalAddress: '127.0.0.1:17233',
      inbox: 'http://127.0.0.1:18025',
      inboxApi: 'http://127.0.0.1:18025/api/messages',
      s3: 'http://127.0.0.1:18333',
      databaseUrl: '',
      adminDatabaseUrl: '',
      demo: { owner: login('duena@acme.test'), free: login('ana@libre.test'), apiKey: 'svc_…' },
    }),
  );
