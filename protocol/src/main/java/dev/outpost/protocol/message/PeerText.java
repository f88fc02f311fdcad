package dev.outpost.protocol.message;

/** Text that the other side wrote, before it gets into exceptions, logs and terminals. */
public final class PeerText {
    private static final char REPLACEMENT = '\uFFFD';

    private PeerText() {}

    /** The text, or its beginning, without the characters that control a terminal or change the direction of what follows. */
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

    /** As {@link #clean(String, int)}, whole. */
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
