/** Whether this process is on its way out: it still serves, and wants no more to come. */
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
