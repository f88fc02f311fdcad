package dev.outpost.house.check;

import dev.outpost.house.source.CamelCase;
import dev.outpost.house.source.Declaration;
import dev.outpost.house.source.ParsedSources;
import dev.outpost.house.source.SourceFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds fields, parameters and locals whose names contain an old word: {@code recipe} and {@code recipeOf} beside
 * {@code Rematerialization}. The old name of a class counts as an old word in variables of the class with the new name. If the source does
 * not say the type, nothing is found.
 */
final class BannedVariables implements NameRule {
    private final Map<String, List<Row>> byType = new HashMap<>();

    /**
     * A banned word.
     *
     * @param owner the module of the type; empty for any
     */
    private record Row(List<String> words, String owner, BannedWord word) {
        private static final String EXACTLY = "=";
        private static final Pattern NUMBER = Pattern.compile("\\d+(?![a-z])");

        /** The replacement may contain the word, too: {@code isOver} may replace {@code over}. */
        boolean matches(String name) {
            List<String> all = CamelCase.words(NUMBER.matcher(name).replaceAll(""));
            return word.word().startsWith(EXACTLY)
                    ? name.equals(word.word().substring(EXACTLY.length()))
                    : CamelCase.indexOf(all, words) >= 0
                            && CamelCase.indexOf(all, CamelCase.words(word.replacement())) < 0;
        }
    }

    BannedVariables(BannedWords words) {
        words.of(BannedWord.Kind.VARIABLE).forEach(word -> word.beside().forEach(type -> add(type, word.word(), word)));
        words.of(BannedWord.Kind.CLASS).filter(BannedVariables::isReplaced).forEach(word -> {
            add(word.replacement(), word.word(), word);
            word.modules().forEach(module -> add(word.word() + "@" + module, word.word(), word));
        });
    }

    /** The new name of a class may keep its old word: a {@code FusionGroup} was a {@code Group}. */
    private static boolean isReplaced(BannedWord word) {
        return CamelCase.indexOf(CamelCase.words(word.replacement()), CamelCase.words(word.word())) < 0
                && Character.isUpperCase(word.replacement().charAt(0))
                && word.replacement().chars().allMatch(Character::isJavaIdentifierPart);
    }

    private void add(String type, String word, BannedWord row) {
        int at = type.indexOf('@');
        String name = at < 0 ? type : type.substring(0, at);
        String owner = at < 0 ? "" : type.substring(at + 1);
        byType.computeIfAbsent(name, ignored -> new ArrayList<>()).add(new Row(CamelCase.words(word), owner, row));
    }

    @Override
    public Stream<Violation> violations(ParsedSources sources) {
        Map<String, Set<String>> modules = modules(sources);
        return sources.files().stream()
                .flatMap(file -> file.declarations().stream()
                        .filter(each -> each.kind().isVariable())
                        .flatMap(each -> violation(file, each, modules).stream()));
    }

    private List<Violation> violation(SourceFile file, Declaration variable, Map<String, Set<String>> modules) {
        List<Row> rows = byType.getOrDefault(variable.type(), List.of());
        if (rows.isEmpty()) {
            return List.of();
        }
        return rows.stream()
                .filter(row -> row.matches(variable.name()))
                .filter(row ->
                        row.word().kind() == BannedWord.Kind.CLASS || row.word().holdsIn(file.module()))
                .filter(row -> isOf(row.owner(), variable.type(), file, modules))
                .limit(1)
                .map(row -> Violation.in(file, variable.line(), RuleName.VARIABLE, text(variable, row)))
                .toList();
    }

    private static String text(Declaration variable, Row row) {
        String better = row.word().kind() == BannedWord.Kind.CLASS
                ? CamelCase.small(row.word().replacement())
                : row.word().replacement();
        return variable.type() + " " + variable.name() + ": say " + better + " for "
                + CamelCase.small(row.word().word());
    }

    private static boolean isOf(String owner, String type, SourceFile file, Map<String, Set<String>> modules) {
        return owner.isEmpty()
                || modules.getOrDefault(file.packageOf(type) + "." + type, Set.of())
                        .contains(owner);
    }

    /** The modules that declare a type, by its full name. */
    private static Map<String, Set<String>> modules(ParsedSources sources) {
        Map<String, Set<String>> modules = new HashMap<>();
        for (SourceFile file : sources.files()) {
            file.declared(Declaration.Kind.TYPE)
                    .filter(Declaration::isTopLevel)
                    .forEach(type -> modules.computeIfAbsent(
                                    file.packageName() + "." + type.name(), ignored -> new HashSet<>())
                            .add(file.module()));
        }
        return modules;
    }
}
