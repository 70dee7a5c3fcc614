/** HTTP routes of payment advices and of the balances that they forward. */

import { requireResource } from '@carecover/domain';
import type { Handlers } from '@carecover/http';
import { payerBalancesResource, paymentAdviceResource } from '../resources';
import { listForwarding } from '../store/payer-balances';
import { findPaymentAdvice, listPaymentAdvices, remittanceOf } from '../store/payment-advices';
import { createPaymentAdvice } from '../use-cases/create-payment-advice';
import type { CreationDeps } from '../use-cases/record-advice';
import { replacePaymentAdvice } from '../use-cases/replace-advice';
import { withdrawPaymentAdvice } from '../use-cases/withdraw-advice';

export function paymentAdviceHandlers(
  deps: CreationDeps,
): Required<
  Pick<
    Handlers,
    | 'listPaymentAdvices'
    | 'createPaymentAdvice'
    | 'getPaymentAdvice'
    | 'withdrawPaymentAdvice'
    | 'replacePaymentAdvice'
    | 'getPayerBalances'
  >
> {
  const { sql } = deps;
  return {
    async listPaymentAdvices({ caller, query }) {
      return { status: 200, body: await listPaymentAdvices(sql, caller, query, paymentAdviceResource) };
    },

    createPaymentAdvice: (call) => createPaymentAdvice(deps, call),

    replacePaymentAdvice: (call) => replacePaymentAdvice(deps, call),

    withdrawPaymentAdvice: (call) => withdrawPaymentAdvice(deps, call),

    async getPayerBalances({ caller: { tenant, resourceIds } }) {
      const visible = resourceIds?.map(remittanceOf) ?? null;
      return { status: 200, body: payerBalancesResource(await listForwarding(sql, tenant, visible)) };
    },

    async getPaymentAdvice({ caller, params }) {
      const id = params.payment_advice_id;
      const row = requireResource(caller, id, await findPaymentAdvice(sql, caller.tenant, id));
      return { status: 200, body: paymentAdviceResource(row) };
    },
  };
}
