package dev.outpost.provider.process.state;

import java.nio.file.Path;

/** The UIDs for organisations, {@code first} to {@code last}. */
public record UserRange(int first, int last) {
    /**
     * The number of UIDs of one state folder. State folders of one host begin at different positions of the range, so that two backends
     * assign different UIDs.
     */
    private static final int PER_FOLDER = 65_536;

    /** @throws IllegalArgumentException unless the text is {@code FIRST-LAST}, from 1000 on */
    public static UserRange parse(String text) {
        String[] parts = text.strip().split("-", -1);
        try {
            UserRange range = new UserRange(Integer.parseInt(parts[0]), Integer.parseInt(parts[parts.length - 1]));
            if (parts.length == 2 && range.first >= 1000 && range.last >= range.first) {
                return range;
            }
        } catch (NumberFormatException ignored) {
            // The exception below reports this, too.
        }
        throw new IllegalArgumentException("expected FIRST-LAST, from 1000 to " + Integer.MAX_VALUE);
    }

    int start(Path folder) {
        int places = Math.max(1, (last - first + 1) / PER_FOLDER);
        return first + Math.floorMod(folder.toString().hashCode(), places) * PER_FOLDER;
    }

    boolean contains(int uid) {
        return uid >= first && uid <= last;
    }

    public String text() {
        return first + "-" + last;
    }
}
