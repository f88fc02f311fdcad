package dev.outpost.house.check;

import java.util.Locale;

/** The rules, in the order of the columns of {@code limits.tsv}. */
public enum RuleName {
    /** A class has a name that {@code words.tsv} bans. */
    CLASS,
    /** A variable has a word that {@code words.tsv} bans for its type. */
    VARIABLE,
    /** A method has a name that {@code words.tsv} bans. */
    METHOD,
    /** A comment has a word or the name of a class that {@code words.tsv} bans. */
    COMMENT,
    /** Two top-level types have one simple name, and {@code same-names.tsv} gives no reason. */
    SAME,
    /** A method is named as a question and returns nothing. */
    PREDICATE,
    /** The name of a caught exception is not a standard one. */
    CAUGHT;

    /** Returns its name in {@code limits.tsv}. */
    public String column() {
        return name().toLowerCase(Locale.ROOT);
    }
}
