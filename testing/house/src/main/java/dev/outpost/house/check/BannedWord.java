package dev.outpost.house.check;

import java.util.List;
import java.util.Locale;

/**
 * A row of words.tsv: a banned word and its replacement.
 *
 * @param word the name or word
 * @param beside for a variable its types, for a method the classes that declare it. No entry means all. {@code Life@provider-k8s} is the
 *     type of that name in that module
 * @param modules where it is banned; no entry means everywhere
 * @param isOnlyThere whether the name of a class is right in other modules, though it consists of several words
 */
record BannedWord(
        Kind kind, String word, List<String> beside, List<String> modules, boolean isOnlyThere, String replacement) {
    enum Kind {
        CLASS,
        VARIABLE,
        METHOD,
        COMMENT;

        static Kind of(String text) {
            return valueOf(text.toUpperCase(Locale.ROOT));
        }
    }

    boolean holdsIn(String module) {
        return modules.isEmpty() || modules.contains(module);
    }
}
