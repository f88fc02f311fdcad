package dev.outpost.backend.store.sql;

import java.sql.SQLException;

/** Thrown if the database did not execute a statement. */
public final class SqlException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private static final String CONNECTION = "08";
    private static final String SHUTDOWN = "57";

    /** The class of errors for a lack of resources, such as 53100 (a full disk) and 53300 (too many connections). */
    private static final String RESOURCES = "53";

    private static final String DISK_FULL = "53100";

    /** An error of the system below the database, for example if a file cannot be written. */
    private static final String SYSTEM = "58";

    private static final String VALUE = "22";

    private final String state;

    public SqlException(SQLException cause) {
        super(cause.getMessage(), cause);
        this.state = cause.getSQLState() == null ? "" : cause.getSQLState();
    }

    /** Returns the five characters of SQLSTATE, or an empty text. */
    public String state() {
        return state;
    }

    /** True if the database cannot represent a value, such as a text with a NUL or a number that is too large. */
    public boolean isValue() {
        return state.startsWith(VALUE);
    }

    /** True if the database is unreachable or lacks a resource, so that the same call may succeed later. */
    public boolean isUnavailable() {
        return state.isEmpty()
                || state.startsWith(CONNECTION)
                || state.startsWith(SHUTDOWN)
                || state.startsWith(RESOURCES)
                || state.startsWith(SYSTEM);
    }

    /**
     * Returns the action of an operator after which the same call succeeds. Defined only if {@link #isUnavailable} is
     * true.
     */
    public String remedy() {
        if (state.equals(DISK_FULL)) {
            return "the disk of the database is full; the same request may be sent again when an operator has made room";
        }
        if (state.startsWith(RESOURCES) || state.startsWith(SYSTEM)) {
            return "the database cannot work now (SQLSTATE " + state
                    + "); the same request may be sent again, and its log says what an operator mends";
        }
        if (state.isEmpty()) {
            return "the database gave no connection in time; the same request may be sent again";
        }
        return "the database is away; the same request may be sent again";
    }
}
