package dev.outpost.runtime.cuda.code;

/** Text that is written line by line, with an indentation for each open block. */
final class Lines {
    private static final String MARGIN = "    ";

    private final StringBuilder text = new StringBuilder();
    private int depth;

    void line(String line) {
        text.append(MARGIN.repeat(depth)).append(line).append('\n');
    }

    /** Writes a line for the compiler's preprocessor. */
    void directive(String line) {
        text.append(line).append('\n');
    }

    void open(String head) {
        line(head + " {");
        depth++;
    }

    void close() {
        depth--;
        line("}");
    }

    /** Writes a block with an indented content. */
    void block(String head, Runnable content) {
        open(head);
        content.run();
        close();
    }

    /** Writes a function with an empty line before it. */
    void function(String head, Runnable content) {
        line("");
        line(head);
        line("{");
        depth++;
        content.run();
        close();
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
