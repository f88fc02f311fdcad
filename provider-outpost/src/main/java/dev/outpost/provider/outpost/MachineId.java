package dev.outpost.provider.outpost;

import java.util.regex.Pattern;

/** Checks ids of machines that people type, because an id becomes a part of a path. */
public final class MachineId {
    private static final Pattern UUID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final int SHOWN = 60;

    private MachineId() {}

    /** Returns true if the text has the form of an id. */
    public static boolean isId(String text) {
        return UUID.matcher(text).matches();
    }

    /** @throws IllegalArgumentException if the text is not an id; the message contains the text */
    public static String checked(String id) {
        if (!isId(id)) {
            String shown = id.replaceAll("\\p{Cntrl}", "?");
            throw new IllegalArgumentException(
                    "machine: expected a machine's id as ./outpost machines list outpost shows it," + " got \""
                            + shown.substring(0, Math.min(SHOWN, shown.length())) + "\"");
        }
        return id;
    }
}
