import { Type } from 'typebox';
import { ATTACHMENT_TYPES, MAX_ATTACHMENTS } from '../../domain/attachments.ts';
import { named, id, oneOf, timestamp } from '../schema.ts';
import type { UploadedForm } from '../read-upload.ts';

/** The form of an upload. Its file's name becomes the name of the attachment. */
export const AttachmentForm = Type.Unsafe<UploadedForm & { readonly file: Buffer }>(
  named('AttachmentUpload', {
    file: Type.Unsafe<Buffer>({
      type: 'string',
      format: 'binary',
      description: 'PDF, PNG o JPG, hasta 5 MB; su nombre, limpio y de a lo más 120 caracteres, es el del archivo',
    }),
  }),
);

export const AttachmentParams = Type.Object({
  id: Type.String({ maxLength: 64 }),
  attachmentId: Type.String({ maxLength: 64 }),
});

const facts = {
  id: id(),
  name: Type.String({ examples: ['plano.pdf'] }),
  contentType: oneOf('AttachmentType', ATTACHMENT_TYPES, { examples: ['application/pdf'] }),
  sizeBytes: Type.Integer({ minimum: 1, examples: [48_213] }),
  sha256: Type.String({ description: 'de los bytes guardados', examples: ['9f86d081884c7d65…'] }),
};

/** An attachment in snapshots of versions. */
export const AttachmentOfVersion = named('AttachmentOfVersion', facts);

export const AttachmentBody = named('Attachment', { ...facts, createdAt: timestamp() });

/** The files of the current version, in their order. */
export const attachments = () => Type.Array(AttachmentBody, { maxItems: MAX_ATTACHMENTS.count });

/** Member of a revision: the files of the new version. */
export const attachmentIds = () =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      maxItems: MAX_ATTACHMENTS.count,
      uniqueItems: true,
      description:
        'Los archivos de la nueva versión, en su orden: de esta cotización o de otra visible, que se comparte. Sin él, ' +
        'los que tiene; [] los quita todos.',
      examples: [[]],
    }),
  );
