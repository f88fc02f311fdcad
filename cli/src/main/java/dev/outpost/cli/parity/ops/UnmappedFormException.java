package dev.outpost.cli.parity.ops;

/**
 * A row of the table does not know this form of the call. It says nothing about the op, so it is no refusal: the case
 * has failed.
 */
public final class UnmappedFormException extends RuntimeException {
    UnmappedFormException(String op, String problem) {
        super(op + ": this form is not in the table: " + problem);
    }
}
