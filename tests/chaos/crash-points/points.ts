/**
 * The crash points: every place in the processing of one PATCH status at which something has happened that another part
 * does not know yet. A place is named as in `hooks.ts`, or "… request" for a call that the receiver has and has not
 * answered.
 */

/** Unfinished rows while the process is held at the point and all else is idle. */
export interface Unfinished {
  readonly deliveries: number;
  readonly runs: number;
  readonly reminders: number;
}

/** Permitted duplicates when the worker dies there; by default everything happens once. */
export interface Traces {
  /** Requests of one of the deliveries. */
  readonly requests?: number;
  /** Copies of the mail, all with one Message-ID. */
  readonly mails?: number;
  /** Calls of fire_webhook. */
  readonly fired?: number;
  /** How the automation run with fire_webhook ended; completed unless given. */
  readonly error?: string;
}

export interface CrashPoint {
  readonly place: string;
  /** What has happened there. */
  readonly known: string;
  readonly unfinished: Unfinished;
  /** An event that is committed between two polls of the dispatcher may be signalled to Temporal before its fan-out. */
  readonly mayBeNotFannedOut?: true;
  readonly ifWorkerDies?: Traces;
}

export const none: Unfinished = { deliveries: 0, runs: 0, reminders: 0 };
const fannedOut: Unfinished = { deliveries: 3, runs: 2, reminders: 0 };
const oneDelivery: Unfinished = { ...none, deliveries: 1 };
const oneRun: Unfinished = { ...none, runs: 1 };
const oneReminder: Unfinished = { ...none, reminders: 1 };
const bothRuns: Unfinished = { ...none, runs: 2 };

// The request was sent and not recorded: the next attempt cannot know.
const twice: Traces = { requests: 2 };
const interrupted = 'actions.4 (fire_webhook): la llamada quedó interrumpida';

const point = (place: string, known: string, unfinished: Unfinished, ifWorkerDies?: Traces): CrashPoint => ({
  place,
  known,
  unfinished,
  ...(ifWorkerDies && { ifWorkerDies }),
});

const signalPoint = (place: string, known: string): CrashPoint => ({
  ...point(place, known, fannedOut),
  mayBeNotFannedOut: true,
});

/** In the dispatcher, which is sequential: holding it stops all fan-out and dispatching. */
export const dispatcherPoints: readonly CrashPoint[] = [
  point('fan-out 1 begin', 'the event is committed, nothing follows from it yet', none),
  point('fan-out 1 commit', 'what follows is written and not committed', none),
  point('fan-out 1 committed', 'what follows is committed, Temporal knows of nothing', fannedOut),
  signalPoint('signalWithStart quoteLifecycle call', 'the event is leased, the lifecycle has no signal'),
  signalPoint('signalWithStart quoteLifecycle answered', 'the lifecycle has the signal, the event is not marked'),
  signalPoint('mark outbox_events commit', 'Temporal has the event, its mark is not written'),
  // Two deliveries of a tenant are started at a time (db/webhooks/lease-deliveries.ts): the third waits meanwhile.
  point('start deliverWebhook call', 'one of two deliveries is not started, the other is', {
    ...bothRuns,
    deliveries: 2,
  }),
  point('start deliverWebhook answered', 'two deliveries are started, none is marked', { ...bothRuns, deliveries: 1 }),
  point('mark webhook_deliveries commit', 'Temporal has the deliveries, their marks are not written', {
    ...bothRuns,
    deliveries: 1,
  }),
  point('start runAutomation call', 'one run is not started, the other is', { ...oneRun, deliveries: 1 }),
  point('start runAutomation answered', 'both runs are started, none is marked', oneDelivery),
  point('mark automation_logs commit', 'Temporal has the runs, their marks are not written', oneDelivery),
];

/** In a workflow step, which concerns its own execution only. */
export const stepPoints: readonly CrashPoint[] = [
  point('deliver 1 begin', 'the attempt is not opened', oneDelivery),
  point('deliver 1 commit', 'the attempt is opened and not committed', oneDelivery),
  point('deliver 1 committed', 'the attempt is open, nothing was sent', oneDelivery),
  point('deliver request', 'the endpoint has the request', oneDelivery, twice),
  point('deliver 2 begin', 'the endpoint has answered', oneDelivery, twice),
  point('deliver 2 commit', 'the answer is written and not committed', oneDelivery, twice),
  point('deliver 2 committed', 'the delivery is over, Temporal does not know', none),

  point('beginRun 1 committed', 'the run is read, Temporal does not know', oneRun),
  point('reasonToSkip 1 committed', 'the conditions are checked, nothing was done', oneRun),

  point('labelQuote 1 commit', 'the label is put and not committed', oneRun),
  point('labelQuote 1 committed', 'the label is there, Temporal does not know', oneRun),
  point('notifyOwners 1 commit', 'the notifications are written and not committed', oneRun),
  point('notifyOwners 1 committed', 'the owners are notified, Temporal does not know', oneRun),
  point('createReminder 1 commit', 'the reminder is written and not committed', oneRun),
  point('createReminder 1 committed', 'the reminder is there, its run is not', { ...oneRun, reminders: 1 }),
  point('readReminder 1 committed', 'the reminder is read, Temporal does not know', oneReminder),
  point('fireReminder 1 commit', 'the reminder has fired and it is not committed', oneReminder),
  point('fireReminder 1 committed', 'the reminder has fired, Temporal does not know', none),
  point('sendAutomationEmail 1 committed', 'the attempt is counted, no mail is composed', oneRun),
  point('sendAutomationEmail 2 committed', 'the mail is composed and not sent', oneRun),
  point('sendAutomationEmail 3 committed', 'the mail is claimed and not sent', oneRun),
  point('sendAutomationEmail 4 begin', 'the mail server has the mail, we have no note of it', oneRun, { mails: 2 }),
  point('sendAutomationEmail 4 commit', 'the note of the mail is not committed', oneRun, { mails: 2 }),
  point('sendAutomationEmail 4 committed', 'the mail is noted, Temporal does not know', oneRun),
  point('fireWebhook 1 commit', 'the call is claimed and it is not committed', oneRun),
  point('fireWebhook 1 committed', 'the call is claimed and not made', oneRun, { fired: 0, error: interrupted }),
  point('fireWebhook request', 'the endpoint has the call', oneRun, { error: interrupted }),
  point('fireWebhook 2 begin', 'the endpoint has answered, we have no note of it', oneRun, { error: interrupted }),
  point('fireWebhook 2 committed', 'the call is noted, Temporal does not know', oneRun),
  point('moveQuote 1 commit', 'the move and its event are written and not committed', oneRun),
  point('moveQuote 1 committed', 'the quote is moved, Temporal does not know', oneRun),

  point('closeRun 1 commit', 'the ending of the run is written and not committed', oneRun),
  point('closeRun 1 committed', 'the run is over, Temporal does not know', none),
];

/** In the lifecycle's workflow task, which times out when it is held for long; so it has a separate crash. */
const localPoint = point(
  'readLifecycleState 1 committed',
  'the lifecycle has read the record and does not know it',
  none,
);

/** Points of one crash, each in a separate business: one of the dispatcher and a share of the others. */
export const batches: readonly (readonly CrashPoint[])[] = [
  [localPoint],
  ...dispatcherPoints.map((dispatcherPoint, index) => [
    ...stepPoints.filter((_, other) => other % dispatcherPoints.length === index),
    dispatcherPoint,
  ]),
];

/** A call that a receiver has and has not answered, not a place in the worker. */
export function requestAt({ place }: CrashPoint): 'deliver' | 'fireWebhook' | undefined {
  if (place === 'deliver request') return 'deliver';
  return place === 'fireWebhook request' ? 'fireWebhook' : undefined;
}

/** The beginning of the point's step, and what is unfinished there. */
export function approachTo({ place }: CrashPoint): { readonly place: string; readonly unfinished: Unfinished } {
  const [step = ''] = place.split(' ');
  return { place: `${step} 1 begin`, unfinished: UNFINISHED_BEFORE[step] ?? oneRun };
}

const UNFINISHED_BEFORE: Readonly<Record<string, Unfinished>> = {
  readLifecycleState: none,
  deliver: oneDelivery,
  readReminder: oneReminder,
  fireReminder: oneReminder,
};
