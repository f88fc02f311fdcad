package dev.outpost.house.check;

import java.util.List;
import java.util.Locale;

/**
 * A row of words.tsv: a banned word and its replacement.
 *
 * @param word the name or word
 * @param beside the types of a variable, or the classes that declare a method. No entry means all. {@code Life@provider-k8s} is the
 *     type of that name in that module
 * @param modules the modules in which it is banned; no entry means all
 * @param isOnlyThere true if the name of a class is right in other modules, although it consists of several words
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
