/** The address of a service that no test calls. */
export const ELSEWHERE = { PROFILE: 'test', PUBLIC_URL: 'http://127.0.0.1:1', HOST: '127.0.0.1', PORT: 1 } as const;
