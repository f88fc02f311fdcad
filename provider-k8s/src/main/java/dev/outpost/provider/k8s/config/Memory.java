package dev.outpost.provider.k8s.config;

import java.math.BigDecimal;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An amount of memory as Kubernetes writes it: {@code 16Gi}, {@code 1.5G} or a number of bytes. The {@code m} of a
 * thousandth, which Kubernetes takes too, is refused: who writes it means mebibytes.
 *
 * @param text the amount, which is more than none
 */
public record Memory(String text) {
    private static final Pattern FORM = Pattern.compile("(\\d{1,15}(?:\\.\\d{1,3})?)(k|M|G|T|Ki|Mi|Gi|Ti)?");
    private static final Map<String, Long> UNITS = Map.of(
            "k",
            1_000L,
            "M",
            1_000_000L,
            "G",
            1_000_000_000L,
            "T",
            1_000_000_000_000L,
            "Ki",
            1L << 10,
            "Mi",
            1L << 20,
            "Gi",
            1L << 30,
            "Ti",
            1L << 40);

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

    private static BigDecimal bytes(String text) {
        Matcher matcher = FORM.matcher(text);
        matcher.matches();
        long unit = matcher.group(2) == null ? 1 : UNITS.get(matcher.group(2));
        return new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(unit));
    }
}
