package dev.outpost.runtime.cuda.code;

/** Sources as people read them. */
public final class SourceText {
    private SourceText() {}

    /** A source with the names of the files that it is put together from, in the place of what they hold. */
    public static String shortened(String source) {
        String text = source;
        for (Part part : Part.values()) {
            text = text.replace(part.text(), "[" + part + "]\n");
        }
        return text;
    }
}
