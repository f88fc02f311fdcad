package dev.outpost.protocol.message;

/** Cleans text of the other side before it is shown in exceptions, logs and terminals. */
public final class PeerText {
    private static final char REPLACEMENT = '\uFFFD';

    private PeerText() {}

    /**
     * Returns the text, truncated to a length, without characters that control a terminal or change the direction of
     * text.
     */
    public static String clean(String text, int maxCharacters) {
        boolean isLong = text.length() > maxCharacters;
        StringBuilder clean = new StringBuilder(isLong ? text.substring(0, maxCharacters) : text);
        for (int index = 0; index < clean.length(); index++) {
            if (isControl(clean.charAt(index))) {
                clean.setCharAt(index, REPLACEMENT);
            }
        }
        return isLong ? clean.append('…').toString() : clean.toString();
    }

    /** Returns the whole text, cleaned like {@link #clean(String, int)}. */
    public static String clean(String text) {
        return clean(text, Integer.MAX_VALUE);
    }

    private static boolean isControl(char character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL -> character != '\n' && character != '\t';
            case Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }
}
