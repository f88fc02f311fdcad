package dev.outpost.backend.api;

import java.util.regex.Pattern;

/** Checks the names that users give to resources. */
public final class ResourceNames {
    private static final Pattern SLUG = Pattern.compile("[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?");
    private static final Pattern TEXT = Pattern.compile("\\P{Cntrl}{1,200}");

    private ResourceNames() {}

    public static String slug(String what, String name) {
        if (name == null || !SLUG.matcher(name).matches()) {
            throw Problem.invalid(
                    what + ": expected 1 to 40 lower-case letters, digits and inner dashes, got " + shown(name));
        }
        return name;
    }

    public static String text(String what, String text) {
        if (text == null || !TEXT.matcher(text).matches()) {
            throw Problem.invalid(what + ": expected 1 to 200 printable characters, got " + shown(text));
        }
        return text;
    }

    /** Returns a text shortened for an error message. */
    public static String shown(String text) {
        return text == null ? "nothing" : text.length() > 60 ? text.length() + " characters" : "\"" + text + "\"";
    }
}
