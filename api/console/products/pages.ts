import { fieldsOf, type FormState, valueOf } from '../../../console/forms/form-state.ts';
import { productFactsPage } from '../../../console/products/facts-page.ts';
import { productFormPage } from '../../../console/products/form-page.ts';
import { productListPage, PRODUCTS_PATH } from '../../../console/products/list-page.ts';
import { can } from '../../../domain/permissions.ts';
import { hasFeature } from '../../../domain/plans.ts';
import { activeIn } from '../active-filter.ts';
import { type Page, page, type PageRequest, type ShownPage } from '../declaration.ts';
import { newForm, type PostedForm } from '../form.ts';
import { idOf } from '../id-of.ts';
import type { OperationId, ResultOf } from '../operations.ts';
import { submitted } from '../page.ts';
import { pick } from '../pick.ts';

const NEW = `${PRODUCTS_PATH}/new`;
const ONE = `${PRODUCTS_PATH}/:id`;

type Request = Pick<PageRequest<'products:read'>, 'call' | 'callWithTag' | 'caller' | 'params'>;
type Product = ResultOf<'getProduct'>;

/** What the form shows of a product: several codes are several values of one name. */
const fieldsOfProduct = ({ taxes, ...product }: Product) =>
  new Map([...fieldsOf(product), ['taxMode', [taxes === null ? 'default' : 'own']], ['taxes', taxes ?? []]]);

async function showNew({ call, caller }: Request, form: FormState = newForm()): Promise<ShownPage> {
  return productFormPage({
    form,
    taxes: await call('listTaxes'),
    hasCurrencies: hasFeature(caller.plan, 'multi_currency'),
  });
}

/** The page of a product; with the refusal of its form or of one of its buttons. */
async function showProduct({ call, callWithTag, caller, ...request }: Request, refused?: FormState) {
  const { body: product, tag } = await callWithTag('getProduct', { params: idOf(request) });
  if (!can(caller.role, 'products:update')) return productFactsPage(product);
  const fresh = newForm(fieldsOfProduct(product), tag);
  const form = refused ? { ...refused, ...(refused.isOutdated && { tag }) } : fresh;
  return productFormPage({
    form,
    product,
    taxes: await call('listTaxes'),
    hasCurrencies: hasFeature(caller.plan, 'multi_currency'),
    buttons: newForm(new Map(), tag),
  });
}

/** The refusal of a button, over the form as it is stored. */
async function showRefusedButton(request: Request, { refusal, isOutdated }: FormState): Promise<ShownPage> {
  const { body, tag } = await request.callWithTag('getProduct', { params: idOf(request) });
  return showProduct(request, { ...newForm(fieldsOfProduct(body), tag), refusal, isOutdated });
}

/** The body with the taxes of the business, unless the product has its own. */
function bodyOf<Id extends OperationId & ('createProduct' | 'updateProduct')>(form: PostedForm, id: Id) {
  const body = form.bodyFor(id);
  return valueOf(form, 'taxMode') === 'own' ? body : { ...body, taxes: null };
}

export const productPages: readonly Page[] = [
  page({
    method: 'GET',
    path: PRODUCTS_PATH,
    access: 'products:read',
    handle: async ({ caller, query: given, call }) => {
      const query = pick(given, ['search', 'active', 'cursor']);
      const active = activeIn(query);
      const { data, total, nextCursor } = await call('listProducts', { query: { ...query, active } });
      return productListPage({
        filter: newForm(fieldsOf({ ...query, active })),
        rows: data,
        total,
        nextCursor,
        query,
        canManage: can(caller.role, 'products:manage'),
      });
    },
  }),
  page({ method: 'GET', path: NEW, access: 'products:create', handle: (request) => showNew(request) }),
  page({
    method: 'POST',
    path: NEW,
    access: 'products:create',
    handle: (request) =>
      submitted(request, {
        submit: async () => {
          const { form, call } = request;
          const { id } = await call('createProduct', { body: bodyOf(form, 'createProduct'), key: form.key });
          return { redirectTo: `${PRODUCTS_PATH}/${id}?notice=product_created` };
        },
        show: (refused) => showNew(request, refused),
      }),
  }),
  page({ method: 'GET', path: ONE, access: 'products:read', handle: (request) => showProduct(request) }),
  page({
    method: 'POST',
    path: ONE,
    access: 'products:update',
    handle: (request) =>
      submitted(request, {
        submit: async () => {
          const { form, call } = request;
          const body = bodyOf(form, 'updateProduct');
          // An empty currency is that of the business only for a new product.
          if (valueOf(form, 'currency') === '') delete body.currency;
          await call('updateProduct', { params: idOf(request), body, tag: form.tag });
          return { redirectTo: `${PRODUCTS_PATH}?notice=product_saved` };
        },
        show: (refused) => showProduct(request, refused),
      }),
  }),
  page({
    method: 'POST',
    path: `${ONE}/delete`,
    access: 'products:delete',
    handle: (request) =>
      submitted(request, {
        submit: async () => {
          await request.call('deleteProduct', { params: idOf(request), tag: request.form.tag });
          return { redirectTo: `${PRODUCTS_PATH}?notice=product_deactivated` };
        },
        show: (refused) => showRefusedButton(request, refused),
      }),
  }),
  page({
    method: 'POST',
    path: `${ONE}/activate`,
    access: 'products:update',
    handle: (request) =>
      submitted(request, {
        submit: async () => {
          const { form, call } = request;
          await call('updateProduct', { params: idOf(request), body: { isActive: true }, tag: form.tag });
          return { redirectTo: `${PRODUCTS_PATH}?notice=product_activated` };
        },
        show: (refused) => showRefusedButton(request, refused),
      }),
  }),
];
