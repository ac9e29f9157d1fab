/** Whether this process is shutting down: it still serves, but load balancers must send no new requests. */
export interface Draining {
  readonly isOn: () => boolean;
  readonly begin: () => void;
}

export function createDraining(): Draining {
  let on = false;
  return {
    isOn: () => on,
    begin() {
      on = true;
    },
  };
}
