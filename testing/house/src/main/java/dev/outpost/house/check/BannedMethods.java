package dev.outpost.house.check;

import dev.outpost.house.source.CamelCase;
import dev.outpost.house.source.Declaration;
import dev.outpost.house.source.ParsedSources;
import dev.outpost.house.source.SourceFile;
import java.util.List;
import java.util.stream.Stream;

/**
 * Finds methods with a banned name. A star at its end stands for further words: {@code tell*} also matches {@code tellAll}, but not
 * {@code teller}.
 */
final class BannedMethods implements NameRule {
    private static final String STAR = "*";

    private final List<Pattern> patterns;

    private record Pattern(BannedWord word, List<String> words) {
        boolean matches(Declaration method, String module) {
            return word.holdsIn(module)
                    && (word.beside().isEmpty() || word.beside().contains(method.owner()))
                    && (word.word().contains(STAR)
                            ? hasWords(CamelCase.words(method.name()))
                            : word.word().equals(method.name()));
        }

        private boolean hasWords(List<String> name) {
            int position = CamelCase.indexOf(name, words);
            return position >= 0
                    && (word.word().startsWith(STAR) || position == 0)
                    && (word.word().endsWith(STAR) || position + words.size() == name.size());
        }
    }

    BannedMethods(BannedWords words) {
        this.patterns = words.of(BannedWord.Kind.METHOD)
                .map(word -> new Pattern(word, CamelCase.words(word.word().replace(STAR, ""))))
                .toList();
    }

    @Override
    public Stream<Violation> violations(ParsedSources sources) {
        return sources.files().stream()
                .flatMap(file -> file.declared(Declaration.Kind.METHOD).flatMap(method -> violation(file, method)));
    }

    private Stream<Violation> violation(SourceFile file, Declaration method) {
        return patterns.stream()
                .filter(pattern -> pattern.matches(method, file.module()))
                .limit(1)
                .map(pattern -> Violation.in(
                        file,
                        method.line(),
                        RuleName.METHOD,
                        "method " + method.name() + ": say " + pattern.word().replacement()));
    }
}
