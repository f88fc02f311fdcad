package dev.outpost.rest.usage;

/** The action at a threshold. */
public enum BudgetAction {
    /** It is written into the audit. */
    NOTIFY,

    /** No further machine is made. */
    REFUSE,

    /** No further machine is made, and existing ones end. */
    END
}
