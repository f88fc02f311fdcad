package dev.outpost.house.prose;

/**
 * A sentence of a comment or a document, on one line.
 *
 * @param line the line of the file on which it begins, from 1
 */
public record Sentence(String path, int line, String text) {
    @Override
    public String toString() {
        return path + ":" + line + ": " + text;
    }
}
