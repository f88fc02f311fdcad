package dev.outpost.house.rename;

import dev.outpost.house.source.CamelCase;
import dev.outpost.house.source.JavaLexer;
import dev.outpost.house.source.JavaToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Finds old names that are still written outside of code: in documents, settings, comments and texts. A reader must decide whether a
 * mention means the renamed declaration. A name of one word is also English, so it counts only where it looks like code.
 */
final class MentionReport {
    private static final int MAX_LENGTH = 160;
    private static final Pattern WORD = Pattern.compile("\\w+");
    private static final String BEFORE_CODE = "`.\"'(<@/";

    private MentionReport() {}

    static List<String> of(Path root, Set<String> names) throws IOException {
        List<String> found = new ArrayList<>();
        if (names.isEmpty()) {
            return found;
        }
        for (Path file : TextFiles.below(root)) {
            add(TextFiles.relative(root, file), Files.readString(file), names, found);
        }
        return found;
    }

    private static void add(String path, String text, Set<String> names, List<String> found) {
        if (path.endsWith(".java")) {
            for (JavaToken token : JavaLexer.tokens(text)) {
                if ((token.kind() == JavaToken.Kind.COMMENT || token.kind() == JavaToken.Kind.TEXT)
                        && mention(token.in(text), names).isPresent()) {
                    addLines(path, token.in(text), line(text, token.start()), names, found);
                }
            }
        } else if (mention(text, names).isPresent()) {
            addLines(path, text, 1, names, found);
        }
    }

    private static Optional<String> mention(String text, Set<String> names) {
        return WORD.matcher(text)
                .results()
                .filter(word -> names.contains(word.group())
                        && (CamelCase.hasSeveralWords(word.group()) || isCode(text, word.start())))
                .map(MatchResult::group)
                .findFirst();
    }

    private static boolean isCode(String text, int start) {
        return start > 0 && BEFORE_CODE.indexOf(text.charAt(start - 1)) >= 0
                || text.startsWith("@code ", start - "@code ".length())
                || text.startsWith("@link ", start - "@link ".length());
    }

    private static int line(String text, int offset) {
        return 1
                + (int) text.substring(0, offset)
                        .chars()
                        .filter(each -> each == '\n')
                        .count();
    }

    private static void addLines(String path, String text, int first, Set<String> names, List<String> found) {
        int number = first;
        for (String line : text.split("\n", -1)) {
            String at = path + ":" + number + ": ";
            mention(line, names).ifPresent(name -> {
                String stripped = line.strip();
                found.add(at + name + ": " + stripped.substring(0, Math.min(MAX_LENGTH, stripped.length())));
            });
            number++;
        }
    }
}
