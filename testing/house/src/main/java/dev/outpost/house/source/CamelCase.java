package dev.outpost.house.source;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** The words of a name: {@code exchangingUnitAt} has exchanging, unit and at, and so has {@code EXCHANGING_UNIT_AT}. */
public final class CamelCase {
    private static final Pattern BORDER = Pattern.compile("_+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])");

    /** The number in a name that tells variables with the same words apart. */
    private static final Pattern NUMBER = Pattern.compile("\\d+(?![a-z])");

    private CamelCase() {}

    /** Returns the words in lower case. */
    public static List<String> words(String name) {
        return Arrays.stream(BORDER.split(name))
                .filter(word -> !word.isEmpty())
                .map(word -> word.toLowerCase(Locale.ROOT))
                .toList();
    }

    /** Returns the position at which some words occur consecutively among other words; -1 if they do not. */
    public static int indexOf(List<String> words, List<String> part) {
        for (int start = 0; start + part.size() <= words.size(); start++) {
            if (words.subList(start, start + part.size()).equals(part)) {
                return start;
            }
        }
        return -1;
    }

    /** Returns a name with one word replaced; empty if it lacks that word. */
    public static Optional<String> replace(String name, String word, String replacement) {
        List<String> written =
                BORDER.splitAsStream(name).filter(each -> !each.isEmpty()).toList();
        int position = indexOf(words(NUMBER.matcher(name).replaceAll("")), words(word));
        if (position < 0 || written.size() < position + words(word).size()) {
            return Optional.empty();
        }
        int end = position + words(word).size();
        String number = written.get(end - 1).replaceFirst("^.*?(\\d*)$", "$1");
        boolean isConstant = name.equals(name.toUpperCase(Locale.ROOT)) && name.length() > 1;
        if (isConstant) {
            List<String> all = new ArrayList<>(written.subList(0, position));
            all.add(String.join("_", words(replacement)).toUpperCase(Locale.ROOT) + number);
            all.addAll(written.subList(end, written.size()));
            return Optional.of(String.join("_", all));
        }
        boolean isLarge = position > 0 || Character.isUpperCase(name.charAt(0));
        return Optional.of(String.join("", written.subList(0, position))
                + (isLarge ? large(replacement) : replacement)
                + number
                + String.join("", written.subList(end, written.size())));
    }

    private static String large(String word) {
        return word.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1);
    }

    /** Returns true if a name has several words and is not that of a constant, for example {@code RequestBody}. */
    public static boolean hasSeveralWords(String name) {
        return words(name).size() > 1 && !name.contains("_");
    }

    /** Returns a name with a small first letter; if it begins with an abbreviation, all letters of the abbreviation are small. */
    public static String small(String name) {
        List<String> words = words(name);
        return words.isEmpty()
                ? name
                : words.getFirst() + name.substring(words.getFirst().length());
    }
}
