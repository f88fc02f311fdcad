package dev.outpost.models.batch;

/** Which tokens a text may go on with, by those that it has. Of one text; one thread at a time. */
public interface TokenMask {
    /** Sets the places of tokens that are not allowed to {@link Float#NEGATIVE_INFINITY}; at least one remains. */
    void forbid(float[] bias);

    /** A token was chosen. */
    void accept(int token);

    /** Whether nothing can come any more: the text ends. */
    boolean isOver();
}
