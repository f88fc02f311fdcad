package dev.outpost.house.rename;

import dev.outpost.house.source.CamelCase;
import dev.outpost.house.source.JavaLexer;
import dev.outpost.house.source.JavaToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Old names that are still written where no symbol is: in documents, settings, comments and texts. A reader must decide whether a mention
 * means the renamed declaration. A name of one word is also English, so it counts only where it looks like code.
 */
final class MentionReport {
    private static final int MAX_LENGTH = 160;
    private static final String CODE = "(?:(?<=[`.\"'(<@/])|(?<=@code )|(?<=@link ))";

    private MentionReport() {}

    static List<String> of(Path root, Set<String> names) throws IOException {
        List<String> found = new ArrayList<>();
        if (names.isEmpty()) {
            return found;
        }
        Pattern name = Pattern.compile(names.stream()
                .map(each -> (CamelCase.hasSeveralWords(each) ? "" : CODE) + Pattern.quote(each))
                .collect(Collectors.joining("|", "(?<!\\w)(?:", ")(?!\\w)")));
        for (Path file : TextFiles.below(root)) {
            String text = Files.readString(file);
            if (name.matcher(text).find()) {
                add(TextFiles.relative(root, file), text, name, found);
            }
        }
        return found;
    }

    private static void add(String path, String text, Pattern name, List<String> found) {
        if (path.endsWith(".java")) {
            for (JavaToken token : JavaLexer.tokens(text)) {
                if (token.kind() == JavaToken.Kind.COMMENT || token.kind() == JavaToken.Kind.TEXT) {
                    addLines(path, token.in(text), line(text, token.start()), name, found);
                }
            }
        } else {
            addLines(path, text, 1, name, found);
        }
    }

    private static int line(String text, int offset) {
        return 1
                + (int) text.substring(0, offset)
                        .chars()
                        .filter(each -> each == '\n')
                        .count();
    }

    private static void addLines(String path, String text, int first, Pattern name, List<String> found) {
        int number = first;
        for (String line : text.split("\n", -1)) {
            Matcher matcher = name.matcher(line);
            if (matcher.find()) {
                String stripped = line.strip();
                found.add(path + ":" + number + ": " + matcher.group() + ": "
                        + stripped.substring(0, Math.min(MAX_LENGTH, stripped.length())));
            }
            number++;
        }
    }
}
