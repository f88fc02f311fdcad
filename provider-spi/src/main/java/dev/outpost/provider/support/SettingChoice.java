package dev.outpost.provider.support;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;

/** The texts of settings whose values are the constants of an enum: in lower case, with dashes. */
public final class SettingChoice {
    private SettingChoice() {}

    /**
     * Parses a text. Kubernetes' spelling is accepted, too: {@code IfNotPresent} for {@code if-not-present}.
     *
     * @throws IllegalArgumentException for an unknown text; the message has the known ones
     */
    public static <E extends Enum<E>> E parse(Class<E> type, String text) {
        String plain = text.strip().replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
        return EnumSet.allOf(type).stream()
                .filter(constant -> text(constant).equals(plain))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("expected " + texts(type)));
    }

    public static String text(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static <E extends Enum<E>> String texts(Class<E> type) {
        List<String> texts =
                EnumSet.allOf(type).stream().map(SettingChoice::text).toList();
        int last = texts.size() - 1;
        return String.join(", ", texts.subList(0, last)) + " or " + texts.get(last);
    }
}
