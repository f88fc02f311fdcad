package dev.outpost.house.prose;

import dev.outpost.house.source.JavaLexer;
import dev.outpost.house.source.JavaToken;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Splits Javadoc and Markdown into sentences. */
final class Sentences {
    private static final Pattern TAG = Pattern.compile("\\{@(?:link|linkplain|code|literal|value)\\s+([^{}]*)}");
    private static final Pattern LINK_LABEL = Pattern.compile("^[\\w.#(), \\[\\]<>]*[\\w)>] (\\w.*)$");
    private static final Pattern PREFORMATTED = Pattern.compile("(?s)<pre>.*?</pre>|\\{@snippet[^}]*}");
    private static final Pattern ELEMENT = Pattern.compile("</?\\w+[^>]*>");
    private static final Pattern END = Pattern.compile("[.?!:]['\")*_]*(?=\\s+[\\p{Lu}`\"({*_\\[\\d]|\\s*$)");
    private static final Pattern ADDRESS = Pattern.compile("]\\([^)]*\\)");
    private static final Pattern WORD = Pattern.compile("\\p{L}{2,}");

    private Sentences() {}

    /** Returns the sentences of the Javadoc of a source, up to the first block tag of each comment. */
    static List<Sentence> ofJavadoc(String path, String source) {
        List<Sentence> sentences = new ArrayList<>();
        for (JavaToken token : JavaLexer.tokens(source)) {
            String comment = source.substring(token.start(), token.end());
            if (token.kind() == JavaToken.Kind.COMMENT && comment.startsWith("/**")) {
                int line = 1
                        + (int) source.substring(0, token.start()).lines().count()
                        - (token.start() > 0 && source.charAt(token.start() - 1) == '\n' ? 0 : 1);
                addParagraphs(path, Math.max(1, line), javadocLines(comment), sentences);
            }
        }
        return sentences;
    }

    /** Returns the lines before the first block tag, with empty lines instead of markup that ends a paragraph. */
    private static List<String> javadocLines(String comment) {
        String body = comment.substring(3, Math.max(3, comment.length() - 2));
        Matcher preformatted = PREFORMATTED.matcher(body);
        body = preformatted.replaceAll(found ->
                "\n".repeat((int) found.group().chars().filter(c -> c == '\n').count()));
        List<String> lines = new ArrayList<>();
        for (String line : body.split("\n", -1)) {
            String text = line.strip().replaceFirst("^\\*\\s?", "").strip();
            if (text.startsWith("@")) {
                break;
            }
            lines.add(text.matches("</?(?:p|ul|ol|li|table|tr|td|h\\d)>") ? "" : text);
        }
        return lines;
    }

    /** Returns the sentences of a page, without code, tables, titles and the addresses of links. */
    static List<Sentence> ofMarkdown(String path, String page) {
        List<String> lines = new ArrayList<>();
        boolean isCode = false;
        for (String line : page.split("\n", -1)) {
            boolean isFence = line.strip().startsWith("```");
            isCode ^= isFence;
            boolean isProse =
                    !isCode && !isFence && !line.startsWith("    ") && !line.startsWith("|") && !line.startsWith("#");
            lines.add(isProse ? line.strip() : "");
        }
        List<Sentence> sentences = new ArrayList<>();
        addParagraphs(path, 1, lines, sentences);
        return sentences;
    }

    private static void addParagraphs(String path, int firstLine, List<String> lines, List<Sentence> sentences) {
        StringBuilder paragraph = new StringBuilder();
        int begin = 0;
        for (int index = 0; index <= lines.size(); index++) {
            String line = index < lines.size() ? lines.get(index) : "";
            boolean isItem = line.matches("(?:[-*]|\\d+\\.|<li>|<p>) ?.*");
            if (line.isEmpty() || isItem) {
                addSentences(path, firstLine, begin, paragraph.toString(), sentences);
                paragraph.setLength(0);
            }
            if (paragraph.isEmpty()) {
                begin = index;
            }
            paragraph
                    .append(isItem ? line.replaceFirst("(?:[-*]|\\d+\\.|<li>|<p>) ?", "") : line)
                    .append('\n');
        }
    }

    private static void addSentences(
            String path, int firstLine, int begin, String paragraph, List<Sentence> sentences) {
        Matcher end = END.matcher(paragraph);
        int from = 0;
        while (from < paragraph.length()) {
            int to = end.find(from) ? end.end() : paragraph.length();
            String text = plain(paragraph.substring(from, to));
            if (WORD.matcher(text).find()) {
                String before = paragraph.substring(0, from)
                        + paragraph.substring(from, to).replaceFirst("(?s)\\S.*", "");
                int line = firstLine
                        + begin
                        + (int) before.chars().filter(c -> c == '\n').count();
                sentences.add(new Sentence(path, line, text));
            }
            from = to;
        }
    }

    private static String plain(String text) {
        String result = ADDRESS.matcher(text.strip().replaceAll("\\s+", " ")).replaceAll("]");
        result = TAG.matcher(result).replaceAll(found -> Matcher.quoteReplacement(label(found.group(1))));
        return ELEMENT.matcher(result)
                .replaceAll("")
                .replaceAll("[*`_\\[\\]]", "")
                .strip();
    }

    private static String label(String tag) {
        Matcher label = LINK_LABEL.matcher(tag);
        return label.matches() ? label.group(1) : tag;
    }
}
