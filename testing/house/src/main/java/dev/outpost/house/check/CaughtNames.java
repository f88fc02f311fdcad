package dev.outpost.house.check;

import dev.outpost.house.source.CamelCase;
import dev.outpost.house.source.Declaration;
import dev.outpost.house.source.ParsedSources;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Names of caught exceptions. Standard names are a few nouns, these nouns with words before them ({@code closeFailure}), and words of the
 * exception's type ({@code timeout} for a {@code TimeoutException}).
 */
public record CaughtNames() implements NameRule {
    /** The nouns that may be the last word of a name. */
    private static final Set<String> NOUNS =
            Set.of("e", "exception", "error", "failure", "fault", "cause", "refusal", "problem", "timeout");

    /** The names that are standard as a whole. */
    private static final Set<String> STATES = Set.of("interrupted", "ignored", "impossible", "expected", "unexpected");

    @Override
    public Stream<Violation> violations(ParsedSources sources) {
        return sources.files().stream()
                .flatMap(file -> file.declared(Declaration.Kind.CAUGHT)
                        .filter(caught -> !isStandard(caught.name(), caught.type()))
                        .map(caught -> Violation.in(
                                file,
                                caught.line(),
                                RuleName.CAUGHT,
                                "catch (" + caught.type() + " " + caught.name() + "): say " + better(caught.type()))));
    }

    /** Returns true if a name is standard for a caught exception of a type. The type is given as written in the source. */
    public static boolean isStandard(String name, String type) {
        List<String> words = CamelCase.words(name);
        return STATES.contains(name) || NOUNS.contains(words.getLast()) || isOfType(words, type);
    }

    /** The name is {@code rejected} for a {@code RejectedExecutionException}. */
    private static boolean isOfType(List<String> words, String type) {
        return Stream.of(type.split(" \\| ")).anyMatch(each -> CamelCase.indexOf(CamelCase.words(each), words) >= 0);
    }

    private static String better(String type) {
        return type.equals("InterruptedException") ? "interrupted" : "failure, or ignored if it is not used";
    }
}
