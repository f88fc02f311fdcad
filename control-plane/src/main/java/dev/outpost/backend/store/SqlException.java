package dev.outpost.backend.store;

import java.sql.SQLException;

/** The database did not do what it was asked. */
public final class SqlException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private static final String CONNECTION = "08";
    private static final String SHUTDOWN = "57";
    private static final String VALUE = "22";

    private final String state;

    SqlException(SQLException cause) {
        super(cause.getMessage(), cause);
        this.state = cause.getSQLState() == null ? "" : cause.getSQLState();
    }

    /** The five characters of SQLSTATE, or none. */
    public String state() {
        return state;
    }

    /** Whether a value cannot be what it was given as: a text with a NUL, a number that is too large. */
    public boolean isValue() {
        return state.startsWith(VALUE);
    }

    /** Whether the database is away, and the same call may succeed when it is back. */
    public boolean isAway() {
        return state.isEmpty() || state.startsWith(CONNECTION) || state.startsWith(SHUTDOWN);
    }
}
