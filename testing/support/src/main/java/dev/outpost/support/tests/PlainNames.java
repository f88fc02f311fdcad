package dev.outpost.support.tests;

import java.util.regex.Pattern;

/** Names of machines without the number that a second machine of the same name has in one JVM. */
public final class PlainNames {
    private static final Pattern NUMBER = Pattern.compile("((?:endpoint|mock|process|k8s)-\\w+)#\\d+");

    private PlainNames() {}

    /** Replaces {@code mock-A100#2} in a text by {@code mock-A100}, because another test of the JVM may have left a machine open. */
    public static String in(String text) {
        return NUMBER.matcher(text).replaceAll("$1");
    }
}
