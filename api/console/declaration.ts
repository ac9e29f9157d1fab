import type { Caller } from '../../domain/caller.ts';
import type { ServiceError } from '../../domain/errors.ts';
import type { Html } from '../../domain/html.ts';
import type { Permission } from '../../domain/permissions.ts';
import type { RefusedFeature } from '../../domain/plans.ts';
import type { UploadedForm, Upload } from '../read-upload.ts';
import type { HandlerResult } from '../route.ts';
import type { Calls } from './call.ts';
import type { PostedForm } from './form.ts';
import type { RowDefaults } from './posted-fields.ts';

/** Who may open a page: a permission, `authenticated` for every signed-in user, or `public`. */
export type PageAccess = Permission | 'authenticated' | 'public';

/** What the handler of a page gets. */
export interface PageRequest<Access = PageAccess> extends Calls {
  readonly caller: Access extends 'public' ? undefined : Caller;
  /** The signed-in user on a public page, if there is one. */
  readonly visitor: () => Promise<Caller | undefined>;
  readonly params: Readonly<Record<string, string>>;
  /** The first value of each parameter; empty ones are absent. */
  readonly query: Readonly<Record<string, string>>;
  /** The submitted form; without fields in a GET. */
  readonly form: PostedForm;
  /** The file of a page with `upload`. */
  readonly file: UploadedForm | undefined;
  /** Why there is no file, on a page with `showsRefusedFile`. */
  readonly refusedFile: ServiceError | undefined;
  /** The path of the page: forms post to it. */
  readonly path: string;
  readonly requestId: string;
}

/** A page in the frame. */
export interface ShownPage {
  readonly title: string;
  readonly body: Html;
  readonly status?: number;
  readonly retryAfterSeconds?: number | undefined;
  readonly session?: HandlerResult['session'];
}

export type PageResult =
  | ShownPage
  /** 303 to a path of ours. */
  | { readonly redirectTo: string; readonly session?: HandlerResult['session'] }
  /** A file, as the API gives it. */
  | { readonly file: HandlerResult };

interface PageOptions {
  /** Express form: /app/quotes/:id */
  readonly path: string;
  /** The page exists on PRO only. */
  readonly feature?: RefusedFeature;
  /** Its URL contains a one-time token. */
  readonly hasTokenInUrl?: boolean;
  /** Fields that an expired session must not carry over the sign-in; those named like passwords never are. */
  readonly secrets?: readonly string[];
  /** Values that a form gives to rows before they are filled in. */
  readonly rowDefaults?: RowDefaults;
  /** The form is multipart with one file. Its key is the parameter `key` of the form's address. */
  readonly upload?: Upload;
  /** The page shows its form again when the file is missing or too large. */
  readonly showsRefusedFile?: boolean;
}

interface Declaration<Access> extends PageOptions {
  readonly method: 'GET' | 'POST';
  readonly access: Access;
  readonly handle: (request: PageRequest<Access>) => Promise<PageResult> | PageResult;
}

/** A page without the type of its caller. */
export type Page = PageOptions & {
  readonly method: 'GET' | 'POST';
  readonly access: PageAccess;
  readonly handle: (request: PageRequest) => Promise<PageResult> | PageResult;
};

/** Declares a page or the form of one. */
export function page<const Access extends PageAccess>(declaration: Declaration<Access>): Page {
  // Sound: only pages with a session get a caller, and all of them do.
  return declaration;
}
