package dev.outpost.models.constraint;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.util.automaton.Automaton;
import org.jspecify.annotations.Nullable;

/** The values of the keyword {@code format} that are enforced. */
final class StringFormat {
    private static final String LEAP_YEAR = "(\\d\\d(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)";
    private static final String DATE =
            "(\\d{4}-((0[13578]|1[02])-(0[1-9]|[12]\\d|3[01])|(0[469]|11)-(0[1-9]|[12]\\d|30)"
                    + "|02-(0[1-9]|1\\d|2[0-8]))|" + LEAP_YEAR + "-02-29)";
    private static final String TIME =
            "([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,9})?(Z|[+-]([01]\\d|2[0-3]):[0-5]\\d)";
    private static final String CLOCK = "T(\\d+H(\\d+M(\\d+S)?)?|\\d+M(\\d+S)?|\\d+S)";
    private static final String OCTET = "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
    private static final String ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
    private static final String LABEL = "[A-Za-z0-9]+(-[A-Za-z0-9]+)*";

    private static final Map<String, String> PATTERNS = Map.of(
            "date", DATE,
            "time", TIME,
            "date-time", DATE + "T" + TIME,
            "duration", "P(\\d+W|(\\d+Y(\\d+M(\\d+D)?)?|\\d+M(\\d+D)?|\\d+D)(" + CLOCK + ")?|" + CLOCK + ")",
            "uuid", "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}",
            "ipv4", OCTET + "(\\." + OCTET + "){3}",
            "email", ATOM + "(\\." + ATOM + ")*@" + LABEL + "(\\." + LABEL + ")*");
    private static final Map<String, Automaton> AUTOMATA = new ConcurrentHashMap<>();

    private StringFormat() {}

    /** Returns the deterministic automaton of a format's texts, or null for a format that is not enforced. */
    static @Nullable Automaton automaton(String format) {
        String pattern = PATTERNS.get(format);
        return pattern == null
                ? null
                : AUTOMATA.computeIfAbsent(
                        format, name -> PatternAutomaton.of("^(?:" + pattern + ")$", Effort.unlimited()));
    }
}
