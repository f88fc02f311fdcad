package dev.outpost.provider.k8s.config;

import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tolerated taints, parsed from a list such as {@code nvidia.com/gpu:NoSchedule,dedicated=ml}: a key or {@code *}, an optional value
 * after {@code =}, and an optional effect after a colon.
 */
public record Tolerations(List<Toleration> list) {
    private static final Pattern FORM = Pattern.compile("([^=:]+)(?:=([^:]*))?(?::(.*))?");
    private static final Set<String> EFFECTS = Set.of("NoSchedule", "PreferNoSchedule", "NoExecute");
    private static final String EVERY = "*";

    public Tolerations {
        list = List.copyOf(list);
    }

    public static Tolerations of(String text) {
        return new Tolerations(Arrays.stream(text.split(",", -1))
                .map(String::strip)
                .map(Tolerations::parse)
                .toList());
    }

    private static Toleration parse(String entry) {
        Matcher matcher = FORM.matcher(entry);
        if (!matcher.matches()) {
            throw malformed(entry);
        }
        String key = matcher.group(1);
        String value = matcher.group(2);
        check(entry, key, value, matcher.group(3));
        return new TolerationBuilder()
                .withKey(key.equals(EVERY) ? null : key)
                .withOperator(value == null ? "Exists" : "Equal")
                .withValue(value)
                .withEffect(matcher.group(3))
                .build();
    }

    private static void check(String entry, String key, String value, String effect) {
        boolean isEvery = key.equals(EVERY) && value == null;
        boolean isKey = KubernetesNames.isKey(key) && (value == null || KubernetesNames.isLabelValue(value));
        if (!isEvery && !isKey) {
            throw malformed(entry);
        }
        if (effect != null && !EFFECTS.contains(effect)) {
            throw new IllegalArgumentException(
                    "\"" + effect + "\" is no effect, expected NoSchedule, PreferNoSchedule " + "or NoExecute");
        }
    }

    private static IllegalArgumentException malformed(String entry) {
        return new IllegalArgumentException(
                "expected tolerations such as key=value:NoSchedule, key:NoExecute, key or *, not \"" + entry + "\"");
    }
}
