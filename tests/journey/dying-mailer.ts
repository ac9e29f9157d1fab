import SMTPConnection from 'nodemailer/lib/smtp-connection';

/** The worker, killed at its worst point: the mail server took a mail, and neither PostgreSQL nor Temporal knows of it. */

type Callback = (error: Error | null, info: unknown) => void;

// Its overloads cannot be wrapped as such; whatever came is passed on as it came.
const connection = SMTPConnection.prototype as unknown as {
  send: (envelope: unknown, message: unknown, callback: Callback) => void;
};
const { send } = connection;
connection.send = function dying(envelope, message, callback) {
  send.call(this, envelope, message, (error, info) => {
    if (!error) process.kill(process.pid, 'SIGKILL');
    callback(error, info);
  });
};

await import('../../activities/worker.ts');
