package dev.outpost.provider.k8s.config;

/** A setting is invalid. The message is for the user. */
final class InvalidSettingException extends IllegalArgumentException {
    private static final int LONGEST_VALUE = 80;

    private InvalidSettingException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Makes a message such as {@code outpost.k8s.lease: expected a duration such as 30s, got "soon"}. */
    static InvalidSettingException of(String name, String problem, String value) {
        return new InvalidSettingException(
                SettingsReader.PREFIX + name + ": " + problem + ", got \"" + shortened(value) + "\"", null);
    }

    static InvalidSettingException of(String name, IllegalArgumentException problem, String value) {
        return new InvalidSettingException(of(name, firstLine(problem), value).getMessage(), problem);
    }

    /** Makes a message of a sentence that already contains the values. */
    static InvalidSettingException of(String name, String sentence) {
        return new InvalidSettingException(SettingsReader.PREFIX + name + ": " + sentence, null);
    }

    private static String firstLine(Exception problem) {
        return problem.getMessage().lines().findFirst().orElse("");
    }

    private static String shortened(String value) {
        String line = value.strip().replaceAll("\\R", "\\\\n");
        return line.length() <= LONGEST_VALUE ? line : line.substring(0, LONGEST_VALUE) + "...";
    }
}
