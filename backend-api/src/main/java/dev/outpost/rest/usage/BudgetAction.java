package dev.outpost.rest.usage;

/** The action at a threshold of a budget. */
public enum BudgetAction {
    /** The backend writes an entry into the audit. */
    NOTIFY,

    /** The backend refuses new machines. */
    REFUSE,

    /** The backend refuses new machines and ends the present ones. */
    END
}
