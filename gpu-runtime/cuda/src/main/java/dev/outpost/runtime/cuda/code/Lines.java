package dev.outpost.runtime.cuda.code;

/** Text that is written line by line, each as far to the right as the blocks that are open. */
final class Lines {
    private static final String MARGIN = "    ";

    private final StringBuilder text = new StringBuilder();
    private int depth;

    void line(String line) {
        text.append(MARGIN.repeat(depth)).append(line).append('\n');
    }

    /** For the compiler's preprocessor. */
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

    /** The content of a block is indented further. */
    void block(String head, Runnable content) {
        open(head);
        content.run();
        close();
    }

    /** As a function is written. */
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
