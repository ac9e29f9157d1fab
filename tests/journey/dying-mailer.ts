import SMTPConnection from 'nodemailer/lib/smtp-connection';

/** The worker, killed at its worst point: the mail server took a mail, and neither PostgreSQL nor Temporal knows of it. */

const { send } = SMTPConnection.prototype;
SMTPConnection.prototype.send = function dying(envelope, message, callback) {
  send.call(this, envelope, message, (error, info) => {
    if (!error) process.kill(process.pid, 'SIGKILL');
    callback(error, info);
  });
};

await import('../../activities/worker.ts');
