package dev.outpost.house.rename;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** A replacement of characters. */
record TextEdit(int start, int end, String text) {
    /** Applies edits, which must not overlap. */
    static String apply(String text, Collection<TextEdit> edits) {
        List<TextEdit> sorted =
                edits.stream().sorted(Comparator.comparingInt(TextEdit::start)).toList();
        StringBuilder result = new StringBuilder(text.length());
        int position = 0;
        for (TextEdit edit : sorted) {
            result.append(text, position, edit.start()).append(edit.text());
            position = edit.end();
        }
        return result.append(text, position, text.length()).toString();
    }
}
