"""remittances_and_settlements: one function per operation. Generated; do not edit."""

from .create_payment_advice import create_payment_advice as create_payment_advice
from .create_remittance import create_remittance as create_remittance
from .create_settlement import create_settlement as create_settlement
from .get_payer_balances import get_payer_balances as get_payer_balances
from .get_payment_advice import get_payment_advice as get_payment_advice
from .get_remittance import get_remittance as get_remittance
from .get_remittance_reconciliation import (
    get_remittance_reconciliation as get_remittance_reconciliation,
)
from .get_settlement import get_settlement as get_settlement
from .list_payment_advices import list_payment_advices as list_payment_advices
from .list_remittances import list_remittances as list_remittances
from .list_settlements import list_settlements as list_settlements
from .replace_payment_advice import replace_payment_advice as replace_payment_advice
from .reverse_settlement import reverse_settlement as reverse_settlement
from .withdraw_payment_advice import withdraw_payment_advice as withdraw_payment_advice
