package dev.outpost.provider;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A class that was compiled for a newer Java than this one.
 *
 * @param name the class, with dots
 * @param java the Java that it needs, such as 25
 */
record NewerClass(String name, int java) {
    /** HotSpot's message; class files of Java n have the version n + 44. */
    private static final Pattern MESSAGE =
            Pattern.compile("(\\S+) has been compiled by a more recent .* \\(class file version (\\d+)\\.");

    private static final int VERSION_OF_JAVA_0 = 44;

    /** Parses the error of loading the class. Other JVMs have other messages; name and Java are then unknown. */
    static NewerClass parse(UnsupportedClassVersionError error) {
        Matcher message = MESSAGE.matcher(String.valueOf(error.getMessage()));
        return message.find()
                ? new NewerClass(
                        message.group(1).replace('/', '.'), Integer.parseInt(message.group(2)) - VERSION_OF_JAVA_0)
                : new NewerClass("", 0);
    }

    /** Returns a sentence that says why the provider is not used. */
    String sentence() {
        String needed = java == 0 ? "a newer Java" : "Java " + java;
        String subject = name.isEmpty() ? "A provider" : name;
        return subject + " needs " + needed + ", and this is Java "
                + Runtime.version().feature() + ".";
    }
}
