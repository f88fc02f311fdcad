package dev.outpost.house.prose;

import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Patterns of sentences that are seldom understood at first reading. */
enum SentencePattern {
    /** A clause with "what" in place of a noun. */
    WHAT(
            "\\b(?:of|to|by|from|than|with|for|in|on|over|after|before|behind|and|or|but|is|are|all|tells?|keeps?|takes?|holds?|has"
                    + "|gives?|does|knows?|sees?) what\\b"),
    /** An actor without a name. */
    ACTOR("\\b(?i:nobody|somebody|whoever|anybody|whichever)\\b"),
    /** Begins with a preposition and has no comma: mostly without a subject. */
    NO_SUBJECT("^(?:Of|As|By|Behind|Where|Within|Beside|From|To) [^,]*$"),
    /** Begins with a question word, in place of "True if" or a noun. */
    QUESTION("^(?:Whether|How|Which|Who|Those)\\b"),
    /** "is there" for "exists", and "so many" for a number. */
    THERE(
            "\\b(?:is|are|was|were|be|been) (?:not |already |still |once )?there\\b|\\bso (?:much|many)\\b(?! (?:as|that))");

    private final Pattern pattern;

    SentencePattern(String pattern) {
        this.pattern = Pattern.compile(pattern);
    }

    /** Returns the first pattern that a sentence matches. */
    static Optional<SentencePattern> of(Sentence sentence) {
        return Stream.of(values())
                .filter(each -> each.pattern.matcher(sentence.text()).find())
                .findFirst();
    }
}
