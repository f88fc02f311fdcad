package dev.outpost.house.rename;

import dev.outpost.house.source.CamelCase;
import dev.outpost.house.source.InMemorySource;
import dev.outpost.house.source.JavaLexer;
import dev.outpost.house.source.JavaToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The names by which a rename can affect a source: the old ones and the new ones. A source without any of them does not refer to a renamed
 * symbol, and no new name can hide one of its names.
 */
final class RelevantNames {
    private static final String CATCH = "catch";

    private final Set<String> names = new HashSet<>();
    /** Parts of the names of variables, in small letters. */
    private final Set<String> parts = new HashSet<>();

    RelevantNames(List<RenameRow> rows) {
        rows.forEach(this::add);
    }

    private void add(RenameRow row) {
        switch (row.kind()) {
            case TYPE -> {
                names.add(row.target().substring(row.target().lastIndexOf('.') + 1));
                names.add(row.replacement());
            }
            case METHOD, FIELD -> {
                names.add(row.member());
                names.add(row.replacement());
            }
            case VARIABLE -> {
                parts.add(part(row.word()));
                row.replacements().forEach(replacement -> parts.add(part(replacement)));
            }
            case CAUGHT -> names.add(CATCH);
            case KEEP -> names.add(row.member());
        }
    }

    private static String part(String word) {
        return String.join("", CamelCase.words(word));
    }

    boolean areIn(InMemorySource source) {
        String text = source.text();
        Set<String> seen = new HashSet<>();
        for (JavaToken token : JavaLexer.tokens(text)) {
            if (token.kind() == JavaToken.Kind.NAME && seen.add(token.in(text)) && isRelevant(token.in(text))) {
                return true;
            }
            if (token.kind() == JavaToken.Kind.COMMENT && names.stream().anyMatch(token.in(text)::contains)) {
                return true;
            }
        }
        return false;
    }

    private boolean isRelevant(String name) {
        if (names.contains(name)) {
            return true;
        }
        String small = name.toLowerCase(Locale.ROOT).replace("_", "");
        return parts.stream().anyMatch(small::contains);
    }

    /** Returns the sources. Drops the method bodies of sources that contain no relevant name. */
    List<InMemorySource> reduce(List<InMemorySource> sources) throws IOException {
        List<InMemorySource> reduced = new ArrayList<>();
        List<InMemorySource> others = new ArrayList<>();
        for (InMemorySource source : sources) {
            (areIn(source) ? reduced : others).add(source);
        }
        reduced.addAll(MethodStubs.of(others));
        return reduced;
    }
}
