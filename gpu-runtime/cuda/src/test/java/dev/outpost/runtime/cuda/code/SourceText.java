package dev.outpost.runtime.cuda.code;

/** Sources in readable form. */
public final class SourceText {
    private SourceText() {}

    /** Returns a source with the names of its included files instead of their contents. */
    public static String shortened(String source) {
        String text = source;
        for (Part part : Part.values()) {
            text = text.replace(part.text(), "[" + part + "]\n");
        }
        return text;
    }
}
