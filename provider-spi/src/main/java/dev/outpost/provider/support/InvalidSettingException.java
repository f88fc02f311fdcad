package dev.outpost.provider.support;

import dev.outpost.provider.NearestName;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A setting is invalid. The message is for the user. */
public final class InvalidSettingException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;
    private static final int LONGEST_VALUE = 80;

    private InvalidSettingException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Makes a message such as {@code outpost.k8s.lease: expected a duration such as 30s, got "soon"}. */
    public static InvalidSettingException of(String name, String problem, String value) {
        return of(name, message(problem, value));
    }

    public static InvalidSettingException of(String name, IllegalArgumentException problem, String value) {
        return new InvalidSettingException(name + ": " + message(firstLine(problem), value), problem);
    }

    /** Makes a message of a sentence that already contains the values. */
    public static InvalidSettingException of(String name, String sentence) {
        return new InvalidSettingException(name + ": " + sentence, null);
    }

    /** Makes a message for an unknown setting, with the nearest name and all names. */
    public static InvalidSettingException unknown(String prefix, String name, List<String> names) {
        return of(
                prefix + name,
                NearestName.sentence("setting", name, names) + " There are " + String.join(", ", names) + ".");
    }

    private static String firstLine(Exception problem) {
        return Objects.requireNonNullElse(problem.getMessage(), problem.toString())
                .lines()
                .findFirst()
                .orElse("");
    }

    private static String message(String problem, String value) {
        return problem + ", got \"" + shortened(value) + "\"";
    }

    private static String shortened(String value) {
        String line = value.strip().replaceAll("\\R", "\\\\n");
        return line.length() <= LONGEST_VALUE ? line : line.substring(0, LONGEST_VALUE) + "...";
    }
}
