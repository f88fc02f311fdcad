package dev.outpost.system.backend.dashboard;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Contrast of two colours, as WCAG 2.2 defines it: (L1 + 0.05) / (L2 + 0.05), where L1 is the relative luminance of the lighter one.
 */
final class Contrast {
    private static final Pattern PROPERTY = Pattern.compile("--([a-z0-9-]+): (#[0-9a-f]{6});");

    private Contrast() {}

    /** The contrast of two colours such as {@code #1b1f24}, from 1 to 21. */
    static double of(String one, String other) {
        double first = luminance(one);
        double second = luminance(other);
        return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
    }

    private static double luminance(String colour) {
        int bits = Integer.parseInt(colour.substring(1), 16);
        return 0.2126 * linear(bits >> 16) + 0.7152 * linear(bits >> 8 & 0xff) + 0.0722 * linear(bits & 0xff);
    }

    private static double linear(int channel) {
        double part = channel / 255.0;
        return part <= 0.04045 ? part / 12.92 : Math.pow((part + 0.055) / 1.055, 2.4);
    }

    /** The colours that a rule of a style sheet defines as custom properties. */
    static Map<String, String> properties(String rule) {
        Map<String, String> colours = new LinkedHashMap<>();
        Matcher matcher = PROPERTY.matcher(rule);
        while (matcher.find()) {
            colours.put(matcher.group(1), matcher.group(2));
        }
        return colours;
    }
}
