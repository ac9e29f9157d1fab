import SMTPConnection from 'nodemailer/lib/smtp-connection';

/**
 * The worker, killed at the worst point: the mail server accepted a mail, and neither PostgreSQL nor Temporal knows it.
 */

type Callback = (error: Error | null, info: unknown) => void;

// Overloads cannot be wrapped as such; all arguments are passed on.
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

await import('../../worker/main.ts');
