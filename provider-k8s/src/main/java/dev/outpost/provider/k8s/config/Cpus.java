package dev.outpost.provider.k8s.config;

import java.math.BigDecimal;
import java.util.regex.Pattern;

/**
 * An amount of processors as Kubernetes writes it: {@code 4}, {@code 1.5} or {@code 500m}.
 *
 * @param text the amount, above 0
 */
public record Cpus(String text) {
    private static final Pattern FORM = Pattern.compile("\\d{1,6}(\\.\\d{1,3})?|\\d{1,9}m");

    public Cpus {
        if (!FORM.matcher(text).matches() || millis(text) == 0) {
            throw new IllegalArgumentException("expected processors such as 4, 1.5 or 500m");
        }
    }

    public static Cpus of(String text) {
        return new Cpus(text.strip());
    }

    /** Returns the amount in thousandths of a processor. */
    public long millis() {
        return millis(text);
    }

    private static long millis(String text) {
        return text.endsWith("m")
                ? Long.parseLong(text.substring(0, text.length() - 1))
                : new BigDecimal(text).movePointRight(3).longValueExact();
    }
}
