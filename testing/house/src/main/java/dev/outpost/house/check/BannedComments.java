package dev.outpost.house.check;

import dev.outpost.house.source.CamelCase;
import dev.outpost.house.source.Comment;
import dev.outpost.house.source.ParsedSources;
import dev.outpost.house.source.SourceFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds comments that have a banned word or name a banned class. A class name of one word counts only in code. */
final class BannedComments implements NameRule {
    private static final Pattern WORD = Pattern.compile("[\\w-]+");
    private static final Pattern CODE = Pattern.compile("(?:\\{@(?:link|linkplain|code) |@see )(?:[\\w.]+\\.)?$");

    private final BannedNames names;
    private final Map<String, List<BannedWord>> words;
    private final List<BannedWord> phrases;

    BannedComments(BannedWords banned, BannedNames names) {
        this.names = names;
        this.words = banned.of(BannedWord.Kind.COMMENT).collect(Collectors.groupingBy(BannedWord::word));
        this.phrases = banned.of(BannedWord.Kind.COMMENT)
                .filter(word -> word.word().contains(" "))
                .toList();
    }

    @Override
    public Stream<Violation> violations(ParsedSources sources) {
        return sources.files().stream()
                .flatMap(file -> file.comments().stream()
                        .flatMap(comment -> banned(comment.text(), file.module()).stream()
                                .map(word -> violation(file, comment, word))));
    }

    private List<BannedWord> banned(String text, String module) {
        List<BannedWord> found = new ArrayList<>();
        Matcher matcher = WORD.matcher(text);
        while (matcher.find()) {
            String word = matcher.group();
            if (Character.isUpperCase(word.charAt(0)) && isName(text, matcher)) {
                names.find(word, null, module).ifPresent(found::add);
            }
            words.getOrDefault(word.toLowerCase(Locale.ROOT), List.of()).stream()
                    .filter(row -> row.holdsIn(module))
                    .forEach(found::add);
        }
        phrases.stream()
                .filter(row -> row.holdsIn(module) && text.contains(row.word()))
                .filter(row -> Pattern.compile("\\b" + row.word() + "\\b")
                        .matcher(text)
                        .find())
                .forEach(found::add);
        return found;
    }

    private boolean isName(String text, MatchResult word) {
        return names.byName().containsKey(word.group())
                && (CamelCase.hasSeveralWords(word.group())
                        || CODE.matcher(text.substring(0, word.start())).find());
    }

    private static Violation violation(SourceFile file, Comment comment, BannedWord word) {
        return Violation.in(
                file,
                comment.line(),
                RuleName.COMMENT,
                "comment says \"" + word.word() + "\": say " + word.replacement());
    }
}
