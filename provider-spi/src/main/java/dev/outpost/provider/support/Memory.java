package dev.outpost.provider.support;

import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An amount of memory as Kubernetes writes it: {@code 16Gi}, {@code 1.5G} or a number of bytes. The suffix {@code m}
 * is refused: for Kubernetes it means a thousandth, but users who write it mean mebibytes.
 *
 * @param text the amount, above 0
 */
public record Memory(String text) {
    private static final Pattern FORM = Pattern.compile("(\\d{1,15}(?:\\.\\d{1,3})?)(k|M|G|T|Ki|Mi|Gi|Ti)?");

    public Memory {
        if (!FORM.matcher(text).matches() || bytes(text).signum() == 0) {
            throw new IllegalArgumentException("expected an amount of memory such as 16Gi or 512Mi");
        }
    }

    public static Memory of(String text) {
        return new Memory(text.strip());
    }

    public boolean isMoreThan(Memory other) {
        return bytes(text).compareTo(bytes(other.text)) > 0;
    }

    /** Returns the amount in whole bytes. */
    public long bytes() {
        return bytes(text).longValue();
    }

    private static BigDecimal bytes(String text) {
        Matcher matcher = FORM.matcher(text);
        matcher.matches();
        return new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(unit(matcher.group(2))));
    }

    private static long unit(String suffix) {
        return switch (suffix) {
            case null -> 1;
            case "k" -> 1_000;
            case "M" -> 1_000_000;
            case "G" -> 1_000_000_000;
            case "T" -> 1_000_000_000_000L;
            case "Ki" -> 1L << 10;
            case "Mi" -> 1L << 20;
            case "Gi" -> 1L << 30;
            case "Ti" -> 1L << 40;
            default -> throw new IllegalStateException("the form lets " + suffix + " through");
        };
    }
}
